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
  uint64_t function_count; /* top-level functions */
  struct summary_cutoff cutoffs[SUMMARY_CUTOFFS];
};

/* Summarize PROFILE; a function in several contexts counts once.  Return false
   and set *ERR, without a path, if memory is exhausted.  */
bool sample_summary_make (struct sample_summary *summary,
			  const struct sample_profile *profile,
			  struct profile_error *err);

#endif /* HEAPPROF_SAMPLE_SUMMARY_H */
