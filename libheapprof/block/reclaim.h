/* Giving back the memory of spans without blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A free slot stays one of its class.  So a program that first needs many
   blocks of one size, then of another, would take the memory of all sizes.
   Before a span is created, if much of the memory is in central lists, their
   slots are sorted by spans.  If all slots of a span are there, its memory goes
   back to the kernel, and it is the same as a new one.  */

#ifndef HEAPPROF_RECLAIM_H
#define HEAPPROF_RECLAIM_H

#include "lock.h"
#include <stdbool.h>
#include <stddef.h>

/* Held while slots are sorted.  */
extern struct rt_lock rt_reclaim_lock __attribute__ ((visibility ("hidden")));

/* Give such memory back if enough of it is free.  If another thread is at work
   on that, wait for it.  Call with none of the arena's locks.  */
void rt_reclaim_if_due (void);

/* Give such memory back now, and return how many bytes it was.  Call with none
   of the arena's locks.  */
size_t rt_reclaim (void);

#endif /* HEAPPROF_RECLAIM_H */
