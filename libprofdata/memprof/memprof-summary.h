/* LLVM's summary of the contexts in a heap profile: cold contexts and others.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MEMPROF_SUMMARY_H
#define HEAPPROF_MEMPROF_SUMMARY_H

#include "llvm-records.h"
#include <stdbool.h>
#include <stdint.h>

/* Fields in the order of MemProf version 4: contexts, cold contexts, hot
   contexts, and the most bytes of a cold, a warm, and a hot context.  Only LLVM
   19 marks contexts as hot by default, so there are none here.  */
#define MEMPROF_SUMMARY_FIELDS 6

struct memprof_summary
{
  uint64_t contexts;
  uint64_t cold_contexts;
  uint64_t greatest_cold_bytes; /* TotalSize of one context */
  uint64_t greatest_warm_bytes;
};

/* Fill *SUMMARY from RECORDS, counting each stack once.  Return false if memory
   is exhausted.  */
bool memprof_summary_make (struct memprof_summary *summary,
			   const struct llvm_records *records);

#endif /* HEAPPROF_MEMPROF_SUMMARY_H */
