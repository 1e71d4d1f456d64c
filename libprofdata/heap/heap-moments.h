/* Heap size over time, and the blocks that were live at named moments.
   SPDX-License-Identifier: GPL-3.0-or-later

   What was live at the peaks of the runs is in the contexts' MIBs
   (memory-info.h).  Runs cannot be added up over time: the timelines of the
   runs with the greatest peaks are kept side by side.  */

#ifndef HEAPPROF_HEAP_MOMENTS_H
#define HEAPPROF_HEAP_MOMENTS_H

#include "heap-details.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* Of each profile.  */
#define HEAP_TIMELINES_MAX 8

/* With the NUL.  */
#define HEAP_LABEL_BYTES 64

/* Of each timeline.  */
#define HEAP_TIMELINE_SAMPLES_MAX 511
#define HEAP_TIMELINE_MARKS_MAX 1024
#define HEAP_TIMELINE_SHIFT_MAX 62

  /* The heap's bytes in an interval.  */
  struct heap_sample
  {
    uint64_t max;
    uint64_t end;
    uint64_t mean; /* weighted by time */
  };

  /* A mark as the timeline shows it.  */
  struct heap_timeline_mark
  {
    char label[HEAP_LABEL_BYTES];
    uint64_t time_ns;
    uint64_t bytes; /* live then */
  };

  struct heap_timeline
  {
    uint64_t peak_bytes;
    uint64_t peak_ns;
    uint64_t end_ns; /* of the last interval, which may be shorter */
    uint32_t shift;  /* log2 of the length of an interval in ns */
    uint32_t count;  /* of intervals, the first one starts at 0 */
    uint32_t mark_count;
    struct heap_sample *samples;
    struct heap_timeline_mark *marks; /* by time */
  };

  /* The marks with one label, of all runs.  */
  struct heap_mark
  {
    char label[HEAP_LABEL_BYTES];
    uint64_t count;    /* how often it was set */
    uint64_t first_ns; /* earliest time after the start of a run */
    uint64_t blocks;   /* sums over these of what was live */
    uint64_t bytes;
  };

  /* The blocks of a context that were live at the marks with one label.  */
  struct heap_marked
  {
    uint32_t mark;    /* its number */
    uint32_t context; /* innermost node */
    uint64_t blocks;
    uint64_t bytes;
  };

  /* Add a copy of *TIMELINE, unless it is not among the HEAP_TIMELINES_MAX with
     the greatest peaks.  This and the functions below return false, or
     UINT32_MAX, if memory is exhausted.  */
  bool heap_details_add_timeline (struct heap_details *details,
				  const struct heap_timeline *timeline);

  /* Return the number of timelines, and each; the one with the greatest peak
     first.  */
  uint32_t heap_details_timeline_count (const struct heap_details *details);
  const struct heap_timeline *
  heap_details_timeline_at (const struct heap_details *details,
			    uint32_t number);

  /* Add COUNT marks with LABEL, the first one at FIRST_NS.  Return their
     number.  */
  uint32_t heap_details_add_mark (struct heap_details *details,
				  const char *label, uint64_t count,
				  uint64_t first_ns);

  /* Add *MARKED, and its blocks and bytes to those of its mark.  */
  bool heap_details_add_marked (struct heap_details *details,
				const struct heap_marked *marked);

  /* Return the number of labels, each mark, and the number of LABEL, UINT32_MAX
     if there is none.  */
  uint32_t heap_details_mark_count (const struct heap_details *details);
  const struct heap_mark *
  heap_details_mark_at (const struct heap_details *details, uint32_t number);
  uint32_t heap_details_find_mark (const struct heap_details *details,
				   const char *label);

  /* The same for what was live at them, in order of addition.  */
  uint32_t heap_details_marked_count (const struct heap_details *details);
  const struct heap_marked *
  heap_details_marked_at (const struct heap_details *details, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_MOMENTS_H */
