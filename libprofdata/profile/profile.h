/* A profile of all families: what a file holds, and what commands work on.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file may hold a heap profile, counters of functions, and gcc's own counter
   files, in any mix; or samples, alone.  Readers fill the families that they
   find; writers take those that are there.  */

#ifndef HEAPPROF_PROFILE_H
#define HEAPPROF_PROFILE_H

#include "counter-profile.h"
#include "gcov-profile.h"
#include "heap-profile.h"
#include "profile-error.h"
#include "sample-profile.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* A family is NULL if no input had it; the profile owns them all.  */
  struct profile
  {
    struct heap_profile *heap;
    struct counter_profile *counters;
    struct gcov_profile *gcov;
    struct sample_profile *samples;
  };

  /* Make a profile without families.  NULL if memory cannot be had.  Release it
     with profile_free, which takes NULL too.  */
  struct profile *profile_new (void);
  void profile_free (struct profile *profile);

  /* The family, made empty if it was not there; NULL if memory cannot be
     had.  */
  struct heap_profile *profile_need_heap (struct profile *profile);
  struct counter_profile *profile_need_counters (struct profile *profile);
  struct gcov_profile *profile_need_gcov (struct profile *profile);
  struct sample_profile *profile_need_samples (struct profile *profile);

  /* Fold SOURCE, which is not PROFILE, into PROFILE.  False and *ERR, without a
     path, if the two do not go together or memory cannot be had; PROFILE is
     then half changed.  */
  bool profile_merge (struct profile *profile, const struct profile *source,
		      struct profile_error *err);

  /* Make PROFILE what WEIGHT, at least 1, times its runs would give: counts and
     sums are multiplied and saturate; the least and the greatest, times, and
     what is ORed stay.  False if memory cannot be had.  */
  bool profile_scale (struct profile *profile, uint64_t weight);

  /* All counters of PROFILE, those of gcc included, as a new profile; the
     caller frees it.  NULL and *ERR, without a path, if the two do not go
     together or memory cannot be had.  */
  struct counter_profile *profile_all_counters (const struct profile *profile,
						struct profile_error *err);

  /* Give gcc's functions without name those that the other families have. False
     if memory cannot be had.  */
  bool profile_name_functions (struct profile *profile);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PROFILE_H */
