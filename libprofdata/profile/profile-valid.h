/* Is a profile in memory sound?
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_VALID_H
#define HEAPPROF_PROFILE_VALID_H

#include "profile.h"
#include <stdbool.h>

/* Is each number in PROFILE one of something that is there, and is what has an
   order in it?  Takes time proportional to the profile; for PROFILE_CHECK and
   tests.  */
bool profile_is_valid (const struct profile *profile);

/* The same of each family; NULL is sound.  */
bool heap_profile_is_valid (const struct heap_profile *profile);
bool counter_profile_is_valid (const struct counter_profile *profile);
bool gcov_profile_is_valid (const struct gcov_profile *profile);
bool sample_profile_is_valid (const struct sample_profile *profile);

#endif /* HEAPPROF_PROFILE_VALID_H */
