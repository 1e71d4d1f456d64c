/* Affinities of heap profiles: which contexts' blocks are used together.
   SPDX-License-Identifier: GPL-3.0-or-later

   They come from windows, short times in which the run-time library looked at
   which granules of 64 bytes were accessed.  The affinity of two contexts is
   the lesser of their numbers of granules, added up over all windows; that of a
   context with itself is its own number.  */

#ifndef HEAPPROF_HEAP_AFFINITIES_H
#define HEAPPROF_HEAP_AFFINITIES_H

#include "heap-details.h"

#ifdef __cplusplus
extern "C"
{
#endif

  struct heap_affinity
  {
    uint32_t first;  /* context */
    uint32_t second; /* the same context, or one with a greater id */
    uint64_t lines;
  };

  /* Add LINES to the affinity of the contexts ONE and OTHER.  Return false if
     memory is exhausted.  */
  bool heap_details_add_affinity (struct heap_details *details, uint32_t one,
				  uint32_t other, uint64_t lines);

  uint32_t heap_details_affinity_count (const struct heap_details *details);
  const struct heap_affinity *
  heap_details_affinity_at (const struct heap_details *details,
			    uint32_t number);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_AFFINITIES_H */
