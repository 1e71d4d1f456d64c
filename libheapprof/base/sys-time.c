/* Time and CPU number, read without a system call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "sys.h"
#include "system-call.h"
#include "vdso.h"
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>

static bool has_ticks;

/* The kernel's clock_gettime: returns 0, or a negated error number.  */
typedef int clock_reader (clockid_t clock, struct timespec *now);

static int
read_clock_by_call (clockid_t clock, struct timespec *now)
{
  return (int) system_call_4 (SYS_clock_gettime, clock, (long) now, 0, 0);
}

static clock_reader find_clock;
static clock_reader *read_clock = find_clock;

static int
find_clock (clockid_t clock, struct timespec *now)
{
  clock_reader *found = (clock_reader *) vdso_find ("__vdso_clock_gettime");
  if (found == NULL)
    found = read_clock_by_call;
  __atomic_store_n (&read_clock, found, __ATOMIC_RELAXED);
  return found (clock, now);
}

static uint64_t
clock_ns (clockid_t clock)
{
  struct timespec now = { 0, 0 };
  read_clock (clock, &now);
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

const volatile uint64_t *sys_tick_words;

/* The data of the vDSO is in at most this many pages below it.  */
#define DATA_PAGES 8
#define DATA_STEPS (DATA_PAGES * (SYS_PAGE_BYTES / SYS_LEAST_PAGE_BYTES))

/* Return the place of the coarse clock's seconds, followed by its nanoseconds,
   in the page DATA; NULL if they are not there.  */

static const volatile uint64_t *
words_in_page (const volatile uint64_t *data, const struct timespec *now)
{
  for (size_t i = 0; i + 1 < SYS_LEAST_PAGE_BYTES / sizeof *data; i++)
    if (data[i] == (uint64_t) now->tv_sec
	&& data[i + 1] == (uint64_t) now->tv_nsec)
      return &data[i];
  return NULL;
}

/* The kernel updates the coarse clock in a page that each process can read, and
   the vDSO copies it from there.  Find it by its value, as its place differs
   between kernels.  In a time namespace, where it does not have this value,
   and on other systems it is not found.  */

static const volatile uint64_t *
find_words (void)
{
  const uintptr_t code = sys_auxiliary (AT_SYSINFO_EHDR);
  for (unsigned i = 1; code != 0 && i <= DATA_STEPS; i++)
    {
      const volatile uint64_t *const data
	= (const volatile uint64_t *) (code - i * SYS_LEAST_PAGE_BYTES);
      struct timespec now;
      if (!sys_is_readable ((const void *) data)
	  || read_clock (CLOCK_MONOTONIC_COARSE, &now) != 0)
	continue;
      const volatile uint64_t *const found = words_in_page (data, &now);
      if (found != NULL)
	return found;
    }
  return NULL;
}

/* Without the vDSO, reading a few words would take a system call.  */

void
sys_find_ticks (void)
{
  struct timespec now;
  has_ticks = read_clock (CLOCK_MONOTONIC_COARSE, &now) == 0
	      && read_clock != read_clock_by_call;
  if (has_ticks)
    __atomic_store_n (&sys_tick_words, find_words (), __ATOMIC_RELAXED);
}

void
sys_distrust_ticks (void)
{
  __atomic_store_n (&sys_tick_words, NULL, __ATOMIC_RELAXED);
}

uint64_t
sys_tick_slowly (void)
{
  struct timespec now;
  if (!has_ticks)
    return SYS_NO_TICK;
  read_clock (CLOCK_MONOTONIC_COARSE, &now);
  return SYS_TICK_OF ((uint64_t) now.tv_sec, (uint64_t) now.tv_nsec);
}

/* The place where glibc 2.35 and later registers this thread's restartable
   sequences; the kernel keeps the CPU number there.  */
extern const ptrdiff_t __rseq_offset __attribute__ ((weak));
extern const unsigned int __rseq_size __attribute__ ((weak));

ptrdiff_t sys_cpu_offset;

/* The kernel's getcpu.  */
typedef int cpu_reader (unsigned *cpu, unsigned *node, void *unused);

static int
read_cpu_by_call (unsigned *cpu, unsigned *node, void *unused)
{
  return (int) system_call_4 (SYS_getcpu, (long) cpu, (long) node,
			      (long) unused, 0);
}

static uint32_t
cpu_by_kernel (void)
{
  static cpu_reader *reader;
  cpu_reader *known = __atomic_load_n (&reader, __ATOMIC_RELAXED);
  if (known == NULL)
    {
      known = (cpu_reader *) vdso_find ("__vdso_getcpu");
      if (known == NULL)
	known = read_cpu_by_call;
      __atomic_store_n (&reader, known, __ATOMIC_RELAXED);
    }
  unsigned cpu = 0;
  return known (&cpu, NULL, NULL) == 0 ? cpu : 0;
}

uint32_t
sys_cpu_slowly (void)
{
  if (&__rseq_offset != NULL && __rseq_size != 0)
    /* struct rseq: cpu_id_start, cpu_id.  */
    __atomic_store_n (&sys_cpu_offset,
		      __rseq_offset + (ptrdiff_t) sizeof (int32_t),
		      __ATOMIC_RELAXED);
  return cpu_by_kernel ();
}
