/* Snapshots at intervals, for collectors of profiles.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "interval.h"
#include "options.h"
#include "raw-file.h"
#include "thread.h"

#define NS_PER_MS 1000000u

uint64_t rt_interval_due_ns = UINT64_MAX;

/* Let the next snapshot be due an interval after NOW_NS.  */

static void
set_due (uint64_t now_ns)
{
  const uint64_t due = rt_options.interval_ms == 0
			 ? UINT64_MAX
			 : now_ns + rt_options.interval_ms * NS_PER_MS;
  __atomic_store_n (&rt_interval_due_ns, due, __ATOMIC_RELEASE);
}

void
rt_interval_start (void)
{
  set_due (0);
}

void
rt_interval_is_due (void)
{
  if (__atomic_exchange_n (&rt_interval_due_ns, UINT64_MAX, __ATOMIC_ACQ_REL)
      != UINT64_MAX)
    __atomic_fetch_or (&rt_local.wanted, RT_WANT_INTERVAL, __ATOMIC_RELAXED);
}

void
rt_interval_end (void)
{
  set_due (rt_raw_now_ns ());
}
