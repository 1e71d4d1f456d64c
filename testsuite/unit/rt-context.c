/* Unit tests of the run-time library's context table and raw file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "context.h"
#include "invariant.h"
#include "context-tree.h"
#include "fold.h"
#include "interpreted.h"
#include "mib-table.h"
#include "raw-file.h"
#include "path.h"
#include "rt-lone-block.h"
#include "rt-unit.h"
#include "segment.h"
#include "thread.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SECOND UINT64_C (1000000000)

static void
begin_profile (void)
{
  strcpy (rt_options.file, "rt-context.tmp.%p");
  rt_path_start ();
  ck_assert (rt_context_start ());
  ck_assert (rt_raw_create ());
}

static void
end_profile (void)
{
  unlink (rt_raw_path ());
}

/* Return the MIB of the DEPTH addresses at PCS, outermost first.  */

static uint32_t
mib_of (struct rt_thread *thread, const uintptr_t *pcs, unsigned depth,
	unsigned common)
{
  for (unsigned i = common; i < depth; i++)
    thread->walker.walk.frames[i].pc = pcs[i];
  thread->walker.walk.depth = depth;
  thread->walker.walk.base = 0;
  uint32_t node, mib = 0;
  if (rt_context_find (&thread->walker, &thread->walker.walk, common, &node))
    mib = rt_mib_for_context (&thread->mibs, node);
  return mib != 0 ? mib : rt_mib_substitute (&thread->mibs, node);
}

START_TEST (contexts_are_told_apart)
{
  begin_profile ();
  struct rt_thread *const thread = rt_enter ();
  const uintptr_t a[] = { 10, 20, 30 }, b[] = { 10, 20, 31 }, c[] = { 10, 20 },
		  d[] = { 30, 20, 10 };
  const uint32_t mib_a = mib_of (thread, a, 3, 0);
  const uint32_t mib_b = mib_of (thread, b, 3, 2);
  const uint32_t mib_c = mib_of (thread, c, 2, 2);
  const uint32_t mib_d = mib_of (thread, d, 3, 0);
  ck_assert_uint_gt (mib_a, RT_ROOT_MIB);
  ck_assert (mib_a != mib_b && mib_a != mib_c && mib_a != mib_d
	     && mib_b != mib_c && mib_b != mib_d && mib_c != mib_d);
  ck_assert_uint_eq (mib_of (thread, a, 3, 0), mib_a);
  ck_assert_uint_eq (mib_of (thread, b, 3, 0), mib_b);
  /* The records in the file lead back to the root.  */
  uint32_t node = rt_mib_context (mib_b);
  for (unsigned i = 3; i-- > 0;)
    {
      ck_assert_uint_eq (rt_context_at (node)->return_address, b[i]);
      node = rt_context_at (node)->parent;
    }
  ck_assert_uint_eq (node, 0);
  /* Root, 10 20 30, 31, 30 20 10.  */
  ck_assert_uint_eq (rt_record_count (RT_CONTEXTS), 8);
  ck_assert (rt_context_is_valid ());
  rt_leave ();
  end_profile ();
}
END_TEST

/* A context that has a MIB can get callees, and one with callees a MIB.  Return
   addresses are told apart by all their bits.  */
