/* The processor's counter of time, on s390x.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_COUNTER_H
#define HEAPPROF_COUNTER_H

#include <stdint.h>

/* Clock sources of the kernel that read this counter.  With any other, the
   kernel may not let programs read it.  */
#define MACHINE_COUNTER_SOURCES "tod\n"

static inline uint64_t
machine_counter (void)
{
  uint64_t counter;
  __asm__ volatile("stckf	%0" : "=Q"(counter) : : "cc");
  return counter;
}

/* Two readings that are further apart than this were interrupted: two
   microseconds, of 4096 steps each.  */

static inline uint64_t
machine_counter_interruption (void)
{
  return 8192;
}

#include "steady-counter.h"

#endif /* HEAPPROF_COUNTER_H */
