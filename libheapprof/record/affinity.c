/* Affinity: which contexts' blocks are used together.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All this runs in a process with one thread, inside the library, so there is
   no lock.  */

#include "affinity.h"
#include "heapprof/abi.h"
#include "arena.h"
#include "bytes.h"
#include "epoch.h"
#include "mib-table.h"
#include "pack-output.h"
#include "raw-file.h"
#include "resident.h"
#include "room.h"

#define LEAST_GAP_NS 500000u
#define GAP_FACTOR 50u
#define FIRST_COST_NS 20000u

/* Between two times that origins are left.  */
#define LEAVE_NS 100000000u

/* A window is as many allocations long as it takes to see about this many
   granules.  */
#define FEW_LINES 16u
#define MANY_LINES 128u
#define EVENTS_MAX 256u

/* Larger blocks end the window when they are released.  */
#define RELEASE_BYTES_MAX 65536u

/* Contexts of a window, those first seen; each pair of these is counted.  */
#define SEEN_MAX 24u

/* The records, found by their pair.  A set that is full replaces its lightest
   one.  */
#define WAYS 8u
#define SETS 512u

uint64_t rt_affinity_due_ns = UINT64_MAX;

static uint16_t sets[SETS][WAYS]; /* number of the record + 1, 0: none */

static uint32_t events = 1; /* allocations in a window */
static uint32_t events_left;

struct seen
{
  uint32_t context;
  uint32_t lines;
};

/* What was seen in the current window.  */
static struct
{
  uint32_t lines;
  uint32_t count;
  struct seen seen[SEEN_MAX];
} window;

/* ---- Records.  */

static struct heapprof_raw_affinity *
record_at (uint32_t number)
{
  return (struct heapprof_raw_affinity *) rt_tables[RT_AFFINITIES].records
	 + number;
}

/* Append a record and return its number + 1; 0 if there is no space.  */

static uint16_t
append (void)
{
  if (rt_record_count (RT_AFFINITIES) == SETS * WAYS || rt_room_is_limited ())
    return 0;
  rt_lock (&rt_raw_lock);
  const bool appended = rt_raw_next (RT_AFFINITIES) != NULL;
  if (appended)
    rt_raw_commit (RT_AFFINITIES, 1);
  rt_unlock (&rt_raw_lock);
  return appended ? (uint16_t) rt_record_count (RT_AFFINITIES) : 0;
}

/* Return the record of the pair FIRST and SECOND, which may be new or that of
   the lightest pair of its set; NULL if there is no space.  */

static struct heapprof_raw_affinity *
find_record (uint32_t first, uint32_t second)
{
  const uint32_t hash = (first * 2654435761u ^ second) * 2246822519u;
  uint16_t *const set = sets[hash >> 16 & (SETS - 1)];
  struct heapprof_raw_affinity *lightest = NULL;
  for (unsigned i = 0; i < WAYS; i++)
    {
      if (set[i] == 0)
	set[i] = append ();
      if (set[i] == 0)
	break;
      struct heapprof_raw_affinity *const record = record_at (set[i] - 1u);
      if (record->first == first && record->second == second)
	return record;
      if (lightest == NULL || record->lines < lightest->lines)
	lightest = record;
      if (record->first == 0)
	break;
    }
  if (lightest == NULL)
    return NULL;
  /* A process killed here leaves a record without effect.  */
  __atomic_store_n (&lightest->first, 0, __ATOMIC_RELEASE);
  lightest->lines = 0;
  lightest->second = second;
  __atomic_store_n (&lightest->first, first, __ATOMIC_RELEASE);
  return lightest;
}

static void
add_pair (uint32_t one, uint32_t other, uint32_t lines)
{
  if (lines == 0)
    return;
  struct heapprof_raw_affinity *const record
    = one < other ? find_record (one, other) : find_record (other, one);
  if (record != NULL)
    record->lines += lines;
}

/* ---- Windows.  */

/* Return the context of BLOCK; 0 if it has none.  */

static uint32_t
context_of (const struct rt_block *block)
{
  const uint32_t index = block->mib;
  if (index == 0 || !rt_block_is_of (block, rt_epoch))
    return 0;
  return rt_mib_is_brief (index) ? rt_lone_origin_at (index)->context
				 : rt_mib_context (index);
}

/* Give back the pages of origins that windows have read, unless that was done
   shortly before NOW_NS.  */

static void
leave_origins (uint64_t now_ns)
{
  static uint64_t next_ns;
  if (now_ns < next_ns)
    return;
  next_ns = now_ns + LEAVE_NS;
  rt_resident_leave_origins_before (rt_record_count (RT_ORIGINS));
}

/* LINES granules of BLOCK were accessed.  */