START_TEST (contexts_have_mibs_and_callees)
{
  enum
  {
    CALLEES = 100
  };
  begin_profile ();
  struct rt_thread *const thread = rt_enter ();
  uintptr_t pcs[] = { 10, 20, 0 };
  const uint32_t outer = mib_of (thread, pcs, 2, 0);
  uint32_t mibs[CALLEES];
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < CALLEES; i++)
      {
	pcs[2] = ((uintptr_t) (i % 10) << 32) + 30 + i / 10;
	const uint32_t mib = mib_of (thread, pcs, 3, i % 3);
	if (round == 0)
	  mibs[i] = mib;
	ck_assert_uint_eq (mibs[i], mib);
	const uint32_t node = rt_mib_context (mib);
	ck_assert_uint_eq (rt_context_at (node)->return_address, pcs[2]);
	ck_assert_uint_eq (rt_context_at (node)->parent,
			   rt_mib_context (outer));
      }
  ck_assert_uint_eq (mib_of (thread, pcs, 2, 0), outer);
  const uint32_t first = mib_of (thread, pcs, 1, 0);
  ck_assert_uint_eq (rt_context_at (rt_mib_context (first))->return_address,
		     10);
  ck_assert_uint_eq (mib_of (thread, pcs, 1, 0), first);
  ck_assert_uint_eq (mib_of (thread, pcs, 2, 1), outer);
  ck_assert_uint_eq (rt_record_count (RT_CONTEXTS), 1 + 2 + CALLEES);
  ck_assert (rt_context_is_valid ());
  ck_assert (HEAPPROF_CHECKING == 0 || rt_mib_table_is_valid (&thread->mibs));
  rt_leave ();
  end_profile ();
}
END_TEST

/* Equal frames have one record, others have their own, however many there are;
   strings are stored once.  Contexts of them are found again.  */
START_TEST (interpreted_frames_are_stored_once)
{
  enum
  {
    FRAMES = 5000,
    FILES = 700
  };
  begin_profile ();
  struct rt_thread *const thread = rt_enter ();
  uint32_t strings = 0;
  for (int round = 0; round < 2; round++)
    {
      for (uint32_t i = 0; i < FRAMES; i++)
	{
	  char file[32];
	  snprintf (file, sizeof file, "/a/%u.py", (unsigned) (i % FILES));
	  const struct rt_interpreted frame
	    = { .file = file,
		.function = i % 2 == 0 ? "even" : "odd",
		.first_line = i / 100,
		.line = i };
	  ck_assert_uint_eq (rt_interpreted_find (&frame), i + 1);
	  const struct heapprof_raw_interpreted *const record
	    = rt_interpreted_at (i + 1);
	  ck_assert_str_eq (rt_tables[RT_STRINGS].records + record->file, file);
	  ck_assert_str_eq (rt_tables[RT_STRINGS].records + record->function,
			    frame.function);
	  ck_assert_uint_eq (record->line, i);
	  ck_assert_uint_eq (record->first_line, i / 100);
	  const uintptr_t pcs[] = { 10, rt_interpreted_address (i + 1), 20 };
	  const uint32_t mib = mib_of (thread, pcs, 3, 0);
	  ck_assert_uint_eq (mib_of (thread, pcs, 3, 0), mib);
	}
      if (round == 0)
	strings = rt_record_count (RT_STRINGS);
    }
  ck_assert_uint_eq (rt_record_count (RT_INTERPRETED), FRAMES + 1);
  ck_assert_uint_eq (rt_record_count (RT_STRINGS), strings);
  ck_assert_uint_lt (strings, FILES * 12 + 4200);
  /* Root, 10, and two of each frame.  */
  ck_assert_uint_eq (rt_record_count (RT_CONTEXTS), 2 + 2 * FRAMES);
  ck_assert (rt_context_is_valid ());
  ck_assert (!rt_is_interpreted (10));
  ck_assert (rt_is_interpreted (rt_interpreted_address (0)));
  rt_leave ();
  end_profile ();
}
END_TEST

