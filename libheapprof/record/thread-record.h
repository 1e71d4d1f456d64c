/* What each thread allocated, and how much of it is live.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A thread counts in a record of its own.  When there are THREADS_MAX and some
   of their threads have ended, the smallest one of these is added to record 0,
   and serves the next thread.  So the records are the running threads and the
   largest ones of those that have ended.

   Records of an epoch before are unused.  Rt_raw_lock guards everything here
   except the numbers in records.  */

#ifndef HEAPPROF_THREAD_RECORD_H
#define HEAPPROF_THREAD_RECORD_H

#include "moment.h"
#include "raw-file.h"

/* A file has more records only while more threads run.  */
#define RT_THREADS_MAX 256u

/* Return the blocks in RECORD that are live, or their bytes; modulo 2^64.  */
static inline uint64_t
rt_thread_live_count (const struct heapprof_raw_thread *record)
{
  return record->alloc_count - record->free_count
	 - __atomic_load_n (&record->other_count, __ATOMIC_RELAXED);
}

static inline uint64_t
rt_thread_live_bytes (const struct heapprof_raw_thread *record)
{
  return record->alloc_bytes - record->free_bytes
	 - __atomic_load_n (&record->other_bytes, __ATOMIC_RELAXED);
}

void rt_thread_keep_moment_slowly (struct heapprof_raw_thread *record);

/* RECORD is about to change: keep what was live in it at the last peak.  */
static inline void
rt_thread_keep_moment (struct heapprof_raw_thread *record)
{
  if (record->moment_number
      != __atomic_load_n (&rt_peak_number, __ATOMIC_RELAXED))
    rt_thread_keep_moment_slowly (record);
}

/* Called before the record numbered NUMBER, of a thread that has ended, gets
   another thread.  */
typedef void rt_thread_forgetter (uint32_t number);

/* Return the number of an empty record for a thread that uses the MIBs of OWNER
   and started at START_NS; 0 if there is no space.  */
uint32_t rt_thread_record_take (uint32_t owner, uint64_t start_ns,
				rt_thread_forgetter *forget);

/* The thread of RECORD ended at END_NS, or goes on after all.  */
void rt_thread_record_end (struct heapprof_raw_thread *record, uint64_t end_ns);
void rt_thread_record_go_on (struct heapprof_raw_thread *record);

/* Return record 0, of the current epoch.  */
struct heapprof_raw_thread *rt_thread_record_of_rest (void);

#endif /* HEAPPROF_THREAD_RECORD_H */
