/* Completing, dumping and resetting the profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "dump.h"
#include "affinity.h"
#include "arena.h"
#include "debug-log.h"
#include "format.h"
#include "gate.h"
#include "handle-signal.h"
#include "heap-size.h"
#include "histogram.h"
#include "leak-check.h"
#include "leaks.h"
#include "loan.h"
#include "lock.h"
#include "log.h"
#include "mark.h"
#include "mib-table.h"
#include "observe.h"
#include "options.h"
#include "path.h"
#include "raw-file.h"
#include "raw-output.h"
#include "raw-replace.h"
#include "sampling.h"
#include "shadow-sink.h"
#include "snapshot.h"
#include "sound.h"
#include "sys.h"
#include "thread.h"
#include "timeline.h"
#include "watch.h"
#include <errno.h>

/* MIBs hold 15 bits of the epoch.  MIBs that no thread has used for this many
   epochs are marked; after the second time, all old ones have been.  */
#define RETIRE_EPOCHS (HEAPPROF_RAW_CHANGING / 4)

/* Number of MIBs to prefetch: the processor's own prefetching stops at the end
   of a page.  */
#define FETCH_AHEAD 40

static struct rt_lock lock;
static uint64_t snapshots;

/* The profile was completed before exec in a way that cannot be undone.  */
static bool is_over;

/* Live blocks seen but not folded in yet.  Their MIBs may be anywhere in the
   file: a MIB is prefetched when the block is seen, and its wide record
   half-way to its turn.  */
#define PENDING 64u

struct pending
{
  uint32_t mib; /* 0: none */
  uint32_t epoch;
  struct rt_estimate estimate;
  struct rt_observation observation;
};

/* The thread that folds the live blocks, and the time.  Only one at a time:
   LOCK is held.  */
struct completion
{
  struct rt_thread *thread;
  uint64_t now_ns;
  uint32_t cpu;
  uint32_t turn; /* of the oldest pending block */
  struct pending pending[PENDING];
};

/* GCC omits calls of a function that only prefetches, unless it must be
   inlined.  */

static inline __attribute__ ((always_inline)) void
fetch (const void *data, size_t bytes)
{
  for (size_t at = 0; at < bytes; at += 64)
    __builtin_prefetch ((const char *) data + at, 1);
}

static inline __attribute__ ((always_inline)) void
fetch_wide (const struct pending *pending)
{
  const struct heapprof_raw_wide *const records
    = (const struct heapprof_raw_wide *) rt_tables[RT_WIDE].records;
  const uint32_t wide = pending->mib == 0 || rt_mib_is_brief (pending->mib)
			  ? 0
			  : rt_mib_at (pending->mib)->wide;
  if (wide != 0)
    fetch (records + wide, sizeof *records);
}

/* Fold in the oldest pending block.  */

static struct pending *
fold_oldest (struct completion *now)
{
  struct pending *const oldest = &now->pending[now->turn % PENDING];
  fetch_wide (&now->pending[(now->turn + PENDING / 2) % PENDING]);
  if (oldest->mib != 0)
    rt_profile_record (now->thread, oldest->mib, oldest->epoch,
		       &oldest->observation, &oldest->estimate);
  oldest->mib = 0;
  now->turn++;
  return oldest;
}

static void
fold_live_block (const struct rt_block *block, void *data)
{
  struct completion *const now = data;
  const uint32_t epoch = rt_epoch;
  const uint64_t size = rt_block_size (block);
  if (block->mib == 0 || !rt_block_is_of (block, epoch))
    return;
  struct pending *const pending = fold_oldest (now);
  if (rt_mib_is_brief (block->mib))
    fetch (rt_brief_at (block->mib), sizeof (struct heapprof_raw_brief));
  else
    fetch (rt_mib_at (block->mib), sizeof (struct heapprof_raw_mib));
  const struct rt_shadow_sum sum = rt_shadow_sum (rt_block_data (block), size);
  if (rt_histogram_is_on ())
    rt_histogram_fold (rt_mib_context (block->mib), rt_block_data (block),
		       size);
  pending->mib = block->mib;
  pending->epoch = epoch;
  pending->estimate = rt_block_estimate (size, block->state);
  pending->observation = rt_observe (block, &sum, now->now_ns, now->cpu);
}

static void
fold_live (struct completion *now)
{
  rt_arena_visit_live (fold_live_block, now);
  for (unsigned i = 0; i < PENDING; i++)
    fold_oldest (now);
}

/* Prefetch a MIB that will follow MIB number INDEX.  */

