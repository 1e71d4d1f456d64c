/* Marks: moments that the program or its user named.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "mark.h"
#include "bytes.h"
#include "debug-log.h"
#include "gate.h"
#include "handle-signal.h"
#include "heap-size.h"
#include "leak-check.h"
#include "log.h"
#include "mib-table.h"
#include "mib.h"
#include "room.h"
#include <errno.h>

/* Kept for more important things than the thousandth phase.  */
#define MARKS_MAX 1024u

#define SIGNAL_LABEL "signal"

static struct rt_lock lock;

/* Add a record of the blocks in MIB number INDEX, if there are any.  Add its
   bytes to *BYTES.  Return false if there is no space.  */

static bool
add_marked (uint32_t index, uint64_t *bytes)
{
  struct heapprof_raw_mib mib;
  struct heapprof_raw_wide wide;
  struct heapprof_raw_moment moment;
  if (!rt_mib_copy (index, &mib, &wide, &moment))
    return true;
  const struct heapprof_raw_live live
    = rt_mib_balance (index, &mib, mib.wide == 0 ? NULL : &wide);
  if (live.count == 0 && live.bytes == 0)
    return true;
  rt_lock (&rt_raw_lock);
  struct heapprof_raw_live *const record = rt_raw_next (RT_MARKED);
  if (record != NULL)
    {
      *record = live;
      rt_raw_commit (RT_MARKED, 1);
    }
  rt_unlock (&rt_raw_lock);
  *bytes += live.bytes;
  return record != NULL;
}

/* Add MARK, named LABEL, with its records.  They do not count until the mark
   does.  */

static bool
add (struct heapprof_raw_mark *mark, const char *label)
{
  const uint32_t places = rt_mib_places_now ();
  mark->first = rt_record_count (RT_MARKED);
  for (uint32_t i = 1; i < places; i++)
    if (!add_marked (rt_mib_at_place_now (i), &mark->bytes))
      return false;
  mark->count = rt_record_count (RT_MARKED) - mark->first;
  rt_lock (&rt_raw_lock);
  mark->label = rt_raw_add_string (label);
  struct heapprof_raw_mark *const record = rt_raw_next (RT_MARKS);
  if (record != NULL)
    {
      *record = *mark;
      rt_raw_commit (RT_MARKS, 1);
    }
  rt_unlock (&rt_raw_lock);
  return record != NULL;
}

static bool
has_room (void)
{
  rt_lock (&rt_raw_lock);
  const bool has
    = rt_record_count (RT_MARKS) < MARKS_MAX && rt_room_for_mark ();
  rt_unlock (&rt_raw_lock);
  return has;
}

int
rt_mark (const char *label)
{
  static bool said;
  char text[HEAPPROF_RAW_LABEL_BYTES] = { 0 };
  for (size_t i = 0; i + 1 < sizeof text && label[i] != '\0'; i++)
    text[i] = label[i];
  if (!rt_gate_is_open () && !rt_gate_open (true))
    return -1;
  rt_lock_waiting (&lock);
  /* With peak=exact, nothing changes meanwhile.  */
  rt_heap_size_begin ();
  struct heapprof_raw_mark mark = { .time_ns = rt_raw_now_ns () };
  rt_heap_size_look (mark.time_ns);
  const bool is_added = has_room () && add (&mark, text);
  rt_heap_size_end ();
  RT_DEBUG (1, "mark %s: %u bytes in %u MIBs", text, mark.bytes,
	    (uint64_t) mark.count);
  if (!is_added)
    rt_log_once (&said, "no space for mark `%s', nor for later ones", text);
  rt_unlock (&lock);
  return is_added ? 0 : -1;
}

void
rt_mark_requested (void)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  uint64_t state = __atomic_load_n (&header->mark_request, __ATOMIC_RELAXED);
  const bool finds_leaks = state == HEAPPROF_RAW_REQUESTED_LEAKS;
  char label[HEAPPROF_RAW_LABEL_BYTES];
  if ((state != HEAPPROF_RAW_REQUESTED && !finds_leaks)
      || !__atomic_compare_exchange_n (&header->mark_request, &state,
				       HEAPPROF_RAW_WRITING, false,
				       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  own_memcpy (label, header->mark_label, sizeof label);
  label[sizeof label - 1] = '\0';
  rt_mark (label);
  if (finds_leaks)
    rt_find_leaks ();
  own_memset (header->mark_label, 0, sizeof header->mark_label);
  __atomic_store_n (&header->mark_request, HEAPPROF_RAW_NO_REQUEST,
		    __ATOMIC_RELEASE);
}

void
rt_mark_by_signal (void)
{
  rt_mark (SIGNAL_LABEL);
}

static void
on_signal (int number)
{
  (void) number;
  if (rt_is_inside ())
    {
      __atomic_fetch_or (&rt_local.wanted, RT_WANT_MARK, __ATOMIC_RELAXED);
      return;
    }
  rt_enter ();
  rt_mark_by_signal ();
  rt_leave ();
}

void
rt_mark_on_signal (int number)
{
  rt_handle_signal (number, on_signal);
}

void
rt_mark_reset_locks (void)
{
  rt_reset_lock (&lock);
}
