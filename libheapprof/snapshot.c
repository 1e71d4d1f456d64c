/* Writing a snapshot of the running profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The records are those of the running file when it was begun, each as it was
   at one moment, without MIBs that say nothing, and behind them a MIB for each
   context that has live blocks, which are folded into those.  A file that is
   complete is written in the same way, but its live blocks are folded in
   already.  */

#include "snapshot.h"
#include "arena.h"
#include "lock.h"
#include "mib-table.h"
#include "profile.h"
#include "raw-file.h"
#include "raw-output.h"
#include "sys.h"
#include <errno.h>
#include <string.h>

struct snapshot
{
  uint32_t counts[RT_TABLES];	/* of the records copied */
  uint32_t epoch;
  uint64_t now_ns;
  uint32_t cpu;

  /* The live blocks, folded: by context.  Entries that no block touches cost
     no memory.  */
  struct heapprof_raw_mib *live;
  uint32_t *numbers;		/* that the MIBs get; 0: not written */
  struct heapprof_raw_wide *wide; /* of all MIBs, number 0 unused */
  uint32_t wide_count;
  struct heapprof_raw_live *balances; /* blocks live by the MIBs copied */
  uint32_t balance_count;
};

static size_t
wide_max (const struct snapshot *snapshot)
{
  return (size_t) snapshot->counts[RT_MIBS] + snapshot->counts[RT_CONTEXTS]
	 + 1;
}

static bool
begin (struct snapshot *snapshot)
{
  memset (snapshot, 0, sizeof *snapshot);
  rt_lock (&rt_raw_lock);
  for (unsigned i = 0; i < RT_TABLES; i++)
    snapshot->counts[i] = rt_tables[i].count;
  rt_unlock (&rt_raw_lock);
  snapshot->epoch = rt_epoch;
  snapshot->now_ns = rt_raw_now_ns ();
  snapshot->cpu = sys_cpu ();
  snapshot->live = sys_map (snapshot->counts[RT_CONTEXTS]
			    * sizeof *snapshot->live);
  snapshot->wide = sys_map (wide_max (snapshot) * sizeof *snapshot->wide);
  snapshot->balances = sys_map (snapshot->counts[RT_MIBS]
				* sizeof *snapshot->balances);
  snapshot->numbers = sys_map (snapshot->counts[RT_MIBS]
			       * sizeof *snapshot->numbers);
  return snapshot->live != NULL && snapshot->wide != NULL
	 && snapshot->balances != NULL && snapshot->numbers != NULL;
}

static void
end (struct snapshot *snapshot)
{
  if (snapshot->live != NULL)
    sys_unmap (snapshot->live,
	       snapshot->counts[RT_CONTEXTS] * sizeof *snapshot->live);
  if (snapshot->wide != NULL)
    sys_unmap (snapshot->wide,
	       wide_max (snapshot) * sizeof *snapshot->wide);
  if (snapshot->balances != NULL)
    sys_unmap (snapshot->balances,
	       snapshot->counts[RT_MIBS] * sizeof *snapshot->balances);
  if (snapshot->numbers != NULL)
    sys_unmap (snapshot->numbers,
	       snapshot->counts[RT_MIBS] * sizeof *snapshot->numbers);
}

/* Number the MIBs that say something: 2 and on, 1 is the root's.  */

static void
number_mibs (struct snapshot *snapshot)
{
  uint32_t next = RT_ROOT_MIB;
  snapshot->numbers[RT_ROOT_MIB] = next++;
  for (uint32_t i = RT_ROOT_MIB + 1; i < snapshot->counts[RT_MIBS]; i++)
    {
      const struct heapprof_raw_mib *const mib = rt_mib_at (i);
      if (mib->epoch == rt_mib_epoch (snapshot->epoch)
	  && mib->context < snapshot->counts[RT_CONTEXTS])
	snapshot->numbers[i] = next++;
    }
}

