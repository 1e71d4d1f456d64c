/* Counters of which only the sum is read share a few pages.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Compiled code counts all accesses, also those to blocks that are not
   profiled: with the profile switched off, and with samples.  Their counters
   would take an eighth of the memory that the program touches.  So a block of 8
   MiB of shared memory is mapped again and again where such counters are, for
   64 MiB of the program's memory at a time, when the first of them is touched
   (shadow-fault.h).

   Threads may then write to the same counters, which slows them down.  The
   C library gives each thread's blocks 64 MiB of their own, and the first of
   them are used most.  So each time the memory is mapped it is rotated by
   another number of pieces of 1 MiB.  */

#ifndef HEAPPROF_SHADOW_SINK_H
#define HEAPPROF_SHADOW_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on let the counters that start at BASE share pages, except those of
   addresses from START up to END, and others that are kept.  False if that is
   not possible.  Counts so far of the others are lost.  */
bool rt_shadow_sink_start (uintptr_t base, uintptr_t start, uintptr_t end);

/* Keep the counters of SIZE bytes at DATA, if others share pages.  They become
   0.  Return false if no counters are kept, so that the library must not touch
   any: it may run where SIGSEGV is blocked, in pthread_create for example.  */
bool rt_shadow_sink_keep (const void *data, size_t size);

/* The process is about to be forked: its child counts in the same pages.  */
void rt_shadow_sink_fork (void);

/* Return the sum of the counters that share pages: of all accesses that were
   counted, except those to memory whose counters are kept.  0 if no counters
   share pages, or those of other processes do, too.  One thread at a time.  */
uint64_t rt_shadow_sink_sum (void);

#endif /* HEAPPROF_SHADOW_SINK_H */
