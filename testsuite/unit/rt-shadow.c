/* Unit tests of the run-time library's counters and of folding observations.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "abi-symbols.h"
#include "mib-familiar.h"
#include "mib.h"
#include "rt-lone-block.h"
#include "rt-unit.h"
#include "shadow.h"
#include <string.h>

static _Alignas(4096) char memory[1 << 23];

/* Reference implementation of __heapprof_access_range, one access at a
   time.  */

static void
count_one_by_one (uint64_t counters[], const char *data, size_t size)
{
  for (size_t i = 0; i < size; i += 8)
    counters[(size_t) (data + i - memory) / 64]++;
}

START_TEST (ranges_count_as_single_accesses)
{
  enum
  {
    BYTES = 2048
  };
  for (size_t start = 0; start < 130; start++)
    for (size_t size = 0; size < BYTES - 200; size = size * 5 / 4 + 1)
      {
	uint64_t expected[BYTES / 64] = { 0 };
	rt_shadow_take (memory, BYTES);
	count_one_by_one (expected, memory + start, size);
	__heapprof_access_range (memory + start, size);
	for (size_t i = 0; i < BYTES / 64; i++)
	  ck_assert_uint_eq (rt_shadow_sum (memory + i * 64, 64).accesses,
			     expected[i]);
      }
}
END_TEST

START_TEST (sums_stay_inside_the_block)
{
  rt_shadow_take (memory, 4096);
  for (size_t i = 0; i < 20; i++)
    rt_shadow_count (memory + i * 64);
  /* A block of 100 bytes at 32 touches granules 0, 1 and 2.  */
  struct rt_shadow_sum sum = rt_shadow_sum (memory + 32, 100);
  ck_assert_uint_eq (sum.granules, 3);
  ck_assert_uint_eq (sum.accesses, 3);
  ck_assert_uint_eq (rt_shadow_sum (memory + 32, 96).granules, 2);
  ck_assert_uint_eq (rt_shadow_sum (memory + 32, 97).granules, 3);
  ck_assert_uint_eq (rt_shadow_sum (memory + 64, 0).accesses, 1);
  sum = rt_shadow_take (memory + 32, 100);
  ck_assert_uint_eq (sum.granules, 3);
  ck_assert_uint_eq (sum.accessed_granules, 3);
  ck_assert_uint_eq (sum.accesses, 3);
  sum = rt_shadow_sum (memory, 64 * 20);
  ck_assert_uint_eq (sum.accesses, 17);
  ck_assert_uint_eq (sum.accessed_granules, 17);
  ck_assert_uint_eq (sum.granules, 20);
}
END_TEST

START_TEST (large_blocks_are_summed_and_cleared)
{
  const size_t size = sizeof memory - 100;
  const char *const block = memory + 32;
  rt_shadow_discard (memory, sizeof memory);
  ck_assert_uint_eq (rt_shadow_sum (block, size).accesses, 0);
  /* Few counters, far apart: most pages of counters are not mapped.  */
  for (size_t i = 0; i < size; i += 1000003)
    rt_shadow_count (block + i);
  rt_shadow_count (block + size - 1);
  struct rt_shadow_sum sum = rt_shadow_sum (block, size);
  ck_assert_uint_eq (sum.accesses, 10);
  ck_assert_uint_eq (sum.accessed_granules, 10);
  ck_assert_uint_eq (sum.granules, (32 + size + 63) / 64);
  rt_shadow_count (memory);
  rt_shadow_count (memory + sizeof memory - 1);
  /* The block's first granule starts at MEMORY.  */
  ck_assert_uint_eq (rt_shadow_take (block, size).accesses, 11);
  ck_assert_uint_eq (rt_shadow_sum (block, size).accesses, 0);
  ck_assert_uint_eq (rt_shadow_sum (memory + sizeof memory - 1, 1).accesses, 1);
}
END_TEST

static struct rt_observation
observation (uint64_t size, uint64_t accesses, uint64_t alloc_ms,
	     uint64_t dealloc_ms, uint32_t cpu)
{
  const struct lone_block lone = lone_block (size, 0, alloc_ms * 1000000, cpu);
  const uint64_t granules = size / 64 + 1;
  const struct rt_shadow_sum sum
    = { accesses, granules, accesses < granules ? accesses : granules };
  return rt_observe (&lone.block, &sum, dealloc_ms * 1000000, cpu ^ 1);
}

