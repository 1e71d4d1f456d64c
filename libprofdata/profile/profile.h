/* A profile of all families: the content of a file, and what commands work on.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file can hold a heap profile, counters of functions, and GCC's own counter
   files in any combination, or samples alone.  Readers fill the families that
   they find; writers write those that are present.  */

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

  /* A family is NULL if no input had it.  The profile owns them.  */
  struct profile
  {
    struct heap_profile *heap;
    struct counter_profile *counters;
    struct gcov_profile *gcov;
    struct sample_profile *samples;
  };

  /* Create a profile without families; NULL if memory is exhausted.  Free it
     with profile_free, which accepts NULL.  */
  struct profile *profile_new (void);
  void profile_free (struct profile *profile);

  /* Return the family, created empty if it was missing; NULL if memory is
     exhausted.  */
  struct heap_profile *profile_need_heap (struct profile *profile);
  struct counter_profile *profile_need_counters (struct profile *profile);
  struct gcov_profile *profile_need_gcov (struct profile *profile);
  struct sample_profile *profile_need_samples (struct profile *profile);

  /* Merge SOURCE, which must not be PROFILE, into PROFILE.  Return false and
     set *ERR, without a path, if the two are incompatible or memory is
     exhausted; PROFILE is then incomplete.  */
  bool profile_merge (struct profile *profile, const struct profile *source,
		      struct profile_error *err);

  /* Change PROFILE as if its runs had happened WEIGHT times, at least 1: counts
     and sums are multiplied and saturate; minima, maxima, times and ORed values
     stay.  Return false if memory is exhausted.  */
  bool profile_scale (struct profile *profile, uint64_t weight);

  /* Return all counters of PROFILE, including GCC's, as a new profile, which
     the caller frees.  NULL and *ERR, without a path, if they are incompatible
     or memory is exhausted.  */
  struct counter_profile *profile_all_counters (const struct profile *profile,
						struct profile_error *err);

  /* Name GCC's unnamed functions after functions of the other families.  Return
     false if memory is exhausted.  */
  bool profile_name_functions (struct profile *profile);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PROFILE_H */
