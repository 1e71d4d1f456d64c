/* Completing the profile, snapshots of it, forgetting it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "dump.h"
#include "arena.h"
#include "gate.h"
#include "lock.h"
#include "log.h"
#include "mib.h"
#include "options.h"
#include "profile.h"
#include "raw-file.h"
#include "sys.h"
#include "thread.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

static struct rt_lock lock;
static uint64_t snapshots;

/* Records are written through this; guarded by the lock.  */
static char buffer[16 * SYS_PAGE_BYTES];

/* The live blocks, folded: one entry for each MIB.  */
struct live
{
  uint32_t mibs;		/* entries; MIBs added since are not folded */
  struct heapprof_raw_observations *observations;
  uint64_t now_ns;
  uint32_t cpu;
};

static void
fold_live_block (const struct rt_block *block, void *data)
{
  struct live *const live = data;
  if (block->mib == 0 || block->mib >= live->mibs || block->epoch != rt_epoch)
    return;
  const struct rt_shadow_sum sum
    = rt_shadow_sum (rt_block_data (block), block->size);
  const struct rt_observation observation
    = rt_observe (block, &sum, live->now_ns, live->cpu);
  rt_fold (&live->observations[block->mib], &observation);
}

/* Fold the live blocks of the first MIBS MIBs; false if there is no memory.
   Entries that no block touches cost none.  */

static bool
fold_live_blocks (struct live *live, uint32_t mibs)
{
  live->mibs = mibs;
  live->now_ns = rt_raw_now_ns ();
  live->cpu = sys_cpu ();
  live->observations = sys_map (mibs * sizeof *live->observations);
  if (live->observations == NULL)
    return false;
  rt_arena_visit_live (fold_live_block, live);
  return true;
}

static void
free_live (struct live *live)
{
  sys_unmap (live->observations, live->mibs * sizeof *live->observations);
}

/* An output file being written, records collected in the buffer.  */
struct output
{
  int fd;
  uint64_t offset;		/* of the buffer's first byte */
  size_t used;
  int error;
};

static void
flush_output (struct output *out)
{
  if (out->error == 0 && out->used > 0)
    out->error = sys_write_at (out->fd, buffer, out->used, out->offset);
  out->offset += out->used;
  out->used = 0;
}

static void
put (struct output *out, const void *record, size_t bytes)
{
  if (out->used + bytes > sizeof buffer)
    flush_output (out);
  memcpy (buffer + out->used, record, bytes);
  out->used += bytes;
}

/* Write the live records at OUT and describe them in *EXTENT.  */

static void
write_live (struct output *out, const struct live *live,
	    struct heapprof_raw_extent *extent)
{
  struct heapprof_raw_live record;
  *extent = (struct heapprof_raw_extent) {
    .kind = HEAPPROF_RAW_LIVE, .record_bytes = sizeof record,
    .offset = out->offset
  };
  record.reserved = 0;
  for (uint32_t i = 0; i < live->mibs; i++)
    if (live->observations[i].count > 0)
      {
	record.mib = i;
	record.observations = live->observations[i];
	put (out, &record, sizeof record);
	extent->count++;
      }
  extent->capacity = extent->count;
  flush_output (out);
}

/* Give back the room of extents that is not used.  The file's mappings stay:
   nothing is added to the tables any more.  */

