/* The processor's counter of time, on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_COUNTER_H
#define HEAPPROF_COUNTER_H

#include <cpuid.h>
#include <stdbool.h>
#include <stdint.h>

/* Clock sources of the kernel that read this counter.  */
#define MACHINE_COUNTER_SOURCES                                                \
  "tsc\n", "kvm-clock\n", "hyperv_clocksource_tsc_page\n"

static inline uint64_t
machine_counter (void)
{
  return __builtin_ia32_rdtsc ();
}

/* Two readings that are further apart than this were interrupted.  */

static inline uint64_t
machine_counter_interruption (void)
{
  return 1000;
}

/* True if the counter can be read, and runs at a constant rate even while the
   processor sleeps.  */

static inline bool
machine_counter_is_steady (void)
{
  unsigned a, b, c, d;
  return __get_cpuid (0x80000007, &a, &b, &c, &d) && (d >> 8 & 1) != 0;
}

#endif /* HEAPPROF_COUNTER_H */
