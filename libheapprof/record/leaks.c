/* Records of lost blocks in the raw file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "leaks.h"
#include "room.h"

/* Append RECORD; rt_raw_lock is held.  */

static bool
append (const struct heapprof_raw_leak *record)
{
  struct heapprof_raw_leak *const next = rt_raw_next (RT_LEAKS);
  if (next == NULL)
    return false;
  *next = *record;
  rt_raw_commit (RT_LEAKS, 1);
  return true;
}

bool
rt_leaks_store (const struct heapprof_raw_leak *records, uint32_t count,
		uint64_t ns)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  rt_lock (&rt_raw_lock);
  const uint32_t first = rt_record_count (RT_LEAKS);
  bool is_stored = count == 0 || rt_room_for_leaks (count);
  for (uint32_t i = 0; i < count && is_stored; i++)
    is_stored = append (&records[i]);
  rt_unlock (&rt_raw_lock);
  if (!is_stored)
    return false;
  header->leak_ns = ns;
  __atomic_store_n (&header->leak_records, (uint64_t) count << 32 | first,
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