static struct heapprof_raw_mib mib;
static struct heapprof_raw_wide wide;
static unsigned usual_blocks;

/* Fold *BLOCK as the library does, and check that the way for usual blocks, if
   it is taken, changes what the general one changes.  Return the sums as they
   are in a file.  */

static struct heapprof_raw_observations
fold (const struct rt_observation *block)
{
  struct heapprof_raw_mib general = mib;
  if (rt_fold_usual (&mib, block))
    {
      ck_assert (rt_fold_narrow (&general, block));
      ck_assert_mem_eq (&mib, &general, sizeof mib);
      usual_blocks++;
      return rt_mib_observations (&mib, mib.wide == 0 ? NULL : &wide);
    }
  ck_assert_mem_eq (&mib, &general, sizeof mib);
  if (!rt_fold_narrow (&mib, block))
    {
      mib.wide = 1;
      rt_fold_wide (&mib, &wide, block, NULL);
    }
  return rt_mib_observations (&mib, mib.wide == 0 ? NULL : &wide);
}

/* Three blocks; all fields are computed by hand.  */

static void
check_three_blocks (bool by_way_of_wide)
{
  struct heapprof_raw_observations all;
  const struct rt_observation blocks[] = {
    observation (100, 50, 10, 20, 2), /* density 50, times lifetime: 5000 */
    observation (200, 1, 5, 30, 2),   /* 0, 0; utilization 25 */
    observation (0, 3, 40, 40, 3)     /* treated as 1 byte: 300, 300000 */
  };
  memset (&mib, 0, sizeof mib);
  memset (&wide, 0, sizeof wide);
  mib.wide = (uint32_t) by_way_of_wide;
  for (size_t i = 0; i < 3; i++)
    all = fold (&blocks[i]);
  ck_assert_uint_eq (all.count, 3);
  ck_assert_uint_eq (all.access_count.total, 54);
  ck_assert_uint_eq (all.access_count.min, 1);
  ck_assert_uint_eq (all.access_count.max, 50);
  ck_assert_uint_eq (all.size.total, 300);
  ck_assert_uint_eq (all.size.min, 0);
  ck_assert_uint_eq (all.size.max, 200);
  ck_assert_uint_eq (all.lifetime_ns.total, 35000000);
  ck_assert_uint_eq (all.lifetime_ns.min, 0);
  ck_assert_uint_eq (all.lifetime_ns.max, 25000000);
  ck_assert_uint_eq (all.utilization.total, 100 + 25 + 100);
  ck_assert_uint_eq (all.utilization.min, 25);
  ck_assert_uint_eq (all.utilization.max, 100);
  ck_assert_uint_eq (all.access_density.total, 350);
  ck_assert_uint_eq (all.access_density.max, 300);
  ck_assert_uint_eq (all.lifetime_access_density.total, 305000);
  ck_assert_uint_eq (all.lifetime_access_density.min, 0);
  ck_assert_uint_eq (all.first_alloc_ns, 5000000);
  ck_assert_uint_eq (all.last_alloc_ns, 40000000);
  ck_assert_uint_eq (all.first_dealloc_ns, 20000000);
  ck_assert_uint_eq (all.last_dealloc_ns, 40000000);
  ck_assert_uint_eq (all.alloc_cpu, 3);
  ck_assert_uint_eq (all.dealloc_cpu, 2);
  ck_assert_uint_eq (all.migrated_cpu, 3);
  ck_assert_uint_eq (all.lifetime_overlaps, 1);
  ck_assert_uint_eq (all.same_alloc_cpu, 1);
  ck_assert_uint_eq (all.same_dealloc_cpu, 1);
}

START_TEST (observations_are_folded)
{
  check_three_blocks (false);
  check_three_blocks (true);
}
END_TEST

static void
add_to_range (struct heapprof_raw_range *range, uint64_t value, bool is_first)
{
  range->total += value;
  range->min = is_first || value < range->min ? value : range->min;
  range->max = is_first || value > range->max ? value : range->max;
}

