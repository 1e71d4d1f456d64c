/* The processor's counter of time, on RISC-V.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_COUNTER_H
#define HEAPPROF_COUNTER_H

#include <stdint.h>

/* Clock sources of the kernel that read this counter.  With any other, the
   kernel may not let programs read it.  */
#define MACHINE_COUNTER_SOURCES "riscv_clocksource\n"

static inline uint64_t
machine_counter (void)
{
  uint64_t counter;
  __asm__ volatile("rdtime	%0" : "=r"(counter));
  return counter;
}

/* Two readings that are further apart than this were interrupted.  Processors
   count at 1 to 50 MHz; those below 10 MHz are left to the kernel's clock.  */

static inline uint64_t
machine_counter_interruption (void)
{
  return 50;
}

#include "steady-counter.h"

#endif /* HEAPPROF_COUNTER_H */
