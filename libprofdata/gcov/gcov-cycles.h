/* How often a line was executed whose blocks run in circles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_CYCLES_H
#define HEAPPROF_GCOV_CYCLES_H

#include "gcov-flow.h"
#include "gcov-notes.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room to work in, for the blocks of one function.  */
struct gcov_cycles
{
  const struct gcov_notes_function *function;
  const struct gcov_flow *flow;
  int64_t *left;       /* of each arc's count, not yet in a cycle */
  uint32_t *set_of;    /* the set that each block was last in */
  uint32_t *search_of; /* the search that saw each block last */
  uint32_t *path;      /* arcs from the start to where a search is */
  uint32_t *next;      /* place of the arc to try next, for each arc
			  of the path and the start */
  uint32_t set;
  uint32_t search;
};

/* Make *CYCLES for FUNCTION and FLOW, which must outlive it.  False if memory
   cannot be had.  Release it with gcov_cycles_free in any case.  */
bool gcov_cycles_init (struct gcov_cycles *cycles,
		       const struct gcov_notes_function *function,
		       const struct gcov_flow *flow);
void gcov_cycles_free (struct gcov_cycles *cycles);

/* How often control came to the N blocks at BLOCKS from others, or through a
   cycle among them.  */
int64_t gcov_cycles_count (struct gcov_cycles *cycles, const uint32_t *blocks,
			   size_t n);

#endif /* HEAPPROF_GCOV_CYCLES_H */
