/* Watchpoints of the processor: how often a thread accesses a word.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The kernel counts them (perf_event_open with a breakpoint event): no signal
   is sent, no page is protected, and system calls that access the word work as
   always.  Accesses by the kernel do not count.  A watchpoint is a file, which
   the program may close without knowing; so its ID is compared first.  */

#ifndef HEAPPROF_WATCHPOINT_H
#define HEAPPROF_WATCHPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that a watchpoint covers, and their alignment.  */
#define RT_WATCHED_BYTES 8u

struct rt_watchpoint
{
  int fd; /* negative: none */
  uint64_t id;
};

/* Count the accesses to the word at ADDRESS by the calling thread, at most
   LIMIT.  Return 0, with *POINT set, or a negative errno.  */
int rt_watchpoint_open (struct rt_watchpoint *point, uintptr_t address,
			uint64_t limit);

/* End POINT, opened in this process by any thread.  Store the accesses counted
   in *HITS, and in *COUNTED_NS for how long its thread ran until they were as
   many as the limit.  False if the program has closed it.  */
bool rt_watchpoint_close (struct rt_watchpoint *point, uint64_t *hits,
			  uint64_t *counted_ns);

/* Return for how long the calling thread ran, in nanoseconds.  */
uint64_t rt_thread_cpu_ns (void);

#endif /* HEAPPROF_WATCHPOINT_H */
