/* Time: nanoseconds that only grow, read twice for each block.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where the kernel itself keeps time by the processor's time-stamp counter,
   that is read directly, a third of the price of clock_gettime.  Its frequency
   is measured against the kernel's clock over the first 50 ms.  */

#ifndef HEAPPROF_CLOCK_H
#define HEAPPROF_CLOCK_H

#include <stdint.h>

/* Find out what can be used.  Once, at start.  */
void rt_clock_start (void);

/* Now, after any moment before the program's start.  Anywhere.  */
uint64_t rt_clock_ns (void);

#endif /* HEAPPROF_CLOCK_H */