START_TEST (table_and_file_grow)
{
  enum
  {
    CONTEXTS = 100000
  };
  static uint32_t mibs[CONTEXTS];
  begin_profile ();
  struct rt_thread *const thread = rt_enter ();
  for (uintptr_t i = 0; i < CONTEXTS; i++)
    {
      const uintptr_t pcs[] = { 100, i % 1000 + 1, i + 1 };
      mibs[i] = mib_of (thread, pcs, 3, 0);
    }
  ck_assert_uint_eq (rt_record_count (RT_CONTEXTS), 1 + 1 + 1000 + CONTEXTS);
  /* MIBs are allocated in chunks; the root's are the only ones that are not
     brief.  */
  ck_assert_uint_eq (rt_record_count (RT_MIBS), RT_MIB_CHUNK);
  ck_assert_uint_ge (rt_record_count (RT_BRIEFS), CONTEXTS);
  ck_assert_uint_lt (rt_record_count (RT_BRIEFS), RT_BRIEF_CHUNK + CONTEXTS);
  ck_assert (rt_context_is_valid ());
  for (uintptr_t i = 0; i < CONTEXTS; i++)
    {
      const uintptr_t pcs[] = { 100, i % 1000 + 1, i + 1 };
      ck_assert_uint_eq (mib_of (thread, pcs, 3, 0), mibs[i]);
    }
  /* The header lists all records, in consecutive extents.  */
  uint64_t contexts = 0, end = HEAPPROF_RAW_HEADER_BYTES;
  for (uint64_t i = 0; i < rt_raw_header->extent_count; i++)
    {
      const struct heapprof_raw_extent *const extent
	= &rt_raw_header->extents[i];
      ck_assert_uint_eq (extent->offset, end);
      ck_assert_uint_le (extent->count, extent->capacity);
      end += extent->capacity * extent->record_bytes;
      if (extent->kind == HEAPPROF_RAW_CONTEXTS)
	contexts += extent->count;
    }
  ck_assert_uint_eq (contexts, rt_record_count (RT_CONTEXTS));
  rt_leave ();
  end_profile ();
}
END_TEST

/* The observation of a block of SIZE bytes that lived for LIFETIME_NS, released
   at NOW_NS.  */

static struct rt_observation
block_that_lived (uint64_t size, uint64_t lifetime_ns, uint64_t now_ns)
{
  const struct lone_block lone = lone_block (size, 0, now_ns - lifetime_ns, 1);
  const struct rt_shadow_sum sum = { 10, 1, 1 };
  return rt_observe (&lone.block, &sum, now_ns, 1);
}

/* Fold one more block, of another size, into the brief MIB INDEX, whose blocks
   lived for FIRST to LAST seconds until NOW_NS.  It needs a MIB and a wide
   record.  */

static void
check_growth (struct rt_thread *thread, uint32_t index, uint64_t first,
	      uint64_t last, uint64_t now_ns)
{
  const struct rt_observation other = block_that_lived (5000, SECOND, now_ns);
  const uint32_t full
    = rt_fold_observation (thread, index, rt_epoch, &other, NULL, 0);
  struct heapprof_raw_mib mib;
  struct heapprof_raw_wide wide;
  struct heapprof_raw_moment moment;
  ck_assert_uint_eq (rt_mib_grown (index), full);
  ck_assert (rt_mib_copy (index, &mib, &wide, &moment));
  ck_assert_uint_ne (mib.wide, 0);
  ck_assert_uint_eq (wide.mib, full);
  const struct heapprof_raw_observations all
    = rt_mib_observations (&mib, &wide);
  const uint64_t blocks = last - first + 1;
  ck_assert_uint_eq (all.count, blocks + 1);
  ck_assert_uint_eq (all.lifetime_ns.total,
		     ((first + last) * blocks / 2 + 1) * SECOND);
  ck_assert_uint_eq (all.lifetime_ns.min, first == 0 ? 0 : SECOND);
  ck_assert_uint_eq (all.lifetime_ns.max, last * SECOND);
  ck_assert_uint_eq (all.first_alloc_ns, now_ns - last * SECOND);
  ck_assert_uint_eq (all.first_dealloc_ns, now_ns);
}

/* However long blocks live, those of a context need no more records.  */

