/* Unit tests of the run-time library's invariants: each data structure is
   damaged in one place, and its check must detect it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "arena.h"
#include "context-chain.h"
#include "context.h"
#include "epoch.h"
#include "path.h"
#include "rt-unit.h"
#include "segment.h"
#include "shadow.h"
#include "sound.h"
#include "span.h"
#include "seen-damage.h"
#include <string.h>
#include <unistd.h>

static struct rt_thread *thread;
static struct rt_block *block; /* live, of 100 bytes, counted */
static const uintptr_t pcs[] = { 1000, 2000, 3000 };

/* Return the context of PCS, as if the stack had been walked.  */

static uint32_t
take_context (void)
{
  struct rt_walk *const walk = &thread->walker.walk;
  uint32_t node;
  for (unsigned i = 0; i < 3; i++)
    walk->frames[i].pc = pcs[i];
  walk->depth = 3;
  ck_assert (rt_context_find (&thread->walker, walk, 0, &node));
  return rt_mib_for_context (&thread->mibs, node);
}

static void
begin (void)
{
  bool zeroed;
  strcpy (rt_options.file, "rt-sound.tmp.%p");
  rt_path_start ();
  ck_assert (rt_context_start ());
  ck_assert (rt_raw_create ());
  thread = rt_enter ();
  ck_assert_ptr_nonnull (thread);
  block = rt_arena_allocate (&thread->caches, 100, 32, &zeroed);
  ck_assert_ptr_nonnull (block);
  rt_block_begin (block, take_context (), rt_epoch, 0, 0);
  rt_chain_set (&thread->walker.chain, rt_mib_context (block->mib));
  struct rt_memo *const memo = &thread->walker.memo;
  memo->entries[0] = (struct rt_memo_entry){
    .frame = 4096, .mib = block->mib, .pairs = 2, .reads = 3
  };
  memo->next = 3;
}

static bool
all_are_valid (void)
{
  const struct rt_walker *const walker = &thread->walker;
  return rt_arena_is_valid (&thread->caches) && rt_span_is_valid ()
	 && rt_raw_is_valid () && rt_context_is_valid ()
	 && rt_walk_is_valid (&walker->walk)
	 && rt_chain_is_valid (&walker->chain) && rt_segment_is_valid ()
	 && rt_mib_table_is_valid (&thread->mibs)
	 && rt_memo_is_valid (&walker->memo)
	 && rt_shadow_is_clear (rt_block_data (block), rt_block_size (block));
}

static void
end (void)
{
  rt_arena_release (&thread->caches, block);
  rt_leave ();
  unlink (rt_raw_path ());
}

#define SEES(is_valid, word, damage)                                           \
  SEEN_DAMAGE (is_valid, all_are_valid (), word, damage)

START_TEST (sound_structures_pass)
{
  begin ();
  ck_assert (all_are_valid ());
  end ();
}
END_TEST

START_TEST (caches)
{
  begin ();
  struct rt_cache *const cache = &thread->caches.of_class[block->size_class];
  bool zeroed;
  struct rt_block *const other
    = rt_arena_allocate (&thread->caches, 100, 32, &zeroed);
  rt_arena_release (&thread->caches, other);
  ck_assert_ptr_nonnull (cache->free);
  SEES (rt_arena_is_valid (&thread->caches), cache->free_count, 1);
  SEES (rt_arena_is_valid (&thread->caches), cache->run, 32);
  /* A free slot that is live, as after two releases of one block.  */
  SEES (rt_arena_is_valid (&thread->caches), cache->free->state, RT_BLOCK_LIVE);
  /* A slot of another class in the list.  */
  struct rt_block *const large
    = rt_arena_allocate (&thread->caches, 1000, 32, &zeroed);
  SEES (rt_arena_is_valid (&thread->caches), cache->free, large - cache->free);
  /* Granules that were not handed out.  */
  SEES (rt_arena_is_valid (&thread->caches), thread->caches.granule_end, 64);
  rt_arena_release (&thread->caches, large);
  end ();
}
END_TEST

START_TEST (spans)
{
  begin ();
  bool apart;
  struct rt_span *const span = rt_span_find (rt_block_data (block), &apart);
  SEES (rt_span_is_valid (), span->handed_out, span->slots.count);
  SEES (rt_span_is_valid (), span->start, 32);
  SEES (rt_span_is_valid (), span->bytes, RT_SPAN_PAGE_BYTES << 10);
  end ();
}
END_TEST

START_TEST (raw_file)
{
  begin ();
  SEES (rt_raw_is_valid (), rt_raw_header->magic[0], 1);
  SEES (rt_raw_is_valid (), rt_raw_header->extents[1].count, 1u << 20);
  SEES (rt_raw_is_valid (), rt_raw_header->extent_count, 1u << 20);
  SEES (rt_raw_is_valid (), rt_tables[RT_CONTEXTS].count, 1u << 28);
  end ();
}
END_TEST

