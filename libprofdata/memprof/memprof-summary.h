/* LLVM's summary of the contexts in a heap profile: cold ones and others.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MEMPROF_SUMMARY_H
#define HEAPPROF_MEMPROF_SUMMARY_H

#include "llvm-records.h"
#include <stdbool.h>
#include <stdint.h>

/* Fields in the order of MemProf version 4: contexts, cold ones, hot ones, and
   the most bytes of a cold, of a warm, of a hot one.  Only LLVM 19 calls a
   context hot unless told to, so there are none here.  */
#define MEMPROF_SUMMARY_FIELDS 6

struct memprof_summary
{
  uint64_t contexts;
  uint64_t cold_contexts;
  uint64_t greatest_cold_bytes; /* TotalSize of one context */
  uint64_t greatest_warm_bytes;
};

/* Fill *SUMMARY from RECORDS, each stack once.  False if memory cannot be
   had.  */
bool memprof_summary_make (struct memprof_summary *summary,
			   const struct llvm_records *records);

#endif /* HEAPPROF_MEMPROF_SUMMARY_H */