static bool
is_same (const struct heapprof_raw_observations *a,
	 const struct heapprof_raw_observations *b)
{
  return a->count == b->count && a->same_alloc_cpu == b->same_alloc_cpu
	 && a->migrated_cpu == b->migrated_cpu
	 && a->lifetime_overlaps == b->lifetime_overlaps
	 && a->first_alloc_ns == b->first_alloc_ns
	 && a->last_alloc_ns == b->last_alloc_ns
	 && a->last_dealloc_ns == b->last_dealloc_ns
	 && memcmp (&a->size, &b->size, sizeof a->size) == 0
	 && memcmp (&a->access_count, &b->access_count, sizeof a->access_count)
	      == 0
	 && memcmp (&a->lifetime_ns, &b->lifetime_ns, sizeof a->lifetime_ns)
	      == 0;
}

/* Numbers of all magnitudes: after each block, the sums equal 64-bit sums.  */

START_TEST (sums_do_not_overflow)
{
  struct heapprof_raw_observations expected;
  uint64_t random = 0x9e3779b97f4a7c15u, ns = 0;
  memset (&expected, 0, sizeof expected);
  memset (&mib, 0, sizeof mib);
  memset (&wide, 0, sizeof wide);
  for (unsigned i = 0; i < 400000; i++)
    {
      random = random * 6364136223846793005u + 1442695040888963407u;
      /* Mostly small, so that narrow and wide records alternate.  */
      const unsigned bits
	= (random >> 20) % 16 != 0 ? 20 : (unsigned) (random >> 40) % 45;
      const uint64_t size = random >> (63 - bits), accesses = size / 3 * 5;
      const uint64_t alloc_ns = ns;
      const struct lone_block lone = lone_block (size, 0, alloc_ns, 7);
      const struct rt_shadow_sum sum = { accesses, size / 64 + 1, size / 128 };
      ns += random >> 19 & ((UINT64_C (1) << (i < 1000 ? 20 : bits)) - 1);
      const struct rt_observation seen = rt_observe (&lone.block, &sum, ns, 7);
      const struct heapprof_raw_observations all = fold (&seen);
      add_to_range (&expected.size, size, i == 0);
      add_to_range (&expected.access_count, accesses, i == 0);
      add_to_range (&expected.lifetime_ns, ns - alloc_ns, i == 0);
      expected.count++;
      expected.same_alloc_cpu = i;
      expected.last_alloc_ns = alloc_ns;
      expected.last_dealloc_ns = ns;
      if (!is_same (&all, &expected))
	ck_abort_msg ("after %u blocks", i + 1);
    }
  ck_assert_uint_gt (expected.size.total, UINT64_C (1) << 40);
  ck_assert_uint_gt (ns, HEAPPROF_RAW_TIME_MASK);
}
END_TEST

/* Return a release at a random time after MIN_NS of lifetime, not before *NS.
   Set *NS to it.  */

static struct rt_observation
lived (uint64_t *ns, uint64_t min_ns, uint64_t *random)
{
  const struct rt_shadow_sum sum = { .granules = 1 };
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  const uint64_t lifetime_ns = min_ns + (*random >> 33) % (min_ns / 2 + 1);
  if (*random >> 40 & 1 || *ns < lifetime_ns)
    *ns += lifetime_ns;
  const struct lone_block lone = lone_block (1, 0, *ns - lifetime_ns, 7);
  return rt_observe (&lone.block, &sum, *ns, 7);
}

/* Fold BLOCKS blocks that live at least MIN_LIFETIME_NS: after each, the sums
   equal 64-bit sums, and finally there is a wide record unless IS_NARROW.  */

static void
check_lives (uint64_t min_lifetime_ns, unsigned blocks, bool is_narrow)
{
  struct heapprof_raw_range expected;
  uint64_t random = 12345, ns = 0, overlaps = 0, before_ns = 0;
  usual_blocks = 0;
  memset (&expected, 0, sizeof expected);
  memset (&mib, 0, sizeof mib);
  memset (&wide, 0, sizeof wide);
  for (unsigned i = 0; i < blocks; i++)
    {
      const struct rt_observation seen = lived (&ns, min_lifetime_ns, &random);
      const struct heapprof_raw_observations all = fold (&seen);
      add_to_range (&expected, seen.lifetime_ns, i == 0);
      overlaps += i > 0 && seen.alloc_ns < before_ns;
      before_ns = seen.dealloc_ns;
      ck_assert_uint_eq (all.count, i + 1);
      ck_assert_uint_eq (all.lifetime_ns.total, expected.total);
      ck_assert_uint_eq (all.lifetime_ns.min, expected.min);
      ck_assert_uint_eq (all.lifetime_ns.max, expected.max);
      ck_assert_uint_eq (all.lifetime_overlaps, overlaps);
      ck_assert_uint_eq (all.last_alloc_ns, seen.alloc_ns);
    }
  ck_assert_uint_eq (mib.wide == 0, is_narrow);
  ck_assert_uint_eq (usual_blocks > blocks / 2, min_lifetime_ns < UINT32_MAX);
}

