/* A unit of GCC's own counters: declarations shared by the readers and the
   model.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_UNIT_H
#define HEAPPROF_GCOV_UNIT_H

#include "gcov-profile.h"

/* Return a malloced, NUL-terminated copy of the N bytes at TEXT.  NULL if
   memory is exhausted.  */
char *gcov_copy_text (const char *text, size_t n);

/* Make *COPY a copy of SOURCE.  Return false if memory is exhausted; *COPY owns
   the incomplete copy even then.  */
bool gcov_function_copy (struct gcov_function *copy,
			 const struct gcov_function *source);

/* Free what FUNCTION owns and set it to all zeros.  */
void gcov_function_clear (struct gcov_function *function);

/* Return a copy of UNIT, which the caller frees; NULL if memory is
   exhausted.  */
struct gcov_unit *gcov_unit_copy (const struct gcov_unit *unit);

/* Compare units by their keys; 0 if these are equal.  */
int gcov_unit_compare (const struct gcov_unit *a, const struct gcov_unit *b);

#endif /* HEAPPROF_GCOV_UNIT_H */