static void
see (const struct rt_block *block, uint32_t lines)
{
  const uint32_t context = context_of (block);
  if (context == 0 || lines == 0)
    return;
  window.lines += lines;
  uint32_t i = 0;
  while (i < window.count && window.seen[i].context != context)
    i++;
  if (i == SEEN_MAX)
    return;
  if (i == window.count)
    window.seen[window.count++] = (struct seen){ context, 0 };
  window.seen[i].lines += lines;
}

static void
see_granule (uintptr_t granule, void *data)
{
  (void) data;
  const struct rt_block *const block
    = rt_arena_find_in (granule, HEAPPROF_GRANULE_BYTES);
  if (block != NULL)
    see (block, 1);
}

void
rt_affinity_see_release (const struct rt_block *block)
{
  const uint64_t size = rt_block_size (block);
  if (size > RELEASE_BYTES_MAX)
    rt_affinity_close ();
  else
    see (block, rt_window_take (rt_block_data (block), size));
}

/* A phase of the program without allocations is one window, however long it
   is; it counts as much as one that is just long enough.  */

static uint32_t
scaled (uint32_t lines)
{
  if (window.lines <= MANY_LINES)
    return lines;
  return (uint32_t) ((uint64_t) lines * MANY_LINES / window.lines);
}

static void
record_window (void)
{
  for (uint32_t i = 0; i < window.count; i++)
    {
      const struct seen *const one = &window.seen[i];
      add_pair (one->context, one->context, scaled (one->lines));
      for (uint32_t j = 0; j < i; j++)
	{
	  const struct seen *const other = &window.seen[j];
	  add_pair (one->context, other->context,
		    scaled (one->lines < other->lines ? one->lines
						      : other->lines));
	}
    }
}

/* Return the usual time of reading a window, given that of this one, which
   includes the time of other processes if the machine is busy.  */

static uint64_t
smoothed_cost (uint64_t ns)
{
  static uint64_t usual = FIRST_COST_NS;
  usual = (usual * 7 + (ns < usual * 4 ? ns : usual * 4)) / 8 + 1;
  return usual;
}

void
rt_affinity_close (void)
{
  const uint64_t start_ns = rt_raw_now_ns ();
  rt_window_close (see_granule, NULL);
  record_window ();
  if (window.lines < FEW_LINES && events < EVENTS_MAX)
    events *= 2;
  else if (window.lines > MANY_LINES && events > 1)
    events /= 2;
  leave_origins (start_ns);
  const uint64_t end_ns = rt_raw_now_ns ();
  const uint64_t gap = smoothed_cost (end_ns - start_ns) * GAP_FACTOR;
  if (rt_affinity_due_ns != UINT64_MAX)
    rt_affinity_due_ns = end_ns + (gap > LEAST_GAP_NS ? gap : LEAST_GAP_NS);
}

void
rt_affinity_step (void)
{
  if (rt_window_is_open)
    {
      if (--events_left == 0 || !rt_window_is_allowed ())
	rt_affinity_close ();
      return;
    }
  events_left = events;
  window.lines = window.count = 0;
  rt_affinity_due_ns = 0;
  if (!rt_window_is_allowed ())
    rt_affinity_due_ns = UINT64_MAX;
  else if (!rt_window_open ())
    rt_affinity_due_ns = rt_raw_now_ns () + LEAST_GAP_NS * GAP_FACTOR;
}

void
rt_affinity_start (void)
{
  if (rt_options.records_affinity)
    rt_affinity_due_ns = LEAST_GAP_NS;
}

void
rt_affinity_stop (void)
{
  rt_affinity_end_window ();
  rt_affinity_due_ns = UINT64_MAX;
}

void
rt_affinity_forget (void)
{
  rt_affinity_end_window ();
  for (uint32_t i = 0; i < rt_record_count (RT_AFFINITIES); i++)
    {
      __atomic_store_n (&record_at (i)->first, 0, __ATOMIC_RELEASE);
      record_at (i)->lines = 0;
    }
}

void
rt_affinity_reset (void)
{
  rt_window_forget ();
  own_memset (sets, 0, sizeof sets);
  if (rt_affinity_due_ns != UINT64_MAX)
    rt_affinity_due_ns = rt_raw_now_ns () + LEAST_GAP_NS;
}

bool
rt_affinity_is_recorded (void)
{
  return rt_record_count (RT_AFFINITIES) > 0;
}

/* The packed file: for each record n first context, n second context - first
   context, n lines; n 0 after the last.  */

void
rt_affinity_pack (uint32_t contexts)
{
  for (uint32_t i = 0; i < rt_record_count (RT_AFFINITIES); i++)
    {
      const struct heapprof_raw_affinity *const record = record_at (i);
      if (record->first == 0 || record->second >= contexts)
	continue;
      uint8_t *next = rt_put (rt_pack_begin (), record->first);
      next = rt_put (next, record->second - record->first);
      rt_pack_end (rt_put (next, record->lines));
    }
}
