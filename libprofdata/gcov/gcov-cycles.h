/* Execution counts of lines whose blocks form cycles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_CYCLES_H
#define HEAPPROF_GCOV_CYCLES_H

#include "gcov-flow.h"
#include "gcov-notes.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Working memory for the blocks of one function.  */
struct gcov_cycles
{
  const struct gcov_notes_function *function;
  const struct gcov_flow *flow;
  int64_t *left;       /* remaining count of each arc, not yet in a cycle */
  uint32_t *set_of;    /* the last set of each block */
  uint32_t *search_of; /* the last search that visited each block */
  uint32_t *path;      /* arcs from the start to the current block of the
			  search */
  uint32_t *next;      /* place of the arc to try next, for each arc of the path
			  and the start */
  uint32_t set;
  uint32_t search;
};

/* Initialize *CYCLES for FUNCTION and FLOW, which must outlive it.  Return
   false if memory is exhausted.  Free it with gcov_cycles_free in any case.  */
bool gcov_cycles_init (struct gcov_cycles *cycles,
		       const struct gcov_notes_function *function,
		       const struct gcov_flow *flow);
void gcov_cycles_free (struct gcov_cycles *cycles);

/* Return how often control reached the N blocks at BLOCKS from other blocks, or
   through a cycle among them.  */
int64_t gcov_cycles_count (struct gcov_cycles *cycles, const uint32_t *blocks,
			   size_t n);

#endif /* HEAPPROF_GCOV_CYCLES_H */
