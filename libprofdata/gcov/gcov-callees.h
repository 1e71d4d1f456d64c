/* Lookup of functions in GCC's counters by ident, the value recorded for
   indirect calls.
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
  uint64_t guid;    /* of its name as returned by gcov_names_indexed */
  const char *name; /* assembler name, owned by the profile; NULL: unknown */
};

struct gcov_callees
{
  struct gcov_callee *callees;
  size_t count;
};

/* Fill *CALLEES with all functions of GCOV.  Return false if memory is
   exhausted.  Free it with gcov_callees_free in any case.  */
bool gcov_callees_make (struct gcov_callees *callees,
			const struct gcov_profile *gcov);
void gcov_callees_free (struct gcov_callees *callees);

/* Return the function with IDENT; NULL if there is none, or several different
   ones.  */
const struct gcov_callee *gcov_callees_find (const struct gcov_callees *callees,
					     int64_t ident);

#endif /* HEAPPROF_GCOV_CALLEES_H */