static void
fold_live_block (const struct rt_block *block, void *data)
{
  struct snapshot *const snapshot = data;
  if (block->mib == 0 || block->mib >= snapshot->counts[RT_MIBS]
      || block->epoch != snapshot->epoch)
    return;
  const uint32_t context = rt_mib_at (block->mib)->context;
  if (context >= snapshot->counts[RT_CONTEXTS])
    return;
  struct heapprof_raw_mib *const mib = &snapshot->live[context];
  const struct rt_shadow_sum sum
    = rt_shadow_sum (rt_block_data (block), block->size);
  const struct rt_observation observation
    = rt_observe (block, &sum, snapshot->now_ns, snapshot->cpu);
  if (rt_fold_narrow (mib, &observation))
    return;
  if (mib->wide == 0)
    mib->wide = ++snapshot->wide_count;
  rt_fold_wide (mib, &snapshot->wide[mib->wide], &observation);
}

/* A context may have got a MIB after the MIBs to be written were numbered.  */

static void
put_contexts (struct rt_output *out, struct heapprof_raw_header *header,
	      const struct snapshot *snapshot)
{
  struct heapprof_raw_extent extent
    = rt_output_begin (out, HEAPPROF_RAW_CONTEXTS,
		       sizeof (struct heapprof_raw_context));
  for (uint32_t i = 0; i < snapshot->counts[RT_CONTEXTS]; i++)
    {
      struct heapprof_raw_context context = *rt_context_at (i);
      context.mib = context.mib < snapshot->counts[RT_MIBS]
		    ? snapshot->numbers[context.mib] : HEAPPROF_RAW_NO_INDEX;
      rt_output_record (out, &extent, &context);
    }
  rt_output_end (out, header, &extent);
}

/* Write a copy of the MIB number INDEX, and note how many blocks are live of
   those that it counted.  */

static void
copy_mib (struct rt_output *out, struct heapprof_raw_extent *extent,
	  struct snapshot *snapshot, uint32_t index)
{
  struct heapprof_raw_mib mib;
  struct heapprof_raw_wide wide;
  const uint32_t number = snapshot->numbers[index];
  memset (&wide, 0, sizeof wide);
  if (!rt_mib_copy (index, &mib, &wide))
    mib = (struct heapprof_raw_mib) { .context = mib.context };
  const struct heapprof_raw_live balance
    = rt_mib_balance (number, &mib, &wide);
  if (balance.count != 0 || balance.bytes != 0)
    snapshot->balances[snapshot->balance_count++] = balance;
  mib.changing = 0;
  if (mib.wide != 0)
    {
      mib.wide = ++snapshot->wide_count;
      wide.mib = number;
      snapshot->wide[mib.wide] = wide;
    }
  rt_output_record (out, extent, &mib);
}

static void
put_mibs (struct rt_output *out, struct heapprof_raw_header *header,
	  struct snapshot *snapshot)
{
  struct heapprof_raw_extent extent
    = rt_output_begin (out, HEAPPROF_RAW_MIBS,
		       sizeof (struct heapprof_raw_mib));
  static const struct heapprof_raw_mib unused;
  rt_output_record (out, &extent, &unused);
  for (uint32_t i = RT_ROOT_MIB; i < snapshot->counts[RT_MIBS]; i++)
    if (snapshot->numbers[i] != 0)
      copy_mib (out, &extent, snapshot, i);
  for (uint32_t i = 0; i < snapshot->counts[RT_CONTEXTS]; i++)
    {
      struct heapprof_raw_mib *const mib = &snapshot->live[i];
      if (mib->count == 0 && mib->wide == 0)
	continue;
      mib->context = i;
      mib->epoch = rt_mib_epoch (snapshot->epoch);
      snapshot->wide[mib->wide].mib = (uint32_t) extent.count;
      rt_output_record (out, &extent, mib);
    }
  rt_output_end (out, header, &extent);
}

/* COUNT records, which are not changed any more.  */

