/* Validation of profiles in memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_VALID_H
#define HEAPPROF_PROFILE_VALID_H

#include "profile.h"
#include <stdbool.h>

/* Return true if all indices in PROFILE are valid and all sorted parts are in
   order.  Takes time proportional to the profile; meant for PROFILE_CHECK and
   tests.  */
bool profile_is_valid (const struct profile *profile);

/* The same for each family; NULL is valid.  */
bool heap_profile_is_valid (const struct heap_profile *profile);
bool counter_profile_is_valid (const struct counter_profile *profile);
bool gcov_profile_is_valid (const struct gcov_profile *profile);
bool sample_profile_is_valid (const struct sample_profile *profile);

#endif /* HEAPPROF_PROFILE_VALID_H */
