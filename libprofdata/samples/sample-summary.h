/* The summary of a sample profile: how hot its locations are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_SUMMARY_H
#define HEAPPROF_SAMPLE_SUMMARY_H

#include "sample-profile.h"
#include "summary-cutoffs.h"
#include <stdbool.h>
#include <stdint.h>

struct sample_summary
{
  uint64_t total; /* of the counts of all body samples */
  uint64_t greatest;
  uint64_t greatest_head;
  uint64_t count_count;
  uint64_t function_count; /* top-level ones */
  struct summary_cutoff cutoffs[SUMMARY_CUTOFFS];
};

/* Sum PROFILE up; a function in several contexts is one.  False and *ERR,
   without a path, if memory cannot be had.  */
bool sample_summary_make (struct sample_summary *summary,
			  const struct sample_profile *profile,
			  struct profile_error *err);

#endif /* HEAPPROF_SAMPLE_SUMMARY_H */
