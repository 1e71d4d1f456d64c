/* Exact counts of all arcs and blocks of a function, computed from the counters
   of some arcs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_FLOW_H
#define HEAPPROF_GCOV_FLOW_H

#include "gcov-notes.h"
#include <stdbool.h>
#include <stdint.h>

/* Arcs of each block: those of BLOCK are ARCS[FIRST[BLOCK]] up to, but not
   including, ARCS[FIRST[BLOCK + 1]], as numbers of arcs in ascending order.  */
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
  bool is_solved; /* if not, counts that could not be computed are 0 */
};

/* Compute *FLOW from the COUNTERS of FUNCTION, one for each counted arc; NULL
   means zeros.  A count may be negative where control left a function other
   than by its arcs, or threads counted without synchronization.  Return false
   if memory is exhausted.  Free the flow with gcov_flow_free in any case.  */
bool gcov_flow_solve (struct gcov_flow *flow,
		      const struct gcov_notes_function *function,
		      const int64_t *counters);
void gcov_flow_free (struct gcov_flow *flow);

#endif /* HEAPPROF_GCOV_FLOW_H */