START_TEST (long_lifetimes_take_no_memory)
{
  enum
  {
    CONTEXTS = 1000,
    BLOCKS = 20
  };
  const uint64_t now_ns = CONTEXTS * BLOCKS * SECOND;
  static uint32_t mibs[CONTEXTS];
  begin_profile ();
  struct rt_thread *const thread = rt_enter ();
  for (uintptr_t i = 0; i < CONTEXTS; i++)
    {
      const uintptr_t pcs[] = { 100, i + 1 };
      mibs[i] = mib_of (thread, pcs, 2, 0);
      for (uint64_t j = 0; j < BLOCKS; j++)
	{
	  const struct rt_observation seen
	    = block_that_lived (i, (i * BLOCKS + j) * SECOND, now_ns);
	  ck_assert (rt_brief_allocate (mibs[i], rt_epoch, i, j));
	  ck_assert_uint_eq (rt_fold_observation (thread, mibs[i], rt_epoch,
						  &seen, NULL, j),
			     mibs[i]);
	}
    }
  ck_assert_uint_eq (rt_record_count (RT_MIBS), RT_MIB_CHUNK);
  ck_assert_uint_eq (rt_record_count (RT_WIDE), 2);
  ck_assert_uint_lt (rt_record_count (RT_BRIEFS), RT_BRIEF_CHUNK + CONTEXTS);
  ck_assert_uint_eq (rt_record_count (RT_ORIGINS), rt_record_count (RT_BRIEFS));
  ck_assert_uint_le (rt_tables[RT_BRIEFS].record_bytes, 64);
  ck_assert_uint_le (rt_tables[RT_ORIGINS].record_bytes, 24);
  for (uint64_t i = 0; i < CONTEXTS; i++)
    check_growth (thread, mibs[i], i * BLOCKS, i * BLOCKS + BLOCKS - 1, now_ns);
  ck_assert_uint_eq (rt_record_count (RT_WIDE), 2 + CONTEXTS);
  ck_assert (rt_context_is_valid ());
  rt_leave ();
  end_profile ();
}
END_TEST

START_TEST (nodes_with_many_children_and_long_addresses)
{
  enum
  {
    CHILDREN = 2000
  };
  static uint32_t mibs[CHILDREN];
  begin_profile ();
  struct rt_thread *const thread = rt_enter ();
  for (int round = 0; round < 2; round++)
    for (uintptr_t i = 0; i < CHILDREN; i++)
      {
	/* The address for an odd I differs from the previous one only in bit
	   47.  */
	const uintptr_t high = (uintptr_t) (i % 2) << 47;
	const uintptr_t pcs[] = { 7, high + i / 2 + 1, 9 };
	const uint32_t mib = mib_of (thread, pcs, 3, 0);
	if (round == 0)
	  mibs[i] = mib;
	ck_assert_uint_eq (mibs[i], mib);
	const uint32_t node = rt_context_at (rt_mib_context (mib))->parent;
	ck_assert_uint_eq (rt_context_at (node)->return_address, pcs[1]);
      }
  ck_assert_uint_eq (rt_record_count (RT_CONTEXTS), 1 + 1 + 2 * CHILDREN);
  ck_assert (rt_context_is_valid ());
  rt_leave ();
  end_profile ();
}
END_TEST

/* Reference implementation of folding the DEPTH addresses at PCS: on each
   return to an address that is already there, drop the addresses since
   then.  */

static unsigned
fold (const uintptr_t *pcs, unsigned depth, uintptr_t *folded)
{
  unsigned length = 0;
  for (unsigned i = 0; i < depth; i++)
    {
      unsigned at = 0;
      while (at < length && folded[at] != pcs[i])
	at++;
      folded[at] = pcs[i];
      length = at + 1;
    }
  return length;
}