static inline __attribute__ ((always_inline)) void
fetch_ahead (uint32_t index)
{
  if (rt_mib_is_brief (index))
    __builtin_prefetch (rt_brief_at (index) + FETCH_AHEAD);
  else
    __builtin_prefetch (rt_mib_at (index) + FETCH_AHEAD);
}

/* Write records of the live blocks to OUT, and collect them in BALANCES, which
   has space for all MIBs.  */

static void
write_live (struct rt_output *out, struct rt_balances *balances)
{
  const uint32_t places = rt_mib_places_now ();
  struct heapprof_raw_extent extent
    = rt_output_begin (out, HEAPPROF_RAW_LIVE,
		       sizeof (struct heapprof_raw_live));
  balances->count = 0;
  for (uint32_t i = 1; i < places; i++)
    {
      const uint32_t index = rt_mib_at_place_now (i);
      struct heapprof_raw_live live;
      fetch_ahead (index);
      rt_mib_live (index, &live);
      if (live.count == 0 && live.bytes == 0)
	continue;
      rt_output_record (out, &extent, &live);
      balances->records[balances->count++] = live;
    }
  rt_output_end (out, rt_raw_header, &extent);
}

/* Append these records to the running file FD.  */

static int
append_live (int fd, struct rt_balances *balances)
{
  const uint64_t page = SYS_PAGE_BYTES;
  rt_lock (&rt_raw_lock);
  struct rt_output out = { .fd = fd, .offset = rt_raw_file.bytes };
  write_live (&out, balances);
  rt_raw_file.bytes = (out.offset + page - 1) & -page;
  rt_unlock (&rt_raw_lock);
  return out.error;
}

/* Return unused space of the file, for all of them if there is so much.  */

static struct rt_raw_space
take_space_for_live (void)
{
  const size_t most = rt_mib_places_now () * sizeof (struct heapprof_raw_live);
  const struct rt_raw_space space = rt_raw_take_space ();
  if (space.bytes >= most)
    return space;
  const struct rt_raw_space more = rt_raw_map_space (most);
  return more.memory != NULL ? more : space;
}

/* Put them there.  */

static int
insert_live (struct rt_balances *balances)
{
  rt_lock (&rt_raw_lock);
  const struct rt_raw_space space = take_space_for_live ();
  struct rt_output out = { .fd = -1,
			   .memory = space.memory,
			   .room = space.bytes,
			   .offset = space.offset };
  write_live (&out, balances);
  rt_unlock (&rt_raw_lock);
  return out.error;
}

/* Release the unused space of extents.  The file's mappings stay: nothing more
   is added to the tables.  */

static void
trim (int fd, struct heapprof_raw_header *header)
{
  const uint64_t page = SYS_PAGE_BYTES;
  const uint64_t last = header->extent_count - 1;
  for (uint64_t i = 0; i <= last; i++)
    {
      struct heapprof_raw_extent *const extent = &header->extents[i];
      const uint64_t used
	= extent->offset + extent->count * extent->record_bytes;
      const uint64_t end
	= extent->offset + extent->capacity * extent->record_bytes;
      const uint64_t unused = (used + page - 1) & -page;
      if (i == last)
	{
	  extent->capacity = extent->count;
	  sys_truncate (fd, used);
	}
      else if (unused < end)
	sys_punch (fd, unused, end - unused);
    }
}

/* Fold in the live blocks and complete the running file FD: replace it by a
   packed one or, if that fails, trim it.  If FD is negative, or cannot be
   written, complete the file where it is mapped.  */

static int
fold_and_complete (int fd, struct completion *now, struct rt_balances *balances)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  const bool appended = fd >= 0 && append_live (fd, balances) == 0;
  const int error = appended ? 0 : insert_live (balances);
  if (error != 0)
    return error;
  fold_live (now);
  rt_raw_finish ();
  if (fd >= 0 && rt_raw_replace (fd, now->now_ns, balances) == 0)
    return 0;
  /* Records inserted are not at the end of the file.  */
  if (appended)
    trim (fd, header);
  else if (fd >= 0)
    sys_truncate (fd, rt_raw_file.bytes);
  header->end_time_ns = now->now_ns;
  __atomic_store_n (&header->state, HEAPPROF_RAW_COMPLETE, __ATOMIC_RELEASE);
  return 0;
}

/* The accesses to memory other than samples before the profile was reset.  */
static uint64_t others_before;

/* Store in the header what is known only now, at NS.  */

static void
describe_now (uint64_t ns)
{
  rt_heap_size_look (ns);
  rt_heap_size_describe (rt_raw_header);
  const uint64_t others = rt_sample_bytes == 0 ? 0 : rt_shadow_sink_sum ();
  rt_raw_header->other_accesses = others == 0 ? 0 : others - others_before;
}

