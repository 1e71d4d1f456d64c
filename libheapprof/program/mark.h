/* Marks: moments that the program or its user named.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A mark records the live blocks of each context.  Another process requests one
   by writing a label to the header of the mapped file; the next thread that
   records a change of the heap's size finds it.  */

#ifndef HEAPPROF_MARK_H
#define HEAPPROF_MARK_H

#include "raw-file.h"
#include "thread.h"

/* Set a mark named LABEL, cut to HEAPPROF_RAW_LABEL_BYTES - 1 bytes.  Return 0,
   or -1 if there is no space for it or the profile is not being recorded.  */
int rt_mark (const char *label);

/* Set the mark that was requested, if any.  */
void rt_mark_requested (void);

/* If one was requested, set it when the current call ends.  */
static inline void
rt_mark_look (void)
{
  if (__builtin_expect (__atomic_load_n (&rt_raw_header->mark_request,
					 __ATOMIC_RELAXED)
			  >= HEAPPROF_RAW_REQUESTED,
			0))
    __atomic_fetch_or (&rt_local.wanted, RT_WANT_REQUESTED, __ATOMIC_RELAXED);
}

/* Set a mark whenever signal NUMBER arrives.  */
void rt_mark_on_signal (int number);

/* Set the mark that a signal asked for.  */
void rt_mark_by_signal (void);

/* Reset locks in the child of a fork.  */
void rt_mark_reset_locks (void);

#endif /* HEAPPROF_MARK_H */