START_TEST (recursion_is_folded)
{
  enum
  {
    STEPS = 20000,
    DEPTH = 200
  };
  static uintptr_t pcs[DEPTH], folded[DEPTH];
  uint64_t shortened = 0, longest = 0;
  unsigned depth = 0;
  begin_profile ();
  rt_options.folds_recursion = true;
  struct rt_thread *const thread = rt_enter ();
  srandom (1);
  for (int i = 0; i < STEPS; i++)
    {
      /* Return some frames and enter others, of eight calls.  */
      const unsigned common = (unsigned) random () % (depth + 1);
      depth = common + (unsigned) random () % (DEPTH - common) / 8;
      for (unsigned level = common; level < depth; level++)
	pcs[level] = 100 + (uintptr_t) random () % 8;
      const uint32_t mib = mib_of (thread, pcs, depth, common);
      unsigned length = fold (pcs, depth, folded);
      shortened += length < depth;
      if (length > longest)
	longest = length;
      uint32_t node = rt_mib_context (mib);
      while (length > 0)
	{
	  ck_assert_uint_eq (rt_context_at (node)->return_address,
			     folded[--length]);
	  node = rt_context_at (node)->parent;
	}
      ck_assert_uint_eq (node, 0);
      ck_assert_uint_eq (rt_raw_header->folded_contexts, shortened);
    }
  ck_assert_uint_eq (longest, 8);
  ck_assert_uint_eq (rt_raw_header->truncated_contexts, 0);
  ck_assert (rt_context_is_valid ());
  rt_leave ();
  end_profile ();
}
END_TEST

START_TEST (folded_contexts_are_cut)
{
  begin_profile ();
  rt_options.folds_recursion = true;
  rt_options.max_depth = 3;
  struct rt_thread *const thread = rt_enter ();
  const uintptr_t pcs[] = { 1, 2, 3, 2, 3, 4 };
  /* 1 2 3 4 is too long; the last three are all different.  */
  const uint32_t cut = mib_of (thread, pcs, 6, 0);
  ck_assert_uint_eq (thread->walker.walk.base, 3);
  ck_assert_uint_eq (rt_raw_header->truncated_contexts, 1);
  ck_assert_uint_eq (rt_raw_header->folded_contexts, 0);
  const uint32_t whole = mib_of (thread, pcs, 5, 0);
  ck_assert_uint_eq (rt_raw_header->truncated_contexts, 1);
  ck_assert_uint_eq (rt_raw_header->folded_contexts, 1);
  const uintptr_t same[] = { 1, 2, 3 }, tail[] = { 2, 3, 4 };
  ck_assert_uint_eq (mib_of (thread, same, 3, 0), whole);
  ck_assert_uint_eq (mib_of (thread, tail, 3, 0), cut);
  rt_leave ();
  end_profile ();
}
END_TEST

/* Return the bytes of records, and of nodes in memory.  */

static uint64_t
bytes_taken (void)
{
  uint64_t bytes = sizeof (struct rt_node) * rt_record_count (RT_CONTEXTS);
  for (unsigned i = 0; i < RT_TABLES; i++)
    bytes += (uint64_t) rt_record_count (i) * rt_tables[i].record_bytes;
  return bytes;
}

START_TEST (memory_is_limited)
{
  enum
  {
    LIMIT = 100000,
    CONTEXTS = 3000
  };
  begin_profile ();
  rt_options.max_memory = LIMIT;
  struct rt_thread *const thread = rt_enter ();
  const uintptr_t first[] = { 100, 200 };
  const uint32_t first_mib = mib_of (thread, first, 2, 0);
  uint64_t pruned = 0;
  for (uintptr_t i = 0; i < CONTEXTS; i++)
    {
      const uintptr_t pcs[] = { 100, 1000 + i / 50, 5000 + i, 300 };
      const uint32_t mib = mib_of (thread, pcs, 4, i % 50 == 0 ? 0 : 2);
      const struct heapprof_raw_context *node
	= rt_context_at (rt_mib_context (mib));
      /* The context, or a prefix of it.  */
      const bool is_whole = node->return_address == 300;
      pruned += !is_whole;
      ck_assert_uint_eq (rt_raw_header->pruned_contexts, pruned);
      for (int level = is_whole ? 3 : 2;
	   node != rt_context_at (0) && level >= 0; level--)
	{
	  if (!is_whole && node->return_address != pcs[level])
	    continue;
	  ck_assert_uint_eq (node->return_address, pcs[level]);
	  node = rt_context_at (node->parent);
	}
      ck_assert_ptr_eq (node, rt_context_at (0));
    }
  ck_assert_uint_gt (pruned, 0);
  ck_assert_uint_lt (pruned, CONTEXTS);
  ck_assert_uint_le (bytes_taken (), LIMIT);
  /* MIBs may grow to three times this size.  */
  ck_assert_uint_gt (bytes_taken (), LIMIT / 4);
  ck_assert_uint_eq (rt_raw_header->dropped_contexts, 0);
  ck_assert_uint_eq (mib_of (thread, first, 2, 0), first_mib);
  ck_assert_uint_eq (rt_raw_header->pruned_contexts, pruned);
  ck_assert (rt_context_is_valid ());
  rt_leave ();
  end_profile ();
}
END_TEST

