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

/* Do that if there is enough to be won.  No lock is held.  */
void rt_reclaim_if_due (void);

/* Do that now.  Return how many bytes were given back.  */
size_t rt_reclaim (void);

#endif /* HEAPPROF_RECLAIM_H */
