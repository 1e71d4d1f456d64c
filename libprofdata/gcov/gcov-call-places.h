/* In which blocks the indirect calls of a function are.
   SPDX-License-Identifier: GPL-3.0-or-later

   Notes say which blocks end with a call, but not what is called; counters say
   how often each indirect call was made, in the order of the function, but not
   where.  A call was made as often as its block was executed, and mostly that
   leaves one block for it.  */

#ifndef HEAPPROF_GCOV_CALL_PLACES_H
#define HEAPPROF_GCOV_CALL_PLACES_H

#include "gcov-flow.h"
#include "gcov-notes.h"
#include "gcov-profile.h"
#include <stdbool.h>
#include <stdint.h>

struct gcov_call_place
{
  uint32_t block; /* UINT32_MAX: not known */
  uint32_t line;  /* of the call, in the function's file */
};

/* Set PLACES, one for each of the COUNT SITES of FUNCTION, to where it is, as
   far as only one line can be meant.  BLOCK_PLACES are those of
   gcov_block_order; FLOW is solved.  False if memory cannot be had.  */
bool gcov_call_places_find (struct gcov_call_place *places,
			    const struct gcov_notes_function *function,
			    const struct gcov_flow *flow,
			    const uint32_t *block_places,
			    const struct gcov_site *sites, uint32_t count);

#endif /* HEAPPROF_GCOV_CALL_PLACES_H */