START_TEST (purged_addresses_get_new_nodes)
{
  begin_profile ();
  struct rt_thread *const thread = rt_enter ();
  const uintptr_t pcs[] = { 5000, 6000, 7000 };
  const uint32_t before = mib_of (thread, pcs, 3, 0);
  rt_lock (&rt_raw_lock);
  rt_context_purge (5500, 6500);
  rt_unlock (&rt_raw_lock);
  /* The walk that the thread remembers is not reused either.  */
  const uint32_t after = mib_of (thread, pcs, 3, 3);
  ck_assert_uint_ne (before, after);
  const uint32_t node = rt_mib_context (after);
  const uint32_t purged = rt_mib_context (before);
  ck_assert_uint_ne (rt_context_at (node)->parent,
		     rt_context_at (purged)->parent);
  ck_assert (rt_context_is_valid ());
  rt_leave ();
  end_profile ();
}
END_TEST

START_TEST (full_tables_give_the_root)
{
  begin_profile ();
  struct rt_thread *const thread = rt_enter ();
  const uintptr_t known[] = { 1000, 2000 };
  const uint32_t mib = mib_of (thread, known, 2, 0);
  rt_raw_finish ();
  const uintptr_t unknown[] = { 1000, 3000 };
  ck_assert_uint_eq (mib_of (thread, unknown, 2, 0), RT_ROOT_MIB);
  ck_assert_uint_eq (rt_raw_header->dropped_contexts, 1);
  ck_assert_uint_eq (mib_of (thread, known, 2, 0), mib);
  ck_assert_uint_eq (rt_raw_header->dropped_contexts, 1);
  rt_leave ();
  end_profile ();
}
END_TEST

START_TEST (strings_lie_in_one_extent)
{
  static char text[6000];
  begin_profile ();
  memset (text, 'x', sizeof text - 1);
  uint64_t offsets[10];
  for (unsigned i = 0; i < 10; i++)
    {
      text[0] = (char) ('a' + i);
      offsets[i] = rt_raw_add_string (text);
      ck_assert_uint_ne (offsets[i], 0);
    }
  for (unsigned i = 0; i < 10; i++)
    {
      uint64_t first = 0;
      bool fits = false;
      for (uint64_t j = 0; j < rt_raw_header->extent_count; j++)
	{
	  const struct heapprof_raw_extent *const extent
	    = &rt_raw_header->extents[j];
	  if (extent->kind != HEAPPROF_RAW_STRINGS)
	    continue;
	  fits = fits
		 || (offsets[i] >= first
		     && offsets[i] + sizeof text <= first + extent->count);
	  first += extent->count;
	}
      ck_assert (fits);
      const char *const string = rt_tables[RT_STRINGS].records + offsets[i];
      ck_assert_int_eq (string[0], 'a' + (int) i);
      ck_assert_uint_eq (strlen (string), sizeof text - 1);
    }
  end_profile ();
}
END_TEST

RT_UNIT_MAIN (contexts_are_told_apart, contexts_have_mibs_and_callees,
	      table_and_file_grow, long_lifetimes_take_no_memory,
	      interpreted_frames_are_stored_once,
	      nodes_with_many_children_and_long_addresses, recursion_is_folded,
	      folded_contexts_are_cut, memory_is_limited,
	      purged_addresses_get_new_nodes, full_tables_give_the_root,
	      strings_lie_in_one_extent)
