/* A unit of gcc's own counters: what the readers and the model share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_UNIT_H
#define HEAPPROF_GCOV_UNIT_H

#include "gcov-profile.h"

/* A malloced, terminated copy of the N bytes at TEXT.  NULL if memory cannot be
   had.  */
char *gcov_copy_text (const char *text, size_t n);

/* Make *COPY a copy of SOURCE.  False if memory cannot be had; *COPY owns what
   there is all the same.  */
bool gcov_function_copy (struct gcov_function *copy,
			 const struct gcov_function *source);

/* Release what FUNCTION owns and make it all zeros.  */
void gcov_function_clear (struct gcov_function *function);

/* A copy of UNIT, to be released by the caller; NULL if memory cannot be
   had.  */
struct gcov_unit *gcov_unit_copy (const struct gcov_unit *unit);

/* Orders units by their keys; 0 if these are equal.  */
int gcov_unit_compare (const struct gcov_unit *a, const struct gcov_unit *b);

#endif /* HEAPPROF_GCOV_UNIT_H */
