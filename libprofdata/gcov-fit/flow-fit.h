/* Counts of a function's arcs that are possible and nearest to what is known.
   SPDX-License-Identifier: GPL-3.0-or-later

   What enters a block leaves it.  If only some counts are known, and some are
   wrong, the others are chosen so that this holds, no count is negative, and
   known counts change as little as possible: a flow of least cost.  */

#ifndef HEAPPROF_FLOW_FIT_H
#define HEAPPROF_FLOW_FIT_H

#include "gcov-notes.h"
#include <stdbool.h>
#include <stdint.h>

#define FLOW_FIT_UNKNOWN INT64_MIN

/* What is known of FUNCTION: counts, at least 0, or FLOW_FIT_UNKNOWN.  */
struct flow_known
{
  const struct gcov_notes_function *function;
  const int64_t *blocks;
  const int64_t *arcs;
};

enum flow_fit_result
{
  FLOW_FIT_DONE,
  FLOW_FIT_IMPOSSIBLE, /* no counts are possible, or finding them takes too
			  long */
  FLOW_FIT_NO_MEMORY
};

/* Set FITTED, one for each arc, to the counts for KNOWN.  */
enum flow_fit_result flow_fit (const struct flow_known *known, int64_t *fitted);

#endif /* HEAPPROF_FLOW_FIT_H */