START_TEST (lifetimes_do_not_overflow)
{
  /* Totals past 2^31 and 2^32.  */
  check_lives (1000000, 10000, true);
  /* Overlaps past 2^15 and 2^16.  */
  check_lives (1000, 200000, false);
  /* Lifetimes of almost 2^32; then totals past 2^47, 2^48 and 2^49.  */
  check_lives (UINT32_MAX / 3 * 2 - 5, 20000, true);
  check_lives (UINT32_MAX / 3 * 2 - 5, 200000, false);
  /* The same, in steps that do not fit a narrow record.  */
  check_lives (UINT64_C (1) << 33, 60000, false);
  check_lives (UINT64_C (1) << 45, 30, false);
}
END_TEST

/* Lifetimes at the limits of their fields.  */

START_TEST (lifetimes_at_the_limit)
{
  const struct rt_shadow_sum sum = { .granules = 1 };
  const struct lone_block lone = lone_block (1, 0, 0, 0);
  for (unsigned i = 0; i < 2; i++)
    {
      const uint64_t lifetime_ns = UINT32_MAX - i;
      const struct rt_observation seen
	= rt_observe (&lone.block, &sum, lifetime_ns, 0);
      memset (&mib, 0, sizeof mib);
      memset (&wide, 0, sizeof wide);
      const struct heapprof_raw_observations all = fold (&seen);
      ck_assert_uint_eq (mib.wide, i == 0);
      ck_assert_uint_eq (all.lifetime_ns.total, lifetime_ns);
      ck_assert_uint_eq (all.lifetime_ns.min, lifetime_ns);
      ck_assert_uint_eq (all.lifetime_ns.max, lifetime_ns);
      ck_assert_uint_eq (all.last_alloc_ns, 0);
    }
}
END_TEST

/* If a process is killed while a block is folded into the wide record, each
   number has its value from before or after.  */

START_TEST (sums_are_right_when_killed)
{
  const uint64_t bit = UINT64_C (1) << 47;
  const struct rt_shadow_sum sum = { .granules = 1 };
  for (unsigned i = 1; i < 9; i++)
    {
      memset (&mib, 0, sizeof mib);
      memset (&wide, 0, sizeof wide);
      mib.wide = 1;
      mib.count = 5;
      wide.observations.count = 5;
      wide.observations.lifetime_ns.total = i * bit - 1;
      wide.observations.lifetime_overlaps = i * 0x8000 - 1;
      mib.lifetime = ((i * bit - 1) & HEAPPROF_RAW_TIME_MASK)
		     | (uint64_t) (i * 0x8000 - 1) << 48;
      mib.last_dealloc = 900;
      const struct lone_block lone = lone_block (1, 0, 800, 0);
      const struct rt_observation seen
	= rt_observe (&lone.block, &sum, 1000, 0);
      const struct heapprof_raw_wide before = wide;
      ck_assert (!rt_fold_narrow (&mib, &seen));
      rt_fold_wide (&mib, &wide, &seen, NULL);
      const struct heapprof_raw_observations killed
	= rt_mib_observations (&mib, &before);
      ck_assert_uint_eq (killed.lifetime_ns.total, i * bit + 199);
      ck_assert_uint_eq (killed.lifetime_overlaps, i * 0x8000);
      const struct heapprof_raw_observations all
	= rt_mib_observations (&mib, &wide);
      ck_assert_uint_eq (all.lifetime_ns.total, i * bit + 199);
      ck_assert_uint_eq (all.lifetime_overlaps, i * 0x8000);
    }
}
END_TEST

/* Return one of the first COUNT of VALUES.  */

static uint64_t
choose (uint64_t *random, const uint64_t *values, unsigned count)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return values[(*random >> 33) % count];
}

/* Adding what is within the ranges changes what folding does, up to and beyond
   the limits of sums.  After numbers so great that a few of them fill a sum,
   nothing is familiar any more.  */
