/* Flows of machine-level profiles: direct calls whose number follows from
   others.
   SPDX-License-Identifier: GPL-3.0-or-later

   doc/mip-format.md explains them.  A flow is a direct call, from one point of
   its function's code to another; as many calls lead to a point as from it.  */

#ifndef HEAPPROF_MIP_FLOWS_H
#define HEAPPROF_MIP_FLOWS_H

#include "byte-reader.h"
#include "mip-profile.h"

/* The points of each function that have a meaning.  */
#define MIP_POINT_OUTSIDE 0 /* as many may lead to it as from it, or not */
#define MIP_POINT_START 1   /* each run of the function leads to it, too */

/* Compare two struct mip_flow, for sorting them.  */
int mip_flows_compare (const void *a, const void *b);

/* Sort the flows of PROFILE, and keep one of equal ones.  */
void mip_flows_combine (struct mip_profile *profile);

/* Set *FIRST and *COUNT to the flows of the functions of MODULE.  */
void mip_flows_of_module (const struct mip_profile *profile,
			  const struct mip_module *module, size_t *first,
			  size_t *count);

/* Return the index of the flow of EDGE; SIZE_MAX if there is none.  */
size_t mip_flows_find (const struct mip_profile *profile,
		       const struct mip_edge *edge);

/* Compute the calls of the flows of MODULE without counters.  CALLS has the
   calls of each of its flows, 0 for those; RUNS, for each of its functions, how
   often it was called, except by calls that have no counter and that it does
   not count either.  These are added to both.  A number that would be negative
   is 0.  Set *IS_DONE to false if the flows do not determine all numbers.
   Return false if memory is exhausted.  */
bool mip_flows_solve (const struct mip_profile *profile,
		      const struct mip_module *module, uint64_t *calls,
		      uint64_t *runs, bool *is_done);

/* Return true if the flows of PROFILE are sorted, and those of each module
   determine the numbers of calls without counters.  Otherwise, or if memory is
   exhausted, let READER fail.  */
bool mip_flows_check (const struct mip_profile *profile,
		      struct byte_reader *reader);

/* Return true if the flows of PROFILE are sorted and have callers.  This needs
   no memory.  */
bool mip_flows_are_sorted (const struct mip_profile *profile);

/* Add the flows of FROM, whose module I is module PLACES[I] of PROFILE.  Return
   false if memory is exhausted.  */
bool mip_flows_merge (struct mip_profile *profile,
		      const struct mip_profile *from, const size_t *places);

#endif /* HEAPPROF_MIP_FLOWS_H */