static int
complete_file (int fd, uint64_t end_ns)
{
  /* Static, as it may be too large for a signal handler's stack.  */
  static struct completion now;
  now = (struct completion){ .thread = rt_local.thread,
			     .now_ns = end_ns,
			     .cpu = sys_cpu () };
  describe_now (now.now_ns);
  const size_t bytes = rt_mib_places_now () * sizeof (struct heapprof_raw_live);
  struct rt_balances balances = { .records = rt_borrow (bytes) };
  int error = -ENOMEM;
  if (now.thread != NULL && balances.records != NULL)
    error = fold_and_complete (fd, &now, &balances);
  rt_give_back (balances.records, bytes);
  return error;
}

/* Complete the file, whose descriptor is FD or a negated error number, as of
   END_NS, and say what is missing.  The file can be completed even if it cannot
   be opened, as it is mapped; but then it may have been deleted.  */

static void
complete_and_report (int fd, uint64_t end_ns)
{
  const bool was_full = rt_raw_is_full ();
  const int error = complete_file (fd, end_ns);
  if (error != 0)
    rt_log ("%s: %e; profile is incomplete", rt_raw_path (),
	    fd < 0 ? fd : error);
  else if (fd == -ENOENT && was_full)
    ; /* that was said */
  else if (fd == -ENOENT)
    rt_log ("%s: %e; profile is complete, if it was not deleted",
	    rt_raw_path (), fd);
  else if (rt_options.verbose > 0)
    rt_log ("%s: profile of process %u written", rt_raw_path (),
	    rt_raw_header->pid);
  RT_DEBUG (1, "end: %s: %e", rt_raw_path (), error);
}

/* A program that allocated, but had no sample, has a profile, too: it says so,
   and that is an estimate.  Profiles of several runs would be wrong without
   it.  */

static void
begin_without_samples (void)
{
  if (rt_gate_is_mine () && rt_sample_has_begun ())
    rt_gate_open (true);
}

void
rt_complete (void)
{
  if (!rt_gate_is_mine ())
    return;
  begin_without_samples ();
  /* Wait in case another thread's exec is in progress and fails.  */
  rt_lock_waiting (&lock);
  rt_check_all (rt_local.thread);
  rt_watch_stop ();
  rt_affinity_stop ();
  const bool was_open = rt_gate_is_open () && RT_HOLDS (rt_raw_is_valid ());
  if (was_open)
    rt_mark_requested ();
  const uint64_t end_ns
    = (was_open && rt_options.finds_leaks ? rt_leak_check_at_end ()
					  : rt_raw_now_ns ());
  rt_gate_close ();
  if (was_open)
    {
      const int fd = rt_raw_open_again ();
      complete_and_report (fd, end_ns);
      if (fd >= 0)
	sys_close (fd);
    }
  rt_unlock (&lock);
}

static int
write_complete (int fd, void *data)
{
  (void) data;
  return rt_snapshot_write (fd, 0);
}

bool
rt_suspend (void)
{
  begin_without_samples ();
  rt_lock_waiting (&lock);
  if (!rt_gate_pause ())
    {
      rt_unlock (&lock);
      return false;
    }
  rt_affinity_end_window ();
  const int fd = rt_raw_open_again ();
  int error = fd;
  if (fd >= 0)
    {
      describe_now (rt_raw_now_ns ());
      error = rt_raw_replace_by (write_complete, NULL, fd);
      sys_close (fd);
    }
  is_over = error != 0;
  if (is_over)
    complete_and_report (error, rt_raw_now_ns ());
  RT_DEBUG (1, "exec: profile completed: %e", error);
  return true;
}

void
rt_continue (void)
{
  const int error = is_over ? -EROFS : rt_raw_create_again ();
  RT_DEBUG (1, "exec failed: profile continues: %e", error);
  if (error != 0)
    rt_log ("%s: %e; profiling stopped at failed exec", rt_raw_path (), error);
  rt_gate_resume (error == 0);
  rt_unlock (&lock);
}

/* Write snapshot NUMBER to FD and name it NAME, by renaming TEMPORARY, or if
   that is NULL, by giving the unnamed file a name.  */

static int
write_and_name (int fd, uint64_t number, const char *temporary,
		const char *name, bool in_turn)
{
  int error = rt_snapshot_write (fd, number);
  if (error == 0 && !in_turn)
    error = sys_sync (fd);
  if (error != 0)
    return error;
  if (temporary != NULL)
    return sys_rename (temporary, name);
  sys_remove_file (name);
  return sys_give_name (fd, name);
}

