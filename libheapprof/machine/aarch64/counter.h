/* The processor's counter of time, on AArch64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_COUNTER_H
#define HEAPPROF_COUNTER_H

#include <stdint.h>

/* Clock sources of the kernel that read this counter.  With any other, the
   kernel may not let programs read it.  */
#define MACHINE_COUNTER_SOURCES "arch_sys_counter\n"

static inline uint64_t
machine_counter (void)
{
  uint64_t counter;
  __asm__ volatile("mrs	%0, cntvct_el0" : "=r"(counter));
  return counter;
}

/* Two readings that are further apart than this were interrupted: about two
   microseconds.  Processors count at 20 MHz to 1 GHz.  */

static inline uint64_t
machine_counter_interruption (void)
{
  uint64_t frequency;
  __asm__("mrs	%0, cntfrq_el0" : "=r"(frequency));
  return frequency / 500000 + 2;
}

#include "steady-counter.h"

#endif /* HEAPPROF_COUNTER_H */
