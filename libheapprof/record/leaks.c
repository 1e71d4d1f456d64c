/* Records of lost blocks in the raw file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "leaks.h"
#include "room.h"

static bool
is_lossy (const struct rt_leak_sum *sum)
{
  return (sum->lost_count | sum->indirect_count) != 0;
}

/* Append a record; rt_raw_lock is held.  */

static bool
append (const struct rt_leak_sum *sum, uint32_t context)
{
  struct heapprof_raw_leak *const record = rt_raw_next (RT_LEAKS);
  if (record == NULL)
    return false;
  *record = (struct heapprof_raw_leak){ .context = context,
					.lost_count = sum->lost_count,
					.indirect_count = sum->indirect_count,
					.lost_bytes = sum->lost_bytes,
					.indirect_bytes = sum->indirect_bytes };
  rt_raw_commit (RT_LEAKS, 1);
  return true;
}

bool
rt_leaks_store (const struct rt_leak_sum *sums, uint32_t contexts, uint64_t ns)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  uint32_t needed = 0;
  for (uint32_t i = 0; i < contexts; i++)
    needed += is_lossy (&sums[i]);
  rt_lock (&rt_raw_lock);
  const uint32_t first = rt_record_count (RT_LEAKS);
  bool is_stored = needed == 0 || rt_room_for_leaks (needed);
  for (uint32_t i = 0; i < contexts && is_stored; i++)
    if (is_lossy (&sums[i]))
      is_stored = append (&sums[i], i);
  rt_unlock (&rt_raw_lock);
  if (!is_stored)
    return false;
  header->leak_ns = ns;
  __atomic_store_n (&header->leak_records, (uint64_t) needed << 32 | first,
		    __ATOMIC_RELEASE);
  __atomic_store_n (&header->leak_state, HEAPPROF_RAW_LEAKS_KNOWN,
		    __ATOMIC_RELEASE);
  return true;
}

void
rt_leaks_refuse (void)
{
  uint64_t state = HEAPPROF_RAW_LEAKS_UNKNOWN;
  __atomic_compare_exchange_n (&rt_raw_header->leak_state, &state,
			       HEAPPROF_RAW_LEAKS_REFUSED, false,
			       __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void
rt_leaks_forget (void)
{
  __atomic_store_n (&rt_raw_header->leak_state, HEAPPROF_RAW_LEAKS_UNKNOWN,
		    __ATOMIC_RELEASE);
}

bool
rt_leaks_are_known (void)
{
  return __atomic_load_n (&rt_raw_header->leak_state, __ATOMIC_ACQUIRE)
	 == HEAPPROF_RAW_LEAKS_KNOWN;
}
