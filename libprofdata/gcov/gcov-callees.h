/* The functions of gcc's counters by ident, as values of indirect calls have
   them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_CALLEES_H
#define HEAPPROF_GCOV_CALLEES_H

#include "gcov-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gcov_callee
{
  uint32_t ident;
  uint64_t guid;    /* of its name as gcov_names_indexed gives it */
  const char *name; /* assembler name, owned by the profile; NULL
		       unknown */
};

struct gcov_callees
{
  struct gcov_callee *callees;
  size_t count;
};

/* Fill *CALLEES with all functions of GCOV.  False if memory cannot be had.
   Release it with gcov_callees_free in any case.  */
bool gcov_callees_make (struct gcov_callees *callees,
			const struct gcov_profile *gcov);
void gcov_callees_free (struct gcov_callees *callees);

/* The function with IDENT; NULL if there is none, or there are different
   ones.  */
const struct gcov_callee *gcov_callees_find (const struct gcov_callees *callees,
					     int64_t ident);

#endif /* HEAPPROF_GCOV_CALLEES_H */
