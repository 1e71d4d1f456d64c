/* The summary of an indexed profile: how hot its counters are.
   SPDX-License-Identifier: GPL-3.0-or-later

   u64 number of fields (6), u64 number of cutoffs, the fields, and for each
   cutoff: u64 cutoff in millionths of the sum of all counters, u64 smallest of
   the greatest counters that together reach it, u64 number of these
   counters.  */

#ifndef HEAPPROF_COUNTER_SUMMARY_H
#define HEAPPROF_COUNTER_SUMMARY_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "counter-profile.h"
#include "summary-cutoffs.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counter_summary
{
  /* In file order.  */
  uint64_t function_count;
  uint64_t counter_count;
  uint64_t greatest_first; /* of the first counters of functions */
  uint64_t greatest;
  uint64_t greatest_inner; /* of all others */
  uint64_t total;	   /* sum of all counters */
  struct summary_cutoff cutoffs[SUMMARY_CUTOFFS];
};

/* Summarize the records of PROFILE whose hash has
   COUNTER_HASH_CONTEXT_SENSITIVE if CONTEXT_SENSITIVE, or does not have it
   otherwise; if SPARSE, only those with counts.  Return false if memory is
   exhausted.  */
bool counter_summary_make (struct counter_summary *summary,
			   const struct counter_profile *profile,
			   bool context_sensitive, bool sparse);

void counter_summary_write (struct byte_writer *writer,
			    const struct counter_summary *summary);

/* Skip the summary at READER's position; it follows from the counters.  Return
   false if READER failed.  */
bool counter_summary_skip (struct byte_reader *reader);

#endif /* HEAPPROF_COUNTER_SUMMARY_H */