static void
put_array (struct rt_output *out, struct heapprof_raw_header *header,
	   enum heapprof_raw_kind kind, size_t record_bytes,
	   const void *records, uint32_t count)
{
  struct heapprof_raw_extent extent
    = rt_output_begin (out, kind, record_bytes);
  for (uint32_t i = 0; i < count; i++)
    rt_output_record (out, &extent,
		      (const char *) records + i * record_bytes);
  rt_output_end (out, header, &extent);
}

static void
put_table (struct rt_output *out, struct heapprof_raw_header *header,
	   const struct snapshot *snapshot, unsigned which)
{
  const struct rt_table *const table = &rt_tables[which];
  put_array (out, header, table->kind, table->record_bytes, table->records,
	     snapshot->counts[which]);
}

/* The balances of MIBs, from before their live blocks were folded in.  */

static void
set_balances (struct snapshot *snapshot,
	      const struct heapprof_raw_live *balances, uint32_t count)
{
  snapshot->balance_count = 0;
  for (uint32_t i = 0; i < count; i++)
    {
      struct heapprof_raw_live balance = balances[i];
      balance.mib = snapshot->numbers[balance.mib];
      snapshot->balances[snapshot->balance_count++] = balance;
    }
}

/* Begin the file: the header as it will be, and room for it.  */

static void
begin_output (struct rt_output *out, int fd,
	      struct heapprof_raw_header *header)
{
  *header = *rt_raw_header;
  header->extent_count = 0;
  memset (header->extents, 0, sizeof header->extents);
  header->header_bytes
    = HEAPPROF_RAW_FIXED_HEADER_BYTES
      + (RT_TABLES + 1) * sizeof (struct heapprof_raw_extent);
  *out = (struct rt_output) { .fd = fd, .offset = header->header_bytes };
}

static void
put_tables (struct rt_output *out, struct heapprof_raw_header *header,
	    struct snapshot *snapshot)
{
  header->end_time_ns = snapshot->now_ns;
  header->epoch = rt_mib_epoch (snapshot->epoch);
  put_contexts (out, header, snapshot);
  put_mibs (out, header, snapshot);
  put_table (out, header, snapshot, RT_SEGMENTS);
  put_table (out, header, snapshot, RT_STRINGS);
  snapshot->wide[0] = (struct heapprof_raw_wide) { .mib = 0 };
  put_array (out, header, HEAPPROF_RAW_WIDE, sizeof *snapshot->wide,
	     snapshot->wide,
	     snapshot->wide_count > 0 ? snapshot->wide_count + 1 : 0);
}

static int
end_output (struct rt_output *out, struct heapprof_raw_header *header,
	    const struct snapshot *snapshot)
{
  put_array (out, header, HEAPPROF_RAW_LIVE, sizeof *snapshot->balances,
	     snapshot->balances, snapshot->balance_count);
  out->offset = 0;
  rt_output_put (out, header, header->header_bytes);
  rt_output_flush (out);
  return out->error;
}

static struct heapprof_raw_header header;

int
rt_snapshot_write (int fd, uint64_t number)
{
  struct snapshot snapshot;
  struct rt_output out;
  int error = -ENOMEM;
  if (begin (&snapshot))
    {
      rt_arena_visit_live (fold_live_block, &snapshot);
      number_mibs (&snapshot);
      begin_output (&out, fd, &header);
      header.state = HEAPPROF_RAW_SNAPSHOT;
      header.snapshot = number;
      put_tables (&out, &header, &snapshot);
      error = end_output (&out, &header, &snapshot);
    }
  end (&snapshot);
  return error;
}

int
rt_snapshot_write_complete (int fd, uint64_t now_ns,
			    const struct heapprof_raw_live *balances,
			    uint32_t count)
{
  struct snapshot snapshot;
  struct rt_output out;
  int error = -ENOMEM;
  if (begin (&snapshot))
    {
      snapshot.now_ns = now_ns;
      number_mibs (&snapshot);
      begin_output (&out, fd, &header);
      header.state = HEAPPROF_RAW_COMPLETE;
      put_tables (&out, &header, &snapshot);
      set_balances (&snapshot, balances, count);
      error = end_output (&out, &header, &snapshot);
    }
  end (&snapshot);
  return error;
}
