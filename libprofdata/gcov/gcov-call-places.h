/* The blocks that contain a function's indirect calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   Notes tell which blocks end with a call, but not what is called.  Counters
   tell how often each indirect call was made, in the order of the function, but
   not where.  A call was made as often as its block was executed, which usually
   leaves only one block for it.  */

#ifndef HEAPPROF_GCOV_CALL_PLACES_H
#define HEAPPROF_GCOV_CALL_PLACES_H

#include "gcov-flow.h"
#include "gcov-notes.h"
#include "gcov-profile.h"
#include <stdbool.h>
#include <stdint.h>

struct gcov_call_place
{
  uint32_t block; /* UINT32_MAX: unknown */
  uint32_t line;  /* of the call, in the function's file */
};

/* Set PLACES, one for each of the COUNT SITES of FUNCTION, to the site's place
   if only one line is possible.  BLOCK_PLACES come from gcov_block_order; FLOW
   is solved.  Return false if memory is exhausted.  */
bool gcov_call_places_find (struct gcov_call_place *places,
			    const struct gcov_notes_function *function,
			    const struct gcov_flow *flow,
			    const uint32_t *block_places,
			    const struct gcov_site *sites, uint32_t count);

/* Fill BLOCKS, which has room for all blocks of FUNCTION, with those that end
   with a call, ascending; FLOW has the arcs.  Return their number.  */
uint32_t gcov_call_blocks (uint32_t *blocks,
			   const struct gcov_notes_function *function,
			   const struct gcov_flow *flow);

/* Set LAST, one for each of the COUNT SITES of FUNCTION, to the last block that
   the site may be in; all to UINT32_MAX if the counts do not fit.  FLOW is
   solved.  Return false if memory is exhausted.  */
bool gcov_call_places_last (uint32_t *last,
			    const struct gcov_notes_function *function,
			    const struct gcov_flow *flow,
			    const struct gcov_site *sites, uint32_t count);

#endif /* HEAPPROF_GCOV_CALL_PLACES_H */