#define SNAPSHOT_NAME_BYTES (RT_PATH_BYTES + 32)

static void
name_snapshot (char name[SNAPSHOT_NAME_BYTES], uint64_t number)
{
  rt_format (name, SNAPSHOT_NAME_BYTES, "%s.%u", rt_raw_path (), number);
}

/* Write snapshot NUMBER; IN_TURN: as rt_dump_in_turn does.  It gets its name
   only when complete: either an unnamed file is linked, or a temporary one is
   renamed.  */

static int
make_snapshot (uint64_t number, bool in_turn)
{
  static bool has_failed; /* in turn, the last time */
  static char name[SNAPSHOT_NAME_BYTES], temporary[SNAPSHOT_NAME_BYTES];
  name_snapshot (name, number);
  rt_format (temporary, sizeof temporary, "%s.tmp", name);
  bool has_name;
  const int fd = rt_raw_open_beside (temporary, &has_name);
  const int error = fd < 0
		      ? fd
		      : write_and_name (fd, number, has_name ? temporary : NULL,
					name, in_turn);
  if (fd >= 0)
    sys_close (fd);
  RT_DEBUG (1, "snapshot: %s: %e", name, error);
  if (error != 0)
    {
      if (has_name)
	sys_remove_file (temporary);
      if (!in_turn || !has_failed)
	rt_log ("%s: %e; no snapshot written%s", name, error,
		rt_path_advice (error));
    }
  else if (rt_options.verbose > 0)
    rt_log ("%s: snapshot written", name);
  if (in_turn)
    has_failed = error != 0;
  return error;
}

/* Write the next snapshot, with LOCK.  Return 0 or a negative errno.  */

static int
make_next_snapshot (bool in_turn)
{
  rt_check_all (rt_local.thread);
  rt_affinity_end_window ();
  if (rt_options.finds_leaks && !in_turn)
    rt_leak_check ();
  rt_heap_size_begin ();
  describe_now (rt_raw_now_ns ());
  const int error = make_snapshot (snapshots + 1, in_turn);
  rt_heap_size_end ();
  if (error == 0)
    snapshots++;
  return error;
}

int
rt_dump (void)
{
  if (!rt_gate_is_open () && !rt_gate_open (true))
    return -1;
  rt_lock_waiting (&lock);
  const int error = make_next_snapshot (false);
  rt_unlock (&lock);
  return error == 0 ? 0 : -1;
}

void
rt_dump_in_turn (void)
{
  static char name[SNAPSHOT_NAME_BYTES];
  const unsigned kept = rt_options.snapshots_kept;
  if (!rt_gate_is_open ())
    return;
  rt_lock_waiting (&lock);
  if (make_next_snapshot (true) == 0 && kept > 0 && snapshots > kept)
    {
      name_snapshot (name, snapshots - kept);
      sys_remove_file (name);
    }
  rt_unlock (&lock);
}

int
rt_forget (void)
{
  if (!rt_gate_is_open () && !rt_gate_open (true))
    return -1;
  rt_lock_waiting (&lock);
  /* Each thread resets its MIBs when it next uses them.  */
  if (rt_epoch % RETIRE_EPOCHS == 0)
    rt_mib_retire_epochs ();
  const uint32_t epoch = rt_epoch_begin ();
  if (rt_histogram_is_on ())
    rt_histogram_forget ();
  rt_affinity_forget ();
  rt_leaks_forget ();
  rt_heap_size_forget (false);
  if (rt_sample_bytes != 0)
    {
      others_before = rt_shadow_sink_sum ();
      __atomic_store_n (&rt_raw_header->sample_accesses, 0, __ATOMIC_RELAXED);
    }
  rt_peak_forget ();
  rt_timeline_forget (rt_timeline (), rt_raw_now_ns ());
  __atomic_store_n (&rt_raw_header->epoch, rt_epoch_of_mibs (epoch),
		    __ATOMIC_RELEASE);
  rt_unlock (&lock);
  return 0;
}

static void
on_signal (int number)
{
  (void) number;
  if (rt_is_inside ())
    {
      __atomic_fetch_or (&rt_local.wanted, RT_WANT_DUMP, __ATOMIC_RELAXED);
      return;
    }
  rt_enter ();
  rt_note_stack ();
  rt_dump ();
  rt_forget_stack ();
  rt_leave ();
}

void
rt_dump_on_signal (int number)
{
  rt_handle_signal (number, on_signal);
}

void
rt_dump_reset_locks (void)
{
  rt_reset_lock (&lock);
  snapshots = 0;
  is_over = false;
}
