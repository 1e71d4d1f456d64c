/* Heap size over time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A process may be killed between any two stores.  The state is one word: it
   makes a new sample, or a new array, visible.  The current interval's numbers
   may then be off by one update.  */

#include "timeline.h"
#include "bytes.h"

/* The first intervals have this length: 2^16 ns.  */
#define FIRST_SHIFT 16

uint64_t rt_timeline_end_ns;

typedef unsigned __int128 area_type;

static area_type
get_area (const struct heapprof_raw_timeline *timeline)
{
  return (area_type) timeline->area[1] << 64 | timeline->area[0];
}

static void
set_area (struct heapprof_raw_timeline *timeline, area_type area)
{
  timeline->area[0] = (uint64_t) area;
  timeline->area[1] = (uint64_t) (area >> 64);
}

static void
set_state (struct heapprof_raw_timeline *timeline, unsigned shift,
	   unsigned array, uint64_t count)
{
  __atomic_store_n (&timeline->state,
		    HEAPPROF_RAW_TIMELINE_STATE (shift, array, count),
		    __ATOMIC_RELEASE);
}

static struct heapprof_raw_sample
pair (const struct heapprof_raw_sample *a, const struct heapprof_raw_sample *b)
{
  return (struct heapprof_raw_sample){ .max = a->max > b->max ? a->max : b->max,
				       .end = b->end,
				       .mean = (a->mean & b->mean)
					       + ((a->mean ^ b->mean) >> 1) };
}

/* Merge each two samples.  A last one without a partner becomes part of the
   current interval.  */

static void
halve (struct heapprof_raw_timeline *timeline)
{
  const uint64_t state = timeline->state;
  const unsigned shift = HEAPPROF_RAW_TIMELINE_SHIFT (state);
  const unsigned array = HEAPPROF_RAW_TIMELINE_ARRAY (state);
  const uint64_t count = HEAPPROF_RAW_TIMELINE_COUNT (state);
  const struct heapprof_raw_sample *const from = timeline->samples[array];
  struct heapprof_raw_sample *const to = timeline->samples[array ^ 1];
  for (uint64_t i = 0; i + 1 < count; i += 2)
    to[i / 2] = pair (&from[i], &from[i + 1]);
  set_state (timeline, shift + 1, array ^ 1, count / 2);
  if (count % 2 == 0)
    return;
  const struct heapprof_raw_sample *const last = &from[count - 1];
  set_area (timeline, get_area (timeline) + ((area_type) last->mean << shift));
  if (timeline->max < last->max)
    timeline->max = last->max;
}

/* Complete the current interval, number COUNT.  */

static void
complete (struct heapprof_raw_timeline *timeline, uint64_t count)
{
  const unsigned shift = HEAPPROF_RAW_TIMELINE_SHIFT (timeline->state);
  const unsigned array = HEAPPROF_RAW_TIMELINE_ARRAY (timeline->state);
  const uint64_t end_ns = (count + 1) << shift;
  const area_type area
    = get_area (timeline)
      + (area_type) timeline->live * (end_ns - timeline->time_ns);
  timeline->samples[array][count]
    = (struct heapprof_raw_sample){ .max = timeline->max,
				    .end = timeline->live,
				    .mean = (uint64_t) (area >> shift) };
  set_state (timeline, shift, array, count + 1);
  timeline->time_ns = end_ns;
  timeline->max = timeline->live;
  set_area (timeline, 0);
}

__attribute__ ((noinline)) void
rt_timeline_add_slowly (struct heapprof_raw_timeline *timeline, uint64_t ns,
			uint64_t live)
{
  if (timeline->state == 0)
    set_state (timeline, FIRST_SHIFT, 0, 0);
  if (ns < timeline->time_ns)
    ns = timeline->time_ns;
  while (ns >> HEAPPROF_RAW_TIMELINE_SHIFT (timeline->state)
	   >= HEAPPROF_RAW_SAMPLES
	 && HEAPPROF_RAW_TIMELINE_SHIFT (timeline->state)
	      < HEAPPROF_RAW_TIMELINE_SHIFT_MAX)
    halve (timeline);
  const unsigned shift = HEAPPROF_RAW_TIMELINE_SHIFT (timeline->state);
  const uint64_t current = ns >> shift;
  uint64_t count = HEAPPROF_RAW_TIMELINE_COUNT (timeline->state);
  while (count < current && count < HEAPPROF_RAW_SAMPLES)
    complete (timeline, count++);
  rt_timeline_end_ns = (current + 1) << shift;
  rt_timeline_add (timeline, ns, live);
}

struct heapprof_raw_sample
rt_timeline_current (const struct heapprof_raw_timeline *timeline)
{
  const uint64_t start = HEAPPROF_RAW_TIMELINE_COUNT (timeline->state)
			 << HEAPPROF_RAW_TIMELINE_SHIFT (timeline->state);
  const uint64_t ns = timeline->time_ns > start ? timeline->time_ns - start : 0;
  /* Divide in 64 bits, which is precise enough.  */
  area_type area = get_area (timeline);
  uint64_t length = ns;
  while (area >> 64 != 0)
    {
      area >>= 1;
      length >>= 1;
    }
  return (struct heapprof_raw_sample){ .max = timeline->max,
				       .end = timeline->live,
				       .mean = length == 0
						 ? timeline->live
						 : (uint64_t) area / length };
}

void
rt_timeline_forget (struct heapprof_raw_timeline *timeline, uint64_t ns)
{
  own_memset (timeline, 0, sizeof *timeline);
  rt_timeline_add_slowly (timeline, ns, 0);
}
