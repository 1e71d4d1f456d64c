/* A profile's own counters of gcc as samples.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_TO_SAMPLES_H
#define HEAPPROF_GCOV_TO_SAMPLES_H

#include "gcov-samples.h"
#include "profile-inputs.h"
#include "profile.h"
#include <stdbool.h>

/* Turn gcc's counters in PROFILE, read from INPUTS, into samples for READER; no
   counters are left then.  The notes, without which there are no lines, are
   looked for where those of INPUTS are.  False, after the errors were printed,
   if that fails.  What could not be turned is told.  */
bool gcov_to_samples (struct profile *profile,
		      const struct profile_inputs *inputs,
		      enum gcov_samples_reader reader);

#endif /* HEAPPROF_GCOV_TO_SAMPLES_H */
