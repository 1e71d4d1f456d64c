/* Unit tests of the run-time library's counters and of folding observations.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mib.h"
#include "rt-unit.h"
#include "shadow.h"
#include <string.h>

static _Alignas (4096) char memory[1 << 23];

/* What rt_shadow_count_range must do, one access at a time.  */

static void
count_one_by_one (uint64_t counters[], const char *data, size_t size)
{
  for (size_t i = 0; i < size; i += 8)
    counters[(size_t) (data + i - memory) / 64]++;
}

START_TEST (ranges_count_as_single_accesses)
{
  enum { BYTES = 1024 };
  for (size_t start = 0; start < 130; start++)
    for (size_t size = 0; size < BYTES - 200; size = size * 5 / 4 + 1)
      {
	uint64_t expected[BYTES / 64] = { 0 };
	rt_shadow_take (memory, BYTES);
	count_one_by_one (expected, memory + start, size);
	rt_shadow_count_range (memory + start, size);
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
  /* Few counters, far apart: most pages of counters do not exist.  */
  for (size_t i = 0; i < size; i += 1000003)
    rt_shadow_count (block + i);
  rt_shadow_count (block + size - 1);
  struct rt_shadow_sum sum = rt_shadow_sum (block, size);
  ck_assert_uint_eq (sum.accesses, 10);
  ck_assert_uint_eq (sum.accessed_granules, 10);
  ck_assert_uint_eq (sum.granules, (32 + size + 63) / 64);
  rt_shadow_count (memory);
  rt_shadow_count (memory + sizeof memory - 1);
  /* The block's first granule begins at MEMORY.  */
  ck_assert_uint_eq (rt_shadow_take (block, size).accesses, 11);
  ck_assert_uint_eq (rt_shadow_sum (block, size).accesses, 0);
  ck_assert_uint_eq (rt_shadow_sum (memory + sizeof memory - 1, 1).accesses,
		     1);
}
END_TEST

static struct rt_observation
observation (uint64_t size, uint64_t accesses, uint64_t alloc_ms,
	     uint64_t dealloc_ms, uint32_t cpu)
{
  return (struct rt_observation) {
    .size = size, .alloc_ns = alloc_ms * 1000000,
    .dealloc_ns = dealloc_ms * 1000000, .alloc_cpu = cpu,
    .dealloc_cpu = cpu ^ 1,
    .sum = { accesses, size / 64 + 1, accesses < size / 64 + 1
				      ? accesses : size / 64 + 1 }
  };
}

/* Three blocks; all fields by hand.  */

START_TEST (observations_are_folded)
{
  struct heapprof_raw_observations all;
  memset (&all, 0, sizeof all);
  const struct rt_observation blocks[] = {
    observation (100, 50, 10, 20, 2),	/* density 50, of time 5000 */
    observation (200, 1, 5, 30, 2),	/* 0, 0; utilization 25 */
    observation (0, 3, 40, 40, 3)	/* size 1: 300, 300000 */
  };
  for (size_t i = 0; i < 3; i++)
    rt_fold (&all, &blocks[i]);
  ck_assert_uint_eq (all.count, 3);
  ck_assert_uint_eq (all.access_count.total, 54);
  ck_assert_uint_eq (all.access_count.min, 1);
  ck_assert_uint_eq (all.access_count.max, 50);
  ck_assert_uint_eq (all.size.total, 301);
  ck_assert_uint_eq (all.size.min, 1);
  ck_assert_uint_eq (all.size.max, 200);
  ck_assert_uint_eq (all.lifetime_ns.total, 35000000);
  ck_assert_uint_eq (all.lifetime_ns.min, 0);
  ck_assert_uint_eq (all.lifetime_ns.max, 25000000);
  ck_assert_uint_eq (all.utilization.total, 100 + 25 + 100);
  ck_assert_uint_eq (all.utilization.min, 25);
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
END_TEST

RT_UNIT_MAIN (ranges_count_as_single_accesses, sums_stay_inside_the_block,
	      large_blocks_are_summed_and_cleared, observations_are_folded)
