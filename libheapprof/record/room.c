/* Option max_memory: the limit on the profile's size.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "room.h"
#include "options.h"
#include "raw-file.h"

/* The maximum size of a MIB: its sums may need a wide record at any time, and
   must stay exact.  */
#define MIB_BYTES                                                              \
  (sizeof (struct heapprof_raw_mib) + sizeof (struct heapprof_raw_wide)        \
   + sizeof (struct heapprof_raw_moment))

/* That of one that is brief at first.  */
#define BRIEF_BYTES                                                            \
  (sizeof (struct heapprof_raw_brief) + sizeof (struct heapprof_raw_origin)    \
   + MIB_BYTES)

static uint64_t (*bytes_of_tree) (uint32_t count);

/* No more nodes or MIBs are added.  */
static bool nodes_are_limited;
static bool mibs_are_limited;

void
rt_room_start (uint64_t (*tree_bytes) (uint32_t count))
{
  bytes_of_tree = tree_bytes;
}

/* Return the bytes of MIBs.  For one that was brief, there was room before it
   grew.  */

static uint64_t
bytes_of_mibs (void)
{
  const uint64_t mibs = rt_tables[RT_MIBS].count;
  const uint64_t briefs = rt_tables[RT_BRIEFS].count;
  return briefs * BRIEF_BYTES + (mibs > briefs ? mibs - briefs : 0) * MIB_BYTES;
}

/* Return the bytes that the profile takes or may come to take, in memory and in
   the file.  */

static uint64_t
bytes_in_use (void)
{
  const uint32_t nodes = rt_tables[RT_CONTEXTS].count;
  return HEAPPROF_RAW_HEADER_BYTES + bytes_of_tree (nodes)
	 + sizeof (struct heapprof_raw_timeline)
	 + (uint64_t) rt_tables[RT_THREADS].count
	     * sizeof (struct heapprof_raw_thread)
	 + (uint64_t) rt_tables[RT_MARKED].count
	     * sizeof (struct heapprof_raw_live)
	 + (uint64_t) rt_tables[RT_LEAKS].count
	     * sizeof (struct heapprof_raw_leak)
	 + (uint64_t) nodes * sizeof (struct heapprof_raw_context)
	 + bytes_of_mibs ()
	 + (uint64_t) rt_tables[RT_SEGMENTS].count
	     * sizeof (struct heapprof_raw_segment)
	 + (uint64_t) rt_tables[RT_INTERPRETED].count
	     * sizeof (struct heapprof_raw_interpreted)
	 + rt_tables[RT_STRINGS].count;
}

/* True if the profile may take BYTES more, staying below the limit by KEPT.
   Otherwise set *IS_LIMITED.  */

static bool
may_add (uint64_t bytes, uint64_t kept, bool *is_limited)
{
  const uint64_t limit = rt_options.max_memory;
  if (limit == 0 || bytes_in_use () + bytes <= limit - kept)
    return true;
  __atomic_store_n (is_limited, true, __ATOMIC_RELAXED);
  return false;
}

static bool
is_set (const bool *flag)
{
  return __atomic_load_n (flag, __ATOMIC_RELAXED);
}

bool
rt_room_for_node (size_t tree_bytes)
{
  return may_add (sizeof (struct heapprof_raw_context) + tree_bytes,
		  rt_options.max_memory / 8, &nodes_are_limited);
}

bool
rt_room_for_names (size_t bytes)
{
  return may_add (sizeof (struct heapprof_raw_interpreted) + bytes,
		  rt_options.max_memory / 8, &nodes_are_limited);
}

bool
rt_room_for_mibs (uint32_t records)
{
  return !is_set (&mibs_are_limited)
	 && may_add (records * MIB_BYTES, 0, &mibs_are_limited);
}

bool
rt_room_for_briefs (uint32_t records)
{
  return !is_set (&mibs_are_limited)
	 && may_add (records * BRIEF_BYTES, 0, &mibs_are_limited);
}

bool
rt_room_for_mark (void)
{
  const uint64_t limit = rt_options.max_memory;
  return limit == 0
	 || bytes_in_use ()
		+ ((uint64_t) rt_tables[RT_MIBS].count
		   + rt_tables[RT_BRIEFS].count)
		    * sizeof (struct heapprof_raw_live)
	      <= limit - limit / 8;
}

bool
rt_room_for_leaks (uint32_t records)
{
  const uint64_t limit = rt_options.max_memory;
  return limit == 0
	 || bytes_in_use ()
		+ (uint64_t) records * sizeof (struct heapprof_raw_leak)
	      <= limit;
}

bool
rt_room_for_thread (void)
{
  const uint64_t limit = rt_options.max_memory;
  return limit == 0
	 || bytes_in_use () + sizeof (struct heapprof_raw_thread) <= limit;
}

bool
rt_room_has_no_nodes (void)
{
  return is_set (&nodes_are_limited);
}

bool
rt_room_is_limited (void)
{
  return is_set (&nodes_are_limited) || is_set (&mibs_are_limited);
}
