/* Execution counts of clones and their originals.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_COUNTS_H
#define HEAPPROF_CONTEXT_COUNTS_H

/* Return how often MEMBERS, functions of a circle, are called from outside it.
   Zero or not initialized if there are no counts.  */
profile_count context_counts_entries (const vec<cgraph_node *> &members);

/* Return the sum of the counts of CALLS.  */
profile_count context_counts_sum (const vec<cgraph_edge *> &calls);

/* Divide the counts of MEMBERS, which had ENTRIES, between them and CLONES:
   PART goes to the clones.  */
void context_counts_share (const vec<cgraph_node *> &members,
			   const vec<cgraph_node *> &clones,
			   profile_count entries, profile_count part);

#endif /* HEAPPROF_CONTEXT_COUNTS_H */
