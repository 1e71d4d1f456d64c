/* Writing a snapshot of the running profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The records are those that the running file had at the start of the snapshot,
   each as it was at one moment, followed by a MIB for each context with live
   blocks, into which these are folded.  The file is packed (raw-pack.c).  */

#include "snapshot.h"
#include "affinity.h"
#include "arena.h"
#include "bytes.h"
#include "histogram.h"
#include "leaks.h"
#include "loan.h"
#include "lock.h"
#include "mib-table.h"
#include "mib.h"
#include "raw-file.h"
#include "raw-pack.h"
#include "resident.h"
#include "sys.h"
#include "timeline.h"
#include <errno.h>

struct snapshot
{
  uint32_t counts[RT_TABLES]; /* number of records copied */
  uint32_t epoch;
  uint64_t now_ns;
  uint32_t cpu;
  uint64_t accesses; /* to live blocks */

  /* The live blocks, folded by context.  Unused entries take no memory.  */
  struct heapprof_raw_mib *live;
  struct heapprof_raw_wide *wide; /* of these; number 0 is unused */
  uint32_t wide_count;
};

static size_t
wide_max (const struct snapshot *snapshot)
{
  return (size_t) snapshot->counts[RT_CONTEXTS] + 1;
}

static bool
begin (struct snapshot *snapshot)
{
  own_memset (snapshot, 0, sizeof *snapshot);
  rt_lock (&rt_raw_lock);
  for (unsigned i = 0; i < RT_TABLES; i++)
    snapshot->counts[i] = rt_tables[i].count;
  rt_unlock (&rt_raw_lock);
  snapshot->epoch = rt_epoch;
  snapshot->now_ns = rt_raw_now_ns ();
  snapshot->cpu = sys_cpu ();
  snapshot->live
    = rt_borrow (snapshot->counts[RT_CONTEXTS] * sizeof *snapshot->live);
  snapshot->wide = rt_borrow (wide_max (snapshot) * sizeof *snapshot->wide);
  return snapshot->live != NULL && snapshot->wide != NULL;
}

static void
end (struct snapshot *snapshot)
{
  rt_give_back (snapshot->live,
		snapshot->counts[RT_CONTEXTS] * sizeof *snapshot->live);
  rt_give_back (snapshot->wide, wide_max (snapshot) * sizeof *snapshot->wide);
}

/* True if the MIB of BLOCK is copied, and BLOCK is live in it.  */

static bool
is_counted (const struct snapshot *snapshot, const struct rt_block *block)
{
  const uint32_t number = block->mib & ~HEAPPROF_RAW_BRIEF;
  return block->mib != 0
	 && number
	      < snapshot
		  ->counts[rt_mib_is_brief (block->mib) ? RT_BRIEFS : RT_MIBS]
	 && rt_block_is_of (block, snapshot->epoch);
}

static void
fold_live_block (const struct rt_block *block, void *data)
{
  struct snapshot *const snapshot = data;
  if (!is_counted (snapshot, block))
    return;
  const uint32_t context = rt_mib_context (block->mib);
  if (context >= snapshot->counts[RT_CONTEXTS])
    return;
  struct heapprof_raw_mib *const mib = &snapshot->live[context];
  const struct rt_shadow_sum sum
    = rt_shadow_sum (rt_block_data (block), rt_block_size (block));
  const struct rt_observation observation
    = rt_observe (block, &sum, snapshot->now_ns, snapshot->cpu);
  snapshot->accesses += observation.accesses;
  if (rt_sample_bytes == 0 && rt_fold_narrow (mib, &observation))
    return;
  if (mib->wide == 0)
    mib->wide = ++snapshot->wide_count;
  const struct rt_estimate estimate
    = rt_block_estimate (observation.size, block->state);
  rt_fold_wide (mib, &snapshot->wide[mib->wide], &observation,
		rt_sample_bytes == 0 ? NULL : &estimate);
}

