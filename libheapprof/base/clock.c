/* A monotonic clock in nanoseconds.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "clock.h"
#include "counter.h"
#include "text.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>

/* Counter and clock are read together with an error of some 50 ns, a few parts
   per million of the calibration time.  If the thread was interrupted in
   between, the pair is useless.  */
#define CALIBRATION_NS 20000000u

/* Ticks are never this far apart.  */
#define STUCK_NS 1000000000u

const struct rt_clock_scale *rt_clock_scale;

static struct rt_clock_scale begin, measured;
static bool has_counter;
static uint32_t is_measuring;

/* True if the kernel found that the counters of all processors agree.  */

static bool
kernel_uses_counter (void)
{
  static const char *const sources[] = { MACHINE_COUNTER_SOURCES };
  char name[64];
  size_t got = 0;
  const int fd = sys_open ("/sys/devices/system/clocksource/clocksource0/"
			   "current_clocksource",
			   O_RDONLY, 0);
  if (fd < 0)
    return false;
  sys_read_all (fd, name, sizeof name - 1, &got);
  sys_close (fd);
  name[got] = '\0';
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
    if (text_is (name, sources[i]))
      return true;
  return false;
}

void
rt_clock_start (void)
{
  sys_find_ticks ();
  has_counter = machine_counter_is_steady () && kernel_uses_counter ();
  for (unsigned tries = 0; tries < 16; tries++)
    {
      begin.ticks = machine_counter ();
      begin.ns = sys_steady_ns ();
      if (machine_counter () - begin.ticks <= machine_counter_interruption ())
	return;
    }
  has_counter = false;
}

/* Switch to the counter, if enough time has passed to measure its rate.  */

static void
measure (uint64_t ticks, uint64_t ns)
{
  if (!has_counter || ns - begin.ns < CALIBRATION_NS
      || __atomic_exchange_n (&is_measuring, 1, __ATOMIC_ACQUIRE) != 0)
    return;
  const unsigned __int128 span = (unsigned __int128) (ns - begin.ns) << 32;
  const uint64_t passed = ticks - begin.ticks;
  measured = (struct rt_clock_scale){ ticks, ns, 0 };
  if (passed > 0)
    measured.scale = (uint64_t) (span / passed);
  /* Outside 10 MHz to 100 GHz it cannot be such a counter.  */
  if (measured.scale > 1u << 25 && measured.scale < 100ull << 32)
    __atomic_store_n (&rt_clock_scale, &measured, __ATOMIC_RELEASE);
}

uint64_t
rt_clock_ns_slowly (void)
{
  const uint64_t ticks = machine_counter ();
  const uint64_t ns = sys_steady_ns ();
  if (machine_counter () - ticks <= machine_counter_interruption ())
    measure (ticks, ns);
  return ns;
}

/* Bytes that threads have added.  */
static uint64_t shared_bytes;

/* Add CLOCK's bytes to those of other threads, unless they are few, and the
   latter to CLOCK.  */

static inline void
share_bytes (struct rt_clock *clock)
{
  uint64_t own = clock->bytes - clock->shared;
  uint64_t shared = __atomic_load_n (&shared_bytes, __ATOMIC_RELAXED);
  if (__builtin_expect (own < RT_CLOCK_BYTES && shared == clock->shared, 1))
    return;
  if (own >= RT_CLOCK_BYTES)
    {
      shared = __atomic_add_fetch (&shared_bytes, own, __ATOMIC_RELAXED);
      own = 0;
    }
  clock->shared = shared;
  clock->bytes = shared + own;
}

uint64_t
rt_clock_read (struct rt_clock *clock, uint64_t tick)
{
  const uint64_t ns = rt_clock_ns ();
  if (tick != clock->tick || tick == SYS_NO_TICK)
    clock->exact = 0;
  else if (ns > clock->ns && ns - clock->ns > STUCK_NS)
    sys_distrust_ticks ();
  if (clock->exact < RT_CLOCK_EXACT)
    clock->exact++;
  clock->tick = tick;
  clock->left = clock->exact == RT_CLOCK_EXACT ? RT_CLOCK_STRIDE - 1 : 0;
  clock->ns = ns > clock->ns ? ns : clock->ns + 1;
  share_bytes (clock);
  return clock->ns;
}
