/* What the kernel tells without a system call: time, and the processor.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "sys.h"
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <time.h>

static bool has_ticks;

static uint64_t
clock_ns (clockid_t clock)
{
  struct timespec now = { 0, 0 };
  clock_gettime (clock, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

uint64_t
sys_steady_ns (void)
{
  return clock_ns (CLOCK_MONOTONIC);
}

uint64_t
sys_calendar_ns (void)
{
  return clock_ns (CLOCK_REALTIME);
}

/* Without the kernel's page of functions, what reads a few words becomes a
   system call.  */

void
sys_find_ticks (void)
{
  struct timespec now;
  const int saved = errno;
  has_ticks = getauxval (AT_SYSINFO_EHDR) != 0
	      && clock_gettime (CLOCK_MONOTONIC_COARSE, &now) == 0;
  errno = saved;
}

uint64_t
sys_tick (void)
{
  struct timespec now;
  if (!has_ticks)
    return SYS_NO_TICK;
  clock_gettime (CLOCK_MONOTONIC_COARSE, &now);
  return (uint64_t) now.tv_sec << 30 | (uint64_t) now.tv_nsec;
}

/* Where glibc 2.35 and later registered this thread's restartable sequences;
   the kernel keeps the CPU number there.  */
extern const ptrdiff_t __rseq_offset __attribute__ ((weak));
extern const unsigned int __rseq_size __attribute__ ((weak));

uint32_t
sys_cpu (void)
{
  if (&__rseq_offset != NULL && __rseq_size != 0)
    {
      const char *const area
	= (const char *) __builtin_thread_pointer () + __rseq_offset;
      /* struct rseq: cpu_id_start, cpu_id.  Negative: not registered.  */
      const int32_t cpu = ((const volatile int32_t *) area)[1];
      if (cpu >= 0)
	return (uint32_t) cpu;
    }
  const int saved = errno;
  const int cpu = sched_getcpu ();
  errno = saved;
  return cpu < 0 ? 0 : (uint32_t) cpu;
}
