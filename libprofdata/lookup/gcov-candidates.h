/* Choosing among the records of gcc's own counters that may be a function's.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_CANDIDATES_H
#define HEAPPROF_GCOV_CANDIDATES_H

#include "gcov-lookup.h"

/* A record, and the unit that it is of.  */
struct gcov_candidate
{
  const struct gcov_function *function;
  const struct gcov_unit *unit; /* its functions are not looked at */
};

/* Put those of the *N CANDIDATES that are to be added up for KEY, as
   gcov_lookup_find says, in front, and set *N to their number.  All have the
   name of KEY, or its ident and no name.  */
enum gcov_lookup_result
gcov_candidates_choose (struct gcov_candidate *candidates, size_t *n,
			const struct gcov_lookup_key *key);

#endif /* HEAPPROF_GCOV_CANDIDATES_H */
