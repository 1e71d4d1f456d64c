/* Choosing among GCC counter records that may belong to a function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_CANDIDATES_H
#define HEAPPROF_GCOV_CANDIDATES_H

#include "gcov-lookup.h"

/* A record and its unit.  */
struct gcov_candidate
{
  const struct gcov_function *function;
  const struct gcov_unit *unit; /* its functions are not used */
};

/* Move those of the *N CANDIDATES that are to be added for KEY, as described
   for gcov_lookup_find, to the front, and set *N to their number.  All have the
   name of KEY, or its ident and no name.  */
enum gcov_lookup_result
gcov_candidates_choose (struct gcov_candidate *candidates, size_t *n,
			const struct gcov_lookup_key *key);

#endif /* HEAPPROF_GCOV_CANDIDATES_H */
