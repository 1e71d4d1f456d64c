/* How often clones and their originals run.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_COUNTS_H
#define HEAPPROF_CONTEXT_COUNTS_H

/* How often MEMBERS, functions of a circle, are called from outside of it.  Not
   more than zero, or not initialized, without counters of the program.  */
profile_count context_counts_entries (const vec<cgraph_node *> &members);

/* The sum of the counts of CALLS.  */
profile_count context_counts_sum (const vec<cgraph_edge *> &calls);

/* Divide the counts of MEMBERS between them and CLONES: of ENTRIES, which
   MEMBERS had, PART go to the clones now.  */
void context_counts_share (const vec<cgraph_node *> &members,
			   const vec<cgraph_node *> &clones,
			   profile_count entries, profile_count part);

#endif /* HEAPPROF_CONTEXT_COUNTS_H */
