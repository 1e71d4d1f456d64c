/* What was live in each MIB at the greatest heap size.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "moment.h"
#include "mib-table.h"
#include "mib.h"
#include "heapprof/raw-mib.h"

uint64_t rt_peak_number;

static uint64_t
do_nothing (void)
{
  return 0;
}

uint64_t (*rt_moment_hook) (void) = do_nothing;

/* The header's first: a process killed in between has changed no MIB.  */

static void
next_number (void)
{
  const uint64_t number
    = __atomic_add_fetch (&rt_raw_header->peak_number, 1, __ATOMIC_RELEASE);
  __atomic_store_n (&rt_peak_number, number, __ATOMIC_RELEASE);
}

__attribute__ ((noinline)) void
rt_moment_keep_slowly (uint32_t index)
{
  rt_moment_hook ();
  const uint32_t number
    = (uint32_t) __atomic_load_n (&rt_peak_number, __ATOMIC_ACQUIRE);
  struct heapprof_raw_moment *const moment = rt_moment_at (index);
  const struct heapprof_raw_mib *const mib = rt_mib_at (index);
  const struct heapprof_raw_wide *const wide
    = (const struct heapprof_raw_wide *) rt_tables[RT_WIDE].records;
  const struct heapprof_raw_live live
    = rt_mib_balance (index, mib, mib->wide == 0 ? NULL : wide + mib->wide);
  moment->bytes = live.bytes;
  moment->count = live.count;
  /* If the process is killed before this, the MIB still has the numbers.  */
  __atomic_store_n (&moment->number, number, __ATOMIC_RELEASE);
}

void
rt_moment_clear (uint32_t index)
{
  const uint64_t first = rt_moment_hook ();
  struct heapprof_raw_moment *const moment = rt_moment_at (index);
  moment->bytes = moment->lifetime_bytes = 0;
  moment->count = 0;
  moment->temporary = (uint64_t) heapprof_raw_small (first)
		      << HEAPPROF_RAW_TEMPORARY_BITS;
  __atomic_store_n (&moment->number,
		    (uint32_t) __atomic_load_n (&rt_peak_number,
						__ATOMIC_RELAXED),
		    __ATOMIC_RELEASE);
}

__attribute__ ((noinline)) void
rt_peak_raise_slowly (uint64_t live, uint64_t ns)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  uint64_t known = __atomic_load_n (&header->peak_bytes, __ATOMIC_RELAXED);
  while (known < live)
    if (__atomic_compare_exchange_n (&header->peak_bytes, &known, live, true,
				     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      {
	__atomic_store_n (&header->peak_ns, ns, __ATOMIC_RELAXED);
	next_number ();
	return;
      }
}

/* MIBs of the epoch before are empty, so a new number makes all moments
   empty.  */

void
rt_peak_forget (void)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  __atomic_store_n (&header->peak_bytes, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&header->peak_ns, 0, __ATOMIC_RELAXED);
  next_number ();
}

void
rt_peak_begin (void)
{
  __atomic_store_n (&rt_peak_number, 0, __ATOMIC_RELEASE);
}
