/* Counters of which only the sum is read share a few pages.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   There is no lock: the handler may interrupt anything.  A unit that is mapped
   twice by two threads is mapped all the same.  */

#include "shadow-sink.h"
#include "own-maps.h"
#include "shadow-fault.h"
#include "shadow-pieces.h"
#include "shadow.h"
#include "sys-process.h"
#include "sys.h"

#define PIECES 8
#define PIECE_BYTES ((size_t) 1 << 20)

/* What is mapped at once: the counters of 64 MiB.  */
#define UNIT_BYTES (PIECES * PIECE_BYTES)
#define UNITS (RT_SHADOW_BYTES / UNIT_BYTES)

/* The states of a unit; those of SHARED pages may still be missing.  */
enum
{
  MISSING,
  SHARED,
  BEING_KEPT,
  KEPT
};

/* Where counters start, the shared memory, and each unit's state; NULL if not
   in use.  */
static char *base;
static char *sink;
static uint8_t *units;

/* Some counters are read.  */
static bool keeps_any;

/* The shared memory was mapped for counters; other processes have it, too.  */
static bool is_used, is_forked;

static char *
unit_start (size_t unit)
{
  return base + unit * UNIT_BYTES;
}

static uint8_t
state_of (size_t unit)
{
  return __atomic_load_n (&units[unit], __ATOMIC_ACQUIRE);
}

/* Map BYTES bytes of the shared memory from OFFSET at TO.  */

static bool
map_part (char *to, size_t offset, size_t bytes)
{
  return bytes == 0 || sys_copy_map (sink + offset, bytes, to);
}

/* Map the shared memory in UNIT, rotated.  */

static bool
map_unit (size_t unit)
{
  const size_t turn = unit * 3 % PIECES * PIECE_BYTES;
  char *const start = unit_start (unit);
  return map_part (start, turn, UNIT_BYTES - turn)
	 && map_part (start + (UNIT_BYTES - turn), 0, turn);
}

/* Unmap all units that are shared, as there cannot be more mappings.  They are
   mapped again when they are touched.  */

static void
unmap_all (void)
{
  for (size_t i = 0; i < UNITS; i++)
    if (state_of (i) == SHARED)
      {
	sys_reserve_over (unit_start (i), UNIT_BYTES);
	__atomic_store_n (&units[i], MISSING, __ATOMIC_RELEASE);
      }
}

/* The handler for counters at OFFSET.  */

static bool
provide (uintptr_t offset)
{
  const size_t unit = offset / UNIT_BYTES;
  uint8_t state = MISSING;
  /* Mapped pages do not raise SIGSEGV.  */
  if (state_of (unit) == KEPT)
    return false;
  __atomic_compare_exchange_n (&units[unit], &state, SHARED, false,
			       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  if (state == BEING_KEPT)
    return true;
  __atomic_store_n (&is_used, true, __ATOMIC_RELAXED);
  if (!map_unit (unit))
    {
      unmap_all ();
      if (!map_unit (unit))
	return false;
      __atomic_store_n (&units[unit], SHARED, __ATOMIC_RELEASE);
    }
  return state_of (unit) == SHARED
	 || sys_map_over (unit_start (unit), UNIT_BYTES);
}

/* Mark the units of counters from FIRST up to END as kept.  */

static void
mark_kept (uintptr_t first, uintptr_t end)
{
  for (size_t i = first / UNIT_BYTES; i * UNIT_BYTES < end; i++)
    units[i] = KEPT;
}

static uintptr_t
offset_of (uintptr_t address)
{
  return (address >> HEAPPROF_GRANULE_SHIFT) * HEAPPROF_COUNTER_BYTES;
}

bool
rt_shadow_sink_start (uintptr_t counters, uintptr_t start, uintptr_t end)
{
  /* With little address space, counters do not take much memory either.  */
  if (rt_shadow_pieces != NULL || rt_shadow_is_lazy || units != NULL)
    return false;
  const uintptr_t first = offset_of (start) / UNIT_BYTES * UNIT_BYTES;
  const uintptr_t last
    = (offset_of (end) + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
  uint8_t *const states = sys_map (UNITS);
  sink = sys_map_shared (UNIT_BYTES);
  if (states == NULL || sink == NULL)
    return false;
  own_map_add (sink, UNIT_BYTES);
  sys_mark_sparse (sink, UNIT_BYTES);
  base = (char *) counters;
  units = states;
  keeps_any = start < end;
  mark_kept (first, last);
  rt_shadow_fault_start (base, provide);
  return (first == 0 || sys_reserve_over (base, first))
	 && sys_reserve_over (base + last, RT_SHADOW_BYTES - last);
}

bool
rt_shadow_sink_keep (const void *data, size_t size)
{
  const uintptr_t start = offset_of ((uintptr_t) data);
  const uintptr_t end = offset_of ((uintptr_t) data + size - 1);
  if (!keeps_any)
    return units == NULL;
  for (size_t i = start / UNIT_BYTES; i <= end / UNIT_BYTES; i++)
    {
      if (state_of (i) == KEPT)
	continue;
      __atomic_store_n (&units[i], BEING_KEPT, __ATOMIC_RELEASE);
      sys_map_over (unit_start (i), UNIT_BYTES);
      sys_mark_sparse (unit_start (i), UNIT_BYTES);
      __atomic_store_n (&units[i], KEPT, __ATOMIC_RELEASE);
    }
  return true;
}

void
rt_shadow_sink_fork (void)
{
  is_forked = true;
}

/* Reading a page that does not exist would create it.  */

uint64_t
rt_shadow_sink_sum (void)
{
  static unsigned char exists[UNIT_BYTES / SYS_LEAST_PAGE_BYTES];
  const size_t page_bytes = sys_page_bytes ();
  const size_t pages = UNIT_BYTES / page_bytes;
  uint64_t sum = 0;
  if (!__atomic_load_n (&is_used, __ATOMIC_RELAXED) || is_forked)
    return 0;
  const bool are_all = !sys_find_resident (sink, pages, exists);
  for (size_t i = 0; i < pages; i++)
    if (are_all || exists[i] != 0)
      {
	const uint64_t *const counters
	  = (const uint64_t *) (sink + i * page_bytes);
	for (size_t k = 0; k < page_bytes / sizeof *counters; k++)
	  sum += __atomic_load_n (&counters[k], __ATOMIC_RELAXED);
      }
  return sum;
}
