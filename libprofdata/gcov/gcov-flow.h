/* Exact counts of all arcs and blocks of a function, from the counters of some
   arcs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_FLOW_H
#define HEAPPROF_GCOV_FLOW_H

#include "gcov-notes.h"
#include <stdbool.h>
#include <stdint.h>

/* Arcs of each block: those of BLOCK are ARCS[FIRST[BLOCK]] and on, up to
   before FIRST[BLOCK + 1], numbers of arcs in their order.  */
struct gcov_adjacency
{
  uint32_t *first;
  uint32_t *arcs;
};

struct gcov_flow
{
  int64_t *block_counts;
  int64_t *arc_counts;
  struct gcov_adjacency leaving;
  struct gcov_adjacency entering;
  bool is_solved; /* if not, what did not follow is 0 */
};

/* Fill *FLOW from the COUNTERS of FUNCTION, as many as it counts arcs; NULL
   stands for zeros.  A count may be negative where control left a function
   otherwise than by its arcs, or threads counted without care.  False if memory
   cannot be had.  Release the flow with gcov_flow_free in any case.  */
bool gcov_flow_solve (struct gcov_flow *flow,
		      const struct gcov_notes_function *function,
		      const int64_t *counters);
void gcov_flow_free (struct gcov_flow *flow);

#endif /* HEAPPROF_GCOV_FLOW_H */
