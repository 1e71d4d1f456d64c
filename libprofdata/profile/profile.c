/* A profile of all families.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile.h"
#include "gcov-counters.h"
#include "profile-check.h"
#include "profile-valid.h"
#include <stdlib.h>

struct profile *
profile_new (void)
{
  return calloc (1, sizeof (struct profile));
}

void
profile_free (struct profile *profile)
{
  if (!profile)
    return;
  heap_profile_free (profile->heap);
  counter_profile_free (profile->counters);
  gcov_profile_free (profile->gcov);
  sample_profile_free (profile->samples);
  free (profile);
}

struct heap_profile *
profile_need_heap (struct profile *profile)
{
  if (!profile->heap)
    profile->heap = heap_profile_new ();
  return profile->heap;
}

struct counter_profile *
profile_need_counters (struct profile *profile)
{
  if (!profile->counters)
    profile->counters = counter_profile_new ();
  return profile->counters;
}

struct gcov_profile *
profile_need_gcov (struct profile *profile)
{
  if (!profile->gcov)
    profile->gcov = gcov_profile_new ();
  return profile->gcov;
}

struct sample_profile *
profile_need_samples (struct profile *profile)
{
  if (!profile->samples)
    profile->samples = sample_profile_new ();
  return profile->samples;
}

static bool
merge_families (struct profile *profile, const struct profile *source,
		struct profile_error *err)
{
  if (source->heap
      && (!profile_need_heap (profile)
	  || !heap_profile_merge (profile->heap, source->heap)))
    return profile_error_set_memory (err, NULL);
  if (source->gcov
      && (!profile_need_gcov (profile)
	  || !gcov_profile_merge (profile->gcov, source->gcov)))
    return profile_error_set_memory (err, NULL);
  if (source->samples && !profile_need_samples (profile))
    return profile_error_set_memory (err, NULL);
  if (source->samples
      && !sample_profile_merge (profile->samples, source->samples, err))
    return false;
  if (!source->counters)
    return true;
  if (!profile_need_counters (profile))
    return profile_error_set_memory (err, NULL);
  return counter_profile_merge (profile->counters, source->counters, 1, err);
}

bool
profile_merge (struct profile *profile, const struct profile *source,
	       struct profile_error *err)
{
  PROFILE_CHECK (profile_is_valid (source));
  bool done = merge_families (profile, source, err);
  PROFILE_CHECK (!done || profile_is_valid (profile));
  return done;
}

bool
profile_scale (struct profile *profile, uint64_t weight)
{
  if (weight == 1)
    return true;
  if (profile->heap)
    heap_profile_scale (profile->heap, weight);
  if (profile->samples)
    sample_profile_scale (profile->samples, weight);
  if (profile->gcov && !gcov_profile_scale (profile->gcov, weight))
    return false;
  if (!profile->counters)
    return true;
  struct profile_error ignored;
  struct counter_profile *scaled = counter_profile_new ();
  if (!scaled
      || !counter_profile_merge (scaled, profile->counters, weight, &ignored))
    {
      counter_profile_free (scaled);
      return false;
    }
  counter_profile_free (profile->counters);
  profile->counters = scaled;
  return true;
}

struct counter_profile *
profile_all_counters (const struct profile *profile, struct profile_error *err)
{
  struct counter_profile *counters = counter_profile_new ();
  bool done = counters || profile_error_set_memory (err, NULL);
  if (done && profile->counters)
    done = counter_profile_merge (counters, profile->counters, 1, err);
  if (done && profile->gcov)
    done = gcov_counters_add (profile->gcov, counters, err);
  if (done)
    return counters;
  counter_profile_free (counters);
  return NULL;
}