/* Return the number of MIBs that are copied.  */

static uint32_t
copied_mibs (const struct snapshot *snapshot)
{
  return rt_mib_places (snapshot->counts[RT_MIBS], snapshot->counts[RT_BRIEFS]);
}

/* Return the MIBs of the running file, each as it is at one moment, which have
   counted the live blocks but not folded them in; then those that they are
   folded into.  */

static bool
get_mib (void *data, uint32_t place, struct rt_pack_mib *mib)
{
  const struct snapshot *const snapshot = data;
  const uint32_t copied = copied_mibs (snapshot);
  if (place >= copied)
    {
      const struct heapprof_raw_mib *const live
	= &snapshot->live[place - copied];
      if (live->count == 0 && live->wide == 0)
	return false;
      mib->record = *live;
      mib->record.context = place - copied;
      mib->wide = snapshot->wide[live->wide];
      /* Counted in the MIBs that allocated them.  */
      mib->moment = (struct heapprof_raw_moment){
	.number
	= (uint32_t) __atomic_load_n (&rt_peak_number, __ATOMIC_RELAXED),
	.temporary = (uint64_t) UINT16_MAX << HEAPPROF_RAW_TEMPORARY_BITS
      };
      return true;
    }
  const uint32_t index = rt_mib_at_place (place, snapshot->counts[RT_MIBS]);
  if (!rt_mib_copy (index, &mib->record, &mib->wide, &mib->moment))
    return false;
  const struct heapprof_raw_live live
    = rt_mib_balance (index, &mib->record,
		      mib->record.wide == 0 ? NULL : &mib->wide);
  mib->live_count = live.count;
  mib->live_bytes = live.bytes;
  return true;
}

static void
put_histogram (const struct rt_block *block, void *data)
{
  const struct snapshot *const snapshot = data;
  if (!is_counted (snapshot, block))
    return;
  const uint32_t context = rt_mib_context (block->mib);
  if (context < snapshot->counts[RT_CONTEXTS])
    rt_histogram_pack_block (context, rt_block_data (block),
			     rt_block_size (block));
}

static void
put_histograms (void *data, uint32_t context_count)
{
  rt_histogram_pack (context_count);
  rt_arena_visit_live (put_histogram, data);
}

static int
put_all (int fd, uint64_t number, struct snapshot *snapshot)
{
  static struct heapprof_raw_header header;
  const struct rt_pack_source source
    = { .header = &header,
	.context_count = snapshot->counts[RT_CONTEXTS],
	.segment_count = snapshot->counts[RT_SEGMENTS],
	.mib_count = copied_mibs (snapshot) + snapshot->counts[RT_CONTEXTS],
	.data = snapshot,
	.leave_context = rt_resident_leave_behind,
	.get_mib = get_mib,
	.put_histograms = rt_histogram_is_on () ? put_histograms : NULL,
	.put_affinities = rt_affinity_is_recorded () ? rt_affinity_pack : NULL,
	.timeline = rt_timeline (),
	.mark_count = snapshot->counts[RT_MARKS],
	.thread_count = snapshot->counts[RT_THREADS],
	.has_leaks = rt_leaks_are_known () };
  own_memcpy (&header, rt_raw_header, sizeof header);
  header.state = number == 0 ? HEAPPROF_RAW_COMPLETE : HEAPPROF_RAW_SNAPSHOT;
  header.snapshot = number;
  header.end_time_ns = snapshot->now_ns;
  if (rt_sample_bytes != 0)
    header.sample_accesses += snapshot->accesses;
  return rt_pack (&source, fd);
}

int
rt_snapshot_write (int fd, uint64_t number)
{
  struct snapshot snapshot;
  int error = -ENOMEM;
  if (begin (&snapshot))
    {
      rt_arena_visit_live (fold_live_block, &snapshot);
      error = put_all (fd, number, &snapshot);
    }
  end (&snapshot);
  return error;
}
