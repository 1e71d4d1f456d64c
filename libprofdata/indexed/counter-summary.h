/* The summary of an indexed profile: how hot its counters are.
   SPDX-License-Identifier: GPL-3.0-or-later

     u64 number of fields (6), u64 number of cutoffs, the fields, and for each
     cutoff: u64 cutoff in millionths of the sum of all counters, u64 the least
     of the greatest counters that make up so much, u64 how many these are  */

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
  /* In the order of the file.  */
  uint64_t function_count;
  uint64_t counter_count;
  uint64_t greatest_first; /* of the counters 0 */
  uint64_t greatest;
  uint64_t greatest_inner; /* of all others */
  uint64_t total;	   /* sum of all counters */
  struct summary_cutoff cutoffs[SUMMARY_CUTOFFS];
};

/* Sum up the records of PROFILE whose hash has, if CONTEXT_SENSITIVE, or has
   not COUNTER_HASH_CONTEXT_SENSITIVE; if SPARSE, only those that counted.
   False if memory cannot be had.  */
bool counter_summary_make (struct counter_summary *summary,
			   const struct counter_profile *profile,
			   bool context_sensitive, bool sparse);

void counter_summary_write (struct byte_writer *writer,
			    const struct counter_summary *summary);

/* Go behind the summary that READER stands at; what it says follows from the
   counters.  False if READER failed.  */
bool counter_summary_skip (struct byte_reader *reader);

#endif /* HEAPPROF_COUNTER_SUMMARY_H */
