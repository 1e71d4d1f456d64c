/* Traces of runs, and the sample of traces that a profile keeps.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-trace.h"
#include "mip-array.h"
#include <stdlib.h>
#include <string.h>

bool
mip_trace_maker_add (struct mip_trace_maker *maker, uint32_t order,
		     uint32_t function)
{
  if (!growing_array_reserve (&maker->steps, maker->count, &maker->capacity, 1,
			      sizeof *maker->steps))
    return false;
  maker->steps[maker->count++] = (struct mip_trace_step){ order, function };
  return true;
}

void
mip_trace_maker_release (struct mip_trace_maker *maker)
{
  free (maker->steps);
}

static int
compare_steps (const void *a, const void *b)
{
  const struct mip_trace_step *s = a, *t = b;
  if (s->order != t->order)
    return s->order < t->order ? -1 : 1;
  return s->function < t->function ? -1 : s->function > t->function;
}

/* Return a uniformly distributed number determined by SEED and N.  */
static uint64_t
draw (uint64_t seed, uint64_t n)
{
  uint64_t x = seed + n * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

bool
mip_traces_compact (struct mip_profile *profile)
{
  size_t total = 0, used = 0;
  for (size_t i = 0; i < profile->trace_count; i++)
    total += profile->traces[i].count;
  uint32_t *kept = malloc ((total > 0 ? total : 1) * sizeof *kept);
  if (kept == NULL)
    return false;
  for (size_t i = 0; i < profile->trace_count; i++)
    {
      struct mip_trace *trace = &profile->traces[i];
      memcpy (kept + used, profile->trace_data + trace->first,
	      trace->count * sizeof *kept);
      trace->first = (uint32_t) used;
      used += trace->count;
    }
  free (profile->trace_data);
  profile->trace_data = kept;
  profile->trace_data_count = profile->trace_data_capacity = used;
  return true;
}

/* Return the place for one more trace; NULL if it is not kept.  */
static struct mip_trace *
choose_place (struct mip_profile *profile, uint64_t time_ns)
{
  uint64_t seen = profile->traces_seen++;
  if (profile->trace_count < MIP_MAX_TRACES)
    return &profile->traces[profile->trace_count++];
  uint64_t place = draw (time_ns, seen) % (seen + 1);
  return place < MIP_MAX_TRACES ? &profile->traces[place] : NULL;
}

bool
mip_trace_maker_finish (struct mip_trace_maker *maker,
			struct mip_profile *profile, uint64_t time_ns,
			uint64_t weight)
{
  size_t count = maker->count;
  if (count == 0)
    return true;
  qsort (maker->steps, count, sizeof *maker->steps, compare_steps);
  if (count > MIP_MAX_TRACE_FUNCTIONS)
    count = MIP_MAX_TRACE_FUNCTIONS;
  /* Most of the data belongs to traces that were replaced.  */
  if (profile->trace_data_count
	> 4 * MIP_MAX_TRACES * (size_t) MIP_MAX_TRACE_FUNCTIONS
      && !mip_traces_compact (profile))
    return false;
  if (!growing_array_reserve (&profile->traces, profile->trace_count,
			      &profile->trace_capacity, 1,
			      sizeof *profile->traces)
      || !growing_array_reserve (&profile->trace_data,
				 profile->trace_data_count,
				 &profile->trace_data_capacity, count,
				 sizeof *profile->trace_data))
    return false;
  struct mip_trace *trace = choose_place (profile, time_ns);
  if (trace == NULL)
    return true;
  *trace = (struct mip_trace){ (uint32_t) profile->trace_data_count,
			       (uint32_t) count, weight };
  for (size_t i = 0; i < count; i++)
    profile->trace_data[profile->trace_data_count++] = maker->steps[i].function;
  return true;
}
