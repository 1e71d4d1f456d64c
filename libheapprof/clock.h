/* Time: nanoseconds that only grow, read twice for each block.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where the kernel itself keeps time by the processor's time-stamp counter,
   that is read directly, a third of the price of clock_gettime.  Its frequency
   is measured against the kernel's clock over the first 20 ms.  */

#ifndef HEAPPROF_CLOCK_H
#define HEAPPROF_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Counter value TICKS is NS; each tick is SCALE / 2^32 nanoseconds.  */
struct rt_clock_scale
{
  uint64_t ticks;
  uint64_t ns;
  uint64_t scale;
};

/* NULL until it is measured.  */
extern const struct rt_clock_scale *rt_clock_scale
  __attribute__ ((visibility ("hidden")));

/* Find out what can be used.  Once, at start.  */
void rt_clock_start (void);

uint64_t rt_clock_ns_slowly (void);

/* Now, after any moment before the program's start.  Anywhere.  */
static inline uint64_t
rt_clock_ns (void)
{
#ifdef __x86_64__
  const struct rt_clock_scale *const scale
    = __atomic_load_n (&rt_clock_scale, __ATOMIC_ACQUIRE);
  if (__builtin_expect (scale != NULL, 1))
    {
      const uint64_t ticks = __builtin_ia32_rdtsc ();
      const uint64_t passed = ticks > scale->ticks ? ticks - scale->ticks : 0;
      return scale->ns
	     + (uint64_t) ((unsigned __int128) passed * scale->scale >> 32);
    }
#endif
  return rt_clock_ns_slowly ();
}

#endif /* HEAPPROF_CLOCK_H */
