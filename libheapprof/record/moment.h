/* What was live in each MIB at the greatest heap size.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Recording a peak is only a new number in the header.  Each MIB keeps what was
   live in it then when it is next changed; until then its own numbers still
   say it.  So a peak costs the same however many MIBs there are, and is
   complete at every moment, even if the process is killed.  */

#ifndef HEAPPROF_MOMENT_H
#define HEAPPROF_MOMENT_H

#include "heapprof/raw-format.h"
#include "raw-file.h"

static inline struct heapprof_raw_moment *
rt_moment_at (uint32_t index)
{
  return (struct heapprof_raw_moment *) rt_tables[RT_MOMENTS].records + index;
}

/* The number of the last peak, as in the header.  */
extern uint64_t rt_peak_number __attribute__ ((visibility ("hidden")));

/* Called before a thread changes a MIB for the first time after a peak, or in
   an epoch; so a thread's first change after either is always preceded by a
   call.  Returns the bytes that the process has allocated before.  */
extern uint64_t (*rt_moment_hook) (void)
  __attribute__ ((visibility ("hidden")));

void rt_moment_keep_slowly (uint32_t index);

/* MIB number INDEX is about to change: keep what was live in it at the last
   peak.  */
static inline __attribute__ ((always_inline)) void
rt_moment_keep (uint32_t index)
{
  if (__builtin_expect (rt_moment_at (index)->number
			  != (uint32_t) __atomic_load_n (&rt_peak_number,
							 __ATOMIC_RELAXED),
			0))
    rt_moment_keep_slowly (index);
}

/* MIB number INDEX was cleared, and its first block follows: nothing was live
   in it.  */
void rt_moment_clear (uint32_t index);

void rt_peak_raise_slowly (uint64_t live, uint64_t ns);

/* Record that the heap is at its greatest size now, LIVE bytes at NS
   nanoseconds after the start of profiling, unless it was greater before.  */
static inline void
rt_peak_raise (uint64_t live, uint64_t ns)
{
  if (live > __atomic_load_n (&rt_raw_header->peak_bytes, __ATOMIC_RELAXED))
    rt_peak_raise_slowly (live, ns);
}

/* The greatest size so far does not count any more.  */
void rt_peak_forget (void);

/* In the child of a fork, whose file is new: there was no peak yet.  */
void rt_peak_begin (void);

#endif /* HEAPPROF_MOMENT_H */