static void
trim (int fd, struct heapprof_raw_header *header)
{
  const uint64_t page = SYS_PAGE_BYTES;
  const uint64_t last = header->extent_count - 1;
  for (uint64_t i = 0; i <= last; i++)
    {
      struct heapprof_raw_extent *const extent = &header->extents[i];
      const uint64_t used = extent->offset
			    + extent->count * extent->record_bytes;
      const uint64_t end = extent->offset
			   + extent->capacity * extent->record_bytes;
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

/* Add the live blocks to the running file FD, trim it, mark it complete.  */

static int
complete_file (int fd)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  struct live live;
  struct heapprof_raw_extent extent;
  if (!fold_live_blocks (&live, rt_record_count (RT_MIBS)))
    return -ENOMEM;
  struct output out = { .fd = fd, .offset = rt_raw_finish () };
  write_live (&out, &live, &extent);
  free_live (&live);
  if (out.error == 0 && extent.count > 0
      && header->extent_count == HEAPPROF_RAW_MAX_EXTENTS)
    out.error = -EFBIG;
  if (out.error != 0)
    return out.error;
  if (extent.count > 0)
    {
      header->extents[header->extent_count] = extent;
      __atomic_store_n (&header->extent_count, header->extent_count + 1,
			__ATOMIC_RELEASE);
    }
  trim (fd, header);
  header->end_time_ns = live.now_ns;
  __atomic_store_n (&header->state, HEAPPROF_RAW_COMPLETE, __ATOMIC_RELEASE);
  return 0;
}

void
rt_complete (void)
{
  if (!rt_gate_is_recording ())
    return;
  rt_lock (&lock);
  const bool was_open = rt_gate_is_open ();
  rt_gate_close ();
  if (was_open)
    {
      const int fd = rt_raw_open_again ();
      const int error = fd < 0 ? fd : complete_file (fd);
      if (fd >= 0)
	sys_close (fd);
      if (error != 0)
	rt_log ("%s: %e; the profile stays incomplete", rt_raw_path (),
		error);
      else if (rt_options.verbose > 0)
	rt_log ("%s: profile of process %u written", rt_raw_path (),
		rt_raw_header->pid);
    }
  rt_unlock (&lock);
}

/* The snapshot's header, and where its parts lie.  */

static void
add_snapshot_extent (struct heapprof_raw_header *header, unsigned which,
		     uint32_t count, uint64_t *offset)
{
  const struct rt_table *const table = &rt_tables[which];
  const uint64_t bytes = (uint64_t) count * table->record_bytes;
  header->extents[header->extent_count++] = (struct heapprof_raw_extent) {
    .kind = table->kind, .record_bytes = table->record_bytes,
    .offset = *offset, .capacity = count, .count = count
  };
  *offset = (*offset + bytes + SYS_PAGE_BYTES - 1)
	    & -(uint64_t) SYS_PAGE_BYTES;
}

/* Copy one record of the running file, as it is at one moment.  A context may
   have got a MIB after the MIBs to be written were counted.  */

static void
put_record (struct output *out, unsigned which, uint32_t index, uint32_t mibs)
{
  if (which == RT_CONTEXTS)
    {
      struct heapprof_raw_context context = *rt_context_at (index);
      if (context.mib >= mibs)
	context.mib = HEAPPROF_RAW_NO_INDEX;
      put (out, &context, sizeof context);
    }
  else if (which == RT_MIBS)
    {
      struct heapprof_raw_mib *const mib = rt_mib_at (index);
      rt_mib_begin (mib);
      struct heapprof_raw_mib copy = *mib;
      rt_mib_end (mib);
      copy.sequence = 0;
      put (out, &copy, sizeof copy);
    }
  else
    {
      const struct rt_table *const table = &rt_tables[which];
      put (out, table->records + (size_t) index * table->record_bytes,
	   table->record_bytes);
    }
}

static void
count_records (uint32_t counts[RT_TABLES])
{
  rt_lock (&rt_raw_lock);
  for (unsigned i = 0; i < RT_TABLES; i++)
    counts[i] = rt_tables[i].count;
  rt_unlock (&rt_raw_lock);
}

static int
write_snapshot (int fd, uint64_t number)
{
  static struct heapprof_raw_header header;
  uint32_t counts[RT_TABLES];
  struct live live;
  count_records (counts);
  if (!fold_live_blocks (&live, counts[RT_MIBS]))
    return -ENOMEM;
  header = *rt_raw_header;
  header.state = HEAPPROF_RAW_SNAPSHOT;
  header.snapshot = number;
  header.end_time_ns = live.now_ns;
  header.extent_count = 0;
  memset (header.extents, 0, sizeof header.extents);

  struct output out = { .fd = fd };
  uint64_t end = sizeof header;
  for (unsigned table = 0; table < RT_TABLES; table++)
    {
      add_snapshot_extent (&header, table, counts[table], &end);
      out.offset = header.extents[table].offset;
      for (uint32_t i = 0; i < counts[table]; i++)
	put_record (&out, table, i, counts[RT_MIBS]);
      flush_output (&out);
    }
  out.offset = end;
  write_live (&out, &live, &header.extents[header.extent_count]);
  if (header.extents[header.extent_count].count > 0)
    header.extent_count++;
  free_live (&live);
  out.offset = 0;
  put (&out, &header, sizeof header);
  flush_output (&out);
  return out.error;
}

/* Write snapshot NUMBER to FD and give that the name NAME, by renaming
   TEMPORARY, or if that is NULL, because it has no name yet.  */

static int
write_and_name (int fd, uint64_t number, const char *temporary,
		const char *name)
{
  int error = write_snapshot (fd, number);
  if (error == 0)
    error = sys_sync (fd);
  if (error != 0)
    return error;
  if (temporary != NULL)
    return sys_rename (temporary, name);
  sys_remove_file (name);
  return sys_give_name (fd, name);
}

/* Write snapshot NUMBER.  It has its name when it is whole: a file without a
   name gets it, or a temporary one is renamed.  */

static int
make_snapshot (uint64_t number)
{
  static char name[RT_PATH_BYTES + 32], temporary[RT_PATH_BYTES + 32];
  rt_format (name, sizeof name, "%s.%u", rt_raw_path (), number);
  rt_format (temporary, sizeof temporary, "%s.tmp", name);
  int fd = rt_raw_open_unnamed ();
  const bool is_unnamed = fd >= 0;
  if (!is_unnamed)
    {
      sys_remove_file (temporary);
      fd = sys_open (temporary, O_RDWR | O_CREAT | O_EXCL, 0666);
    }
  const int error = fd < 0 ? fd
		    : write_and_name (fd, number,
				      is_unnamed ? NULL : temporary, name);
  if (fd >= 0)
    sys_close (fd);
  if (error != 0)
    {
      if (!is_unnamed)
	sys_remove_file (temporary);
      rt_log ("%s: %e; no snapshot", name, error);
    }
  else if (rt_options.verbose > 0)
    rt_log ("%s: snapshot written", name);
  return error;
}

int
rt_dump (void)
{
  if (!rt_gate_is_open () && !rt_gate_open (true))
    return -1;
  rt_lock (&lock);
  const int error = make_snapshot (snapshots + 1);
  if (error == 0)
    snapshots++;
  rt_unlock (&lock);
  return error == 0 ? 0 : -1;
}

int
rt_forget (void)
{
  if (!rt_gate_is_open () && !rt_gate_open (true))
    return -1;
  rt_lock (&lock);
  __atomic_fetch_add (&rt_epoch, 1, __ATOMIC_ACQ_REL);
  const uint32_t mibs = rt_record_count (RT_MIBS);
  for (uint32_t i = 1; i < mibs; i++)
    {
      struct heapprof_raw_mib *const mib = rt_mib_at (i);
      rt_mib_begin (mib);
      memset (&mib->freed, 0, sizeof mib->freed);
      __atomic_store_n (&mib->alloc_count, 0, __ATOMIC_RELAXED);
      __atomic_store_n (&mib->alloc_bytes, 0, __ATOMIC_RELAXED);
      rt_mib_end (mib);
    }
  rt_unlock (&lock);
  return 0;
}

static void
on_signal (int number)
{
  (void) number;
  if (rt_is_inside ())
    {
      rt_local.dump_wanted = true;
      return;
    }
  rt_enter ();
  rt_dump ();
  rt_leave ();
}

void
rt_dump_on_signal (int number)
{
  struct sigaction action = { .sa_handler = on_signal,
			      .sa_flags = SA_RESTART };
  const int saved = errno;
  sigemptyset (&action.sa_mask);
  if (sigaction (number, &action, NULL) != 0)
    rt_log ("cannot handle signal %d", number);
  errno = saved;
}

void
rt_dump_reset_locks (void)
{
  rt_reset_lock (&lock);
  snapshots = 0;
}
