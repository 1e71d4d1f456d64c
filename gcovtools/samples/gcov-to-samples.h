/* Conversion of gcc's counters in a profile to samples.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_TO_SAMPLES_H
#define HEAPPROF_GCOV_TO_SAMPLES_H

#include "gcov-samples.h"
#include "profile-inputs.h"
#include "profile.h"
#include <stdbool.h>

/* Convert gcc's counters in PROFILE, read from INPUTS, to samples for READER;
   no counters remain.  The notes, needed for lines, are searched where INPUTS
   specify.  On failure print errors and return false.  Print notes about
   counters that cannot be converted.  */
bool gcov_to_samples (struct profile *profile,
		      const struct profile_inputs *inputs,
		      enum gcov_samples_reader reader);

#endif /* HEAPPROF_GCOV_TO_SAMPLES_H */