#define EXTREMES_FROM 250000

START_TEST (familiar_blocks_are_added)
{
  static const uint64_t sizes[] = { 0, 1, 64, 4000, 3000000000u };
  static const uint64_t accesses[] = { 0, 1, 7, 100, 160000, 5000000000u };
  static const uint64_t lifetimes[]
    = { 1, 2, 3, 500, 70000, 1999999, 2000000, 9000000, 5000000000u };
  static const uint64_t cpus[] = { 3, 3, 3, 3, 3, 3, 3, 5 };
  static const uint64_t lengths[] = { 1, 2, 3, 40, 3000 };
  static const uint64_t ages[] = { 0, 0, 0, 0, 1, 1000 };
  struct heapprof_raw_mib general;
  struct heapprof_raw_wide general_wide;
  struct rt_familiar familiars[RT_FAMILIARS];
  struct rt_addend addend;
  uint64_t random = 1, now_ns = 10000000000u, left = 0;
  uint64_t size = 0, alloc_cpu = 0;
  struct rt_shadow_sum sum = { 0, 2, 0 };
  unsigned added = 0, with_wide = 0;
  memset (&mib, 0, sizeof mib);
  memset (&wide, 0, sizeof wide);
  memset (&general, 0, sizeof general);
  memset (&general_wide, 0, sizeof general_wide);
  memset (familiars, 0, sizeof familiars);
  for (unsigned i = 0; i < 300000; i++, left--)
    {
      if (left == 0)
	{
	  left = choose (&random, lengths, 5);
	  size = choose (&random, sizes, i < EXTREMES_FROM ? 4 : 5);
	  alloc_cpu = choose (&random, cpus, 8);
	}
      sum.accesses = choose (&random, accesses, i < EXTREMES_FROM ? 4 : 6);
      sum.accessed_granules = sum.accesses < 2 ? sum.accesses : 2;
      now_ns += 10 + choose (&random, ages, 6);
      const uint64_t alloc_ns
	= now_ns - choose (&random, lifetimes, i < EXTREMES_FROM ? 8 : 9);
      const struct lone_block lone = lone_block (size, 70, alloc_ns, alloc_cpu);
      const struct rt_block *const block = &lone.block;
      const uint32_t cpu
	= (uint32_t) choose (&random, cpus, left % 20 == 0 ? 8 : 7);
      const struct rt_observation seen = rt_observe (block, &sum, now_ns, cpu);
      struct rt_familiar *const familiar
	= rt_familiar_at (familiars, block->mib);
      if (rt_familiar_knows (familiar, block, size,
			     rt_block_alloc_ns_on (block, cpu), &sum, 1, now_ns,
			     cpu, &mib, &addend))
	{
	  rt_familiar_fold (familiar, &addend, alloc_ns, now_ns, &mib);
	  added++;
	  with_wide += mib.wide != 0;
	}
      else
	{
	  fold (&seen);
	  rt_familiar_forget (familiars, block->mib);
	  rt_familiar_meet (familiar, block->mib, 1, &seen, &mib);
	}
      if (!rt_fold_narrow (&general, &seen))
	{
	  general.wide = 1;
	  rt_fold_wide (&general, &general_wide, &seen, NULL);
	}
      if (memcmp (&mib, &general, sizeof mib) != 0
	  || memcmp (&wide, &general_wide, sizeof wide) != 0)
	ck_abort_msg ("block %u is folded in another way", i);
    }
  ck_assert_uint_gt (added, 50000);
  ck_assert_uint_gt (with_wide, 5000);
}
END_TEST

/* Blocks that are released in the reverse order, each of which has lived longer
   than all before and was allocated earlier, are added, too.  */

