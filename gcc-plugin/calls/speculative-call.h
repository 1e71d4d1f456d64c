/* Direct calls next to calls through pointers.
   SPDX-License-Identifier: GPL-3.0-or-later

   In the call graph, GCC calls them speculative edges.  Its own code turns

     p = pointer (8)

   into

     p = pointer == make ? make (8) : pointer (8)

   or removes the direct call if that is not hot enough for a comparison.  */

#ifndef HEAPPROF_SPECULATIVE_CALL_H
#define HEAPPROF_SPECULATIVE_CALL_H

/* Return the number of direct calls next to CALL, a call through a pointer; the
   first of them, or NULL.  */
unsigned speculative_call_count (cgraph_edge *call);
cgraph_edge *speculative_call_first (cgraph_edge *call);

/* Add a direct call of TARGET, which is made COUNT times, and return it.  The
   calls with the highest counts are tried first.  */
cgraph_edge *speculative_call_add (cgraph_edge *call, cgraph_node *target,
				   profile_count count);

/* Sort the direct calls next to CALL again, the highest counts first: in copies
   of functions, GCC reverses the order of the calls.  */
void speculative_calls_sort (cgraph_edge *call);

#endif /* HEAPPROF_SPECULATIVE_CALL_H */
