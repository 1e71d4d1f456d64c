/* Heap size over time, peaks and marks of a raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SYMBOLIZE_TIMES_H
#define HEAPPROF_SYMBOLIZE_TIMES_H

#include "heap-profile.h"
#include "raw-profile.h"

/* Add the timeline of RAW and its marks to PROFILE, where NODES are the nodes
   of its contexts.  Return false if memory is exhausted.  */
bool symbolize_times (struct heap_profile *profile,
		      const struct raw_profile *raw, const uint32_t *nodes);

#endif /* HEAPPROF_SYMBOLIZE_TIMES_H */