START_TEST (blocks_in_reverse_order_are_added)
{
#define REVERSED 1000u
  const struct rt_shadow_sum sum = { 5, 1, 1 };
  struct heapprof_raw_mib general;
  struct rt_familiar familiars[RT_FAMILIARS];
  struct rt_addend addend;
  unsigned added = 0;
  memset (&mib, 0, sizeof mib);
  memset (&general, 0, sizeof general);
  memset (familiars, 0, sizeof familiars);
  for (unsigned i = 0; i < REVERSED; i++)
    {
      /* From 4 ns on, up to 4 s.  */
      const uint64_t alloc_ns = (uint64_t) (REVERSED - i) * 2000000;
      const uint64_t now_ns = (uint64_t) (REVERSED + i) * 2000000 + 4;
      const struct lone_block lone = lone_block (10, 70, alloc_ns, 3);
      const struct rt_block *const block = &lone.block;
      const struct rt_observation seen = rt_observe (block, &sum, now_ns, 3);
      struct rt_familiar *const familiar
	= rt_familiar_at (familiars, block->mib);
      if (rt_familiar_knows (familiar, block, 10,
			     rt_block_alloc_ns_on (block, 3), &sum, 1, now_ns,
			     3, &mib, &addend))
	{
	  rt_familiar_fold (familiar, &addend, alloc_ns, now_ns, &mib);
	  added++;
	}
      else
	{
	  fold (&seen);
	  rt_familiar_forget (familiars, block->mib);
	  rt_familiar_meet (familiar, block->mib, 1, &seen, &mib);
	}
      ck_assert (rt_fold_narrow (&general, &seen));
      if (memcmp (&mib, &general, sizeof mib) != 0)
	ck_abort_msg ("block %u is folded in another way", i);
    }
  ck_assert_uint_eq (mib.max_lifetime_ns, (2 * REVERSED - 2) * 2000000u + 4);
  ck_assert_uint_eq (mib.first_alloc & HEAPPROF_RAW_TIME_MASK, 2000000);
  ck_assert_uint_gt (added, REVERSED * 9 / 10);
}
END_TEST

/* A MIB is not added to if the block is not within its ranges, or its
   observations changed in another way.  */

START_TEST (other_blocks_are_not_added)
{
#define KNOWS(ns, cpu)                                                         \
  rt_familiar_knows (familiar, block, rt_block_size (block),                   \
		     rt_block_alloc_ns_on (block, cpu), &sum, epoch, ns, cpu,  \
		     &mib, &addend)
  struct rt_shadow_sum sum = { 5, 1, 1 };
  struct lone_block lone = lone_block (10, 70, 50, 0);
  struct rt_block *const block = &lone.block;
  uint32_t epoch = 1;
  struct rt_familiar familiars[RT_FAMILIARS];
  struct rt_familiar *const familiar = rt_familiar_at (familiars, block->mib);
  struct rt_addend addend;
  memset (&mib, 0, sizeof mib);
  memset (familiars, 0, sizeof familiars);
  for (unsigned i = 0; i < 2; i++)
    {
      const struct rt_observation seen = rt_observe (block, &sum, 60, 0);
      ck_assert (!KNOWS (60, 0));
      fold (&seen);
      rt_familiar_meet (familiar, block->mib, epoch, &seen, &mib);
    }
  ck_assert (KNOWS (60, 0));
  ck_assert (KNOWS (61, 0));
  ck_assert (!KNOWS (50 + (uint64_t) UINT32_MAX, 0));
  ck_assert (!KNOWS (60, 1));
  ck_assert (!KNOWS (40, 0));
  sum.accesses = 6;
  ck_assert (!KNOWS (60, 0));
  sum.accesses = 5;
  rt_block_set_size (block, 11);
  ck_assert (!KNOWS (60, 0));
  rt_block_set_size (block, 10);
  sum.granules = 2;
  ck_assert (!KNOWS (60, 0));
  sum.granules = 1;
  ck_assert (KNOWS (60, 0));
  epoch = 2;
  ck_assert (!KNOWS (60, 0));
  epoch = 1;
  block->mib += RT_FAMILIARS;
  ck_assert (!KNOWS (60, 0));
  rt_familiar_forget (familiars, block->mib);
  block->mib -= RT_FAMILIARS;
  ck_assert (KNOWS (60, 0));
  rt_familiar_forget (familiars, block->mib);
  ck_assert (!KNOWS (60, 0));
#undef KNOWS
}
END_TEST

RT_UNIT_MAIN (ranges_count_as_single_accesses, sums_stay_inside_the_block,
	      large_blocks_are_summed_and_cleared, observations_are_folded,
	      sums_do_not_overflow, lifetimes_do_not_overflow,
	      lifetimes_at_the_limit, sums_are_right_when_killed,
	      familiar_blocks_are_added, blocks_in_reverse_order_are_added,
	      other_blocks_are_not_added)