START_TEST (context_tree)
{
  begin ();
  const uint32_t node = rt_mib_context (block->mib);
  SEES (rt_context_is_valid (), rt_context_at (node)->parent, node);
  SEES (rt_context_is_valid (), rt_nodes[node - 1].link, -1);
  SEES (rt_context_is_valid (), rt_nodes[node].site, 1);
  end ();
}
END_TEST

START_TEST (walks)
{
  begin ();
  struct rt_walk *const walk = &thread->walker.walk;
  SEES (rt_walk_is_valid (walk), walk->frames[1].node, 1);
  SEES (rt_walk_is_valid (walk), walk->frames[2].pc, 1);
  SEES (rt_walk_is_valid (walk), walk->known, 1);
  end ();
}
END_TEST

START_TEST (chains)
{
  begin ();
  struct rt_chain *const chain = &thread->walker.chain;
  SEES (rt_chain_is_valid (chain), chain->pcs[1], 1);
  SEES (rt_chain_is_valid (chain), chain->nodes[1], 1);
  SEES (rt_chain_is_valid (chain), chain->depth, RT_MAX_DEPTH);
  end ();
}
END_TEST

START_TEST (segments)
{
  begin ();
  rt_segment_scan ();
  ck_assert_uint_gt (rt_record_count (RT_SEGMENTS), 1);
  struct heapprof_raw_segment *const segment = rt_segment_at (1);
  /* Overlaps the previous segment.  */
  SEES (rt_segment_is_valid (), segment->start,
	rt_segment_at (0)->start - segment->start);
  SEES (rt_segment_is_valid (), segment->path, 1u << 28);
  end ();
}
END_TEST

START_TEST (mibs)
{
  begin ();
  struct heapprof_raw_brief *const brief = rt_brief_at (block->mib);
  struct heapprof_raw_origin *const origin = rt_origin_at (block->mib);
  const uint32_t node = origin->context;
  SEES (rt_mib_table_is_valid (&thread->mibs), origin->context, -1);
  SEES (rt_mib_table_is_valid (&thread->mibs), rt_context_at (node)->mib, 1);
  SEES (rt_mib_table_is_valid (&thread->mibs), rt_nodes[node].link, 1);
  SEES (rt_mib_table_is_valid (&thread->mibs), thread->mibs.shards.used, 1);
  SEES (rt_mib_table_is_valid (&thread->mibs), thread->mibs.briefs.end,
	1u << 20);
  const uint32_t full = rt_mib_grow (&thread->mibs, block->mib);
  ck_assert_uint_eq (rt_mib_grown (block->mib), full);
  ck_assert_uint_eq (rt_link_mib (rt_node_link (node)), full);
  ck_assert_uint_eq (rt_mib_grown (rt_context_at (node)->mib), full);
  struct heapprof_raw_mib *const mib = rt_mib_at (full);
  SEES (rt_mib_table_is_valid (&thread->mibs), origin->context, -1);
  SEES (rt_mib_table_is_valid (&thread->mibs), brief->full, 1u << 20);
  SEES (rt_mib_table_is_valid (&thread->mibs), mib->context, -1);
  SEES (rt_mib_table_is_valid (&thread->mibs), mib->wide, 1);
  SEES (rt_mib_table_is_valid (&thread->mibs), thread->mibs.mibs.end, 1u << 20);
  end ();
}
END_TEST

START_TEST (memos)
{
  begin ();
  struct rt_memo *const memo = &thread->walker.memo;
  const uint32_t count = rt_record_count (RT_BRIEFS);
  SEES (rt_memo_is_valid (memo), memo->entries[0].mib, count);
  SEES (rt_memo_is_valid (memo), memo->entries[0].pairs, 2);
  SEES (rt_memo_is_valid (memo), memo->next, -1);
  SEES (rt_memo_is_valid (memo), memo->rest, 1u << 30);
  end ();
}
END_TEST

START_TEST (shadow)
{
  begin ();
  uint64_t *const counters = (uint64_t *) rt_shadow_base;
  char *const data = rt_block_data (block);
  SEES (rt_shadow_is_clear (data, 100), counters[(uintptr_t) data >> 6], 1);
  SEES (rt_shadow_is_clear (data, 100), counters[(uintptr_t) (data + 99) >> 6],
	1);
  end ();
}
END_TEST

RT_UNIT_MAIN (sound_structures_pass, caches, spans, raw_file, context_tree,
	      walks, chains, segments, mibs, memos, shadow)
