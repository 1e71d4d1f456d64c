/* Unit tests of brief MIBs: whatever is counted in one, it stands for what a
   MIB would have.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "brief.h"
#include "heapprof/raw-mib.h"
#include "mib-table.h"
#include "moment.h"
#include "rt-lone-block.h"
#include "rt-unit.h"
#include <string.h>

#define INDEX (3 | HEAPPROF_RAW_BRIEF)
#define FULL 5u

static struct heapprof_raw_brief briefs[8];
static struct heapprof_raw_origin origins[8];
static uint64_t latest[1];
static struct heapprof_raw_mib mibs[8];
static struct heapprof_raw_wide wides[8];
static struct heapprof_raw_moment moments[8];
static uint64_t bytes_before; /* allocated by the process, now */
static uint64_t bytes_first;  /* and before the first block of the MIB */

/* What a MIB would have, whose wide record has number INDEX if there is one. */
static struct heapprof_raw_mib mib;
static struct heapprof_raw_wide wide;
static struct heapprof_raw_moment moment;
static uint64_t random_state = 1;

/* All blocks are released after this time, which is almost too late.  */
#define END_NS (HEAPPROF_RAW_TIME_MASK - 100000)

/* Some blocks live longer than fits in a MIB.  */
static bool is_long;

static uint64_t
return_bytes_first (void)
{
  return bytes_first;
}

static void
begin (void)
{
  rt_tables[RT_BRIEFS].records = (char *) briefs;
  rt_tables[RT_ORIGINS].records = (char *) origins;
  rt_tables[RT_MIBS].records = (char *) mibs;
  rt_tables[RT_WIDE].records = (char *) wides;
  rt_tables[RT_MOMENTS].records = (char *) moments;
  rt_brief_latest = latest;
  rt_moment_hook = return_bytes_first;
  bytes_first = bytes_before;
  memset (briefs, 0, sizeof briefs);
  memset (origins, 0, sizeof origins);
  memset (latest, 0, sizeof latest);
  memset (wides, 0, sizeof wides);
  memset (mibs, 0, sizeof mibs);
  memset (moments, 0, sizeof moments);
  origins[3].context = 77;
}

static void
forget (void)
{
  mib = (struct heapprof_raw_mib){ .context = 77, .state = 1 };
  memset (&wide, 0, sizeof wide);
  moment = (struct heapprof_raw_moment){
    .number = (uint32_t) rt_peak_number,
    .temporary = (uint64_t) heapprof_raw_small (bytes_first)
		 << HEAPPROF_RAW_TEMPORARY_BITS
  };
}

/* MIB is about to change, as in moment.c.  */

static void
keep (void)
{
  if (moment.number == (uint32_t) rt_peak_number)
    return;
  moment.number = (uint32_t) rt_peak_number;
  moment.count = mib.alloc_count - mib.count;
  moment.bytes = mib.alloc_bytes - mib.size.total;
}

static void
count_block (uint64_t size)
{
  keep ();
  mib.alloc_count++;
  mib.alloc_bytes += size;
  moment.lifetime_bytes -= bytes_before;
}

static void
fold_block (const struct rt_observation *block)
{
  keep ();
  if (!rt_fold_narrow (&mib, block))
    {
      mib.wide = INDEX;
      rt_fold_wide (&mib, &wide, block, NULL);
    }
  moment.lifetime_bytes += bytes_before;
}

/* FOUND, with FOUND_WIDE if it has a wide record, is MIB.  */

static void
check_mib (struct heapprof_raw_mib found,
	   const struct heapprof_raw_wide *found_wide)
{
  const struct heapprof_raw_observations expected
    = rt_mib_observations (&mib, mib.wide == 0 ? NULL : &wide);
  const struct heapprof_raw_observations seen
    = rt_mib_observations (&found, found.wide == 0 ? NULL : found_wide);
  ck_assert_mem_eq (&seen, &expected, sizeof seen);
  ck_assert_uint_eq (found.wide != 0, mib.wide != 0);
  found.wide = mib.wide;
  ck_assert_mem_eq (&found, &mib, sizeof mib);
}

/* The brief MIB stands for MIB and MOMENT.  If it has not changed since a peak,
   its balance still is what was live then.  */

static void
check_same (void)
{
  struct heapprof_raw_mib found;
  struct heapprof_raw_wide found_wide;
  struct heapprof_raw_moment found_moment;
  struct heapprof_raw_live live;
  ck_assert (rt_brief_copy (INDEX, &found, &found_wide, &found_moment));
  check_mib (found, &found_wide);
  ck_assert_mem_eq (&found_moment, &moment, sizeof moment);
  ck_assert_uint_eq (rt_brief_balance (INDEX, 1, &live), 0);
  ck_assert_uint_eq (live.count, mib.alloc_count - mib.count);
  ck_assert_uint_eq (live.bytes, mib.alloc_bytes - mib.size.total);
}

static uint64_t
choose (const uint64_t *values, unsigned count)
{
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return values[(random_state >> 33) % count];
}

static struct rt_observation
make_block (uint64_t size, uint64_t accesses, uint64_t now_ns)
{
  static const uint64_t lifetimes[] = { 1,	     2,
					3,	     500,
					70000,	     1999999,
					2000000,     9000000,
					4000000000u, UINT32_MAX - 1,
					UINT32_MAX,  UINT64_C (1) << 32,
					5000000000u, UINT64_C (100000000000001),
					END_NS - 7,  END_NS - 8 };
  static const uint64_t cpus[] = { 3, 3, 3, 3, 255, 4 };
  static const uint64_t granules[] = { 2, 2, 3 };
  const uint64_t lifetime_ns = choose (lifetimes, is_long ? 16 : 10);
  const struct lone_block lone
    = lone_block (size, 0, now_ns - lifetime_ns, choose (cpus, 6));
  const uint64_t all = choose (granules, 3);
  const struct rt_shadow_sum sum
    = { accesses, all, accesses < all ? accesses : all };
  return rt_observe (&lone.block, &sum, now_ns, (uint32_t) choose (cpus, 6));
}

/* True if the next block may not fit, or LIVE ones are enough.  */

static bool
does_not_fit (uint64_t live)
{
  return mib.alloc_count == HEAPPROF_RAW_BRIEF_BLOCKS
	 || mib.count == HEAPPROF_RAW_BRIEF_BLOCKS
	 || mib.lifetime_access_density.total >> 30 != 0 || live > 200;
}

static const uint64_t choices[] = { 0, 1 };

/* Allocations, releases and peaks in any order, of blocks of SIZE bytes with
   ACCESSES, until the brief MIB is full.  Return the number of releases.  */

static unsigned
fill (uint64_t size, uint64_t accesses)
{
  static const uint64_t events[] = { 0, 0, 0, 1, 1, 1, 2 };
  uint64_t now_ns = END_NS, live = 0;
  is_long = choose (choices, 2);
  begin ();
  forget ();
  while (!does_not_fit (live))
    {
      const uint64_t event = choose (events, 7);
      now_ns += 100 + choose (choices, 2);
      bytes_before += size * (1 + choose (choices, 2));
      if (event == 2)
	rt_peak_number += mib.alloc_count > 0;
      else if (event == 0)
	{
	  ck_assert (rt_brief_allocate (INDEX, 1, size, bytes_before));
	  count_block (size);
	  check_same ();
	  live++;
	}
      else if (live > 0)
	{
	  const struct rt_observation block
	    = make_block (size, accesses, now_ns);
	  ck_assert (rt_brief_fold (INDEX, 1, &block, bytes_before));
	  fold_block (&block);
	  live--;
	  if (choose (choices, 2))
	    {
	      rt_brief_add_temporary (INDEX);
	      moment.temporary++;
	    }
	  check_same ();
	}
    }
  return mib.count;
}

START_TEST (it_stands_for_a_mib)
{
  static const uint64_t sizes[] = { 0, 1, 100, 4096, 65535 };
  static const uint64_t accesses[] = { 0, 1, 2, 5, 300, 65535 };
  unsigned folded = 0, long_ones = 0;
  for (unsigned i = 0; i < 5; i++)
    for (unsigned j = 0; j < 6; j++)
      for (unsigned round = 0; round < 20; round++)
	/* More accesses to each byte do not fit.  */
	if (sizes[i] > 1 || accesses[j] < 1000)
	  {
	    folded += fill (sizes[i], accesses[j]);
	    ck_assert_uint_eq (mib.wide != 0, is_long);
	    long_ones += is_long;
	  }
  ck_assert_uint_gt (folded, 50000);
  ck_assert_uint_gt (long_ones, 200);
  ck_assert_uint_gt (rt_peak_number, 10000);
}
END_TEST

/* Two blocks of 100 bytes, one of them released after two accesses.  */

static void
make_two (void)
{
  begin ();
  forget ();
  const struct lone_block lone = lone_block (100, 0, 1000, 3);
  const struct rt_shadow_sum sum = { 2, 2, 1 };
  const struct rt_observation seen = rt_observe (&lone.block, &sum, 1500, 3);
  for (int i = 0; i < 2; i++)
    {
      ck_assert (rt_brief_allocate (INDEX, 1, 100, bytes_before));
      count_block (100);
    }
  ck_assert (rt_brief_fold (INDEX, 1, &seen, bytes_before));
  fold_block (&seen);
  check_same ();
}

/* What does not fit changes nothing.  */

START_TEST (others_do_not_fit)
{
  const struct lone_block usual = lone_block (100, 0, 3000, 3);
  const struct rt_shadow_sum sum = { 2, 2, 1 };
  const struct rt_observation seen = rt_observe (&usual.block, &sum, 3700, 3);
  make_two ();
  struct rt_observation other[] = { seen, seen, seen, seen, seen, seen };
  other[0].size = 101;
  other[1].accesses = 3;
  other[2].alloc_cpu = 256;
  other[3].dealloc_cpu = 256;
  other[4].lifetime_access_density = UINT64_C (1) << 31;
  other[5].dealloc_ns = HEAPPROF_RAW_TIME_MASK;
  for (unsigned i = 0; i < 6; i++)
    ck_assert (!rt_brief_fold (INDEX, 1, &other[i], 0));
  ck_assert (!rt_brief_fold (INDEX, 1, &seen, UINT64_C (1) << 47));
  ck_assert (!rt_brief_allocate (INDEX, 1, 101, 0));
  ck_assert (!rt_brief_allocate (INDEX, 1, 100, UINT64_C (1) << 48));
  check_same ();
  /* Two utilizations do, a third one does not.  */
  struct rt_observation used = seen;
  used.utilization = 100;
  ck_assert (rt_brief_fold (INDEX, 1, &used, 0));
  ck_assert (rt_brief_fold (INDEX, 1, &seen, 0));
  used.utilization = 33;
  ck_assert (!rt_brief_fold (INDEX, 1, &used, 0));
  /* More released than allocated: that of a peak would be negative.  */
  rt_peak_number++;
  ck_assert (!rt_brief_allocate (INDEX, 1, 100, 0));
  /* Too large for the first block.  */
  begin ();
  ck_assert (!rt_brief_allocate (INDEX, 1, 65536, 0));
  ck_assert_uint_eq (briefs[3].alloc_count, 0);
}
END_TEST

START_TEST (it_grows)
{
  make_two ();
  ck_assert_uint_eq (rt_mib_grown (INDEX), INDEX);
  rt_brief_grow (INDEX, FULL);
  ck_assert_uint_eq (rt_mib_grown (INDEX), FULL);
  ck_assert_uint_eq (rt_mib_context (INDEX), 77);
  ck_assert_mem_eq (&mibs[FULL], &mib, sizeof mib);
  ck_assert_mem_eq (&moments[FULL], &moment, sizeof moment);
  struct heapprof_raw_mib found;
  struct heapprof_raw_wide found_wide;
  struct heapprof_raw_moment found_moment;
  struct heapprof_raw_live live;
  ck_assert (!rt_brief_copy (INDEX, &found, &found_wide, &found_moment));
  ck_assert_uint_eq (rt_brief_balance (INDEX, 1, &live), FULL);
}
END_TEST

/* One with a long lifetime grows into a MIB with a wide record.  */

START_TEST (it_grows_with_long_lifetimes)
{
  make_two ();
  const struct lone_block lone = lone_block (100, 0, 1100, 4);
  const struct rt_shadow_sum sum = { 2, 2, 2 };
  const struct rt_observation seen
    = rt_observe (&lone.block, &sum, UINT64_C (1) << 40, 3);
  ck_assert (!rt_brief_is_long (INDEX));
  ck_assert (rt_brief_fold (INDEX, 1, &seen, bytes_before));
  fold_block (&seen);
  check_same ();
  ck_assert (rt_brief_is_long (INDEX));
  mibs[FULL].wide = 6;
  rt_brief_grow (INDEX, FULL);
  ck_assert_uint_eq (mibs[FULL].wide, 6);
  check_mib (mibs[FULL], &wides[6]);
  ck_assert_mem_eq (&moments[FULL], &moment, sizeof moment);
}
END_TEST

/* One of another epoch is cleared when it is used again; after it was retired,
   it is not mistaken for one of a later epoch.  */

START_TEST (epochs)
{
  struct heapprof_raw_live live;
  make_two ();
  ck_assert_uint_eq (rt_brief_balance (INDEX, 2, &live), 0);
  ck_assert_uint_eq (live.count, 0);
  bytes_first = 500;
  ck_assert (rt_brief_allocate (INDEX, 2, 60, 700));
  forget ();
  mib.state = 2;
  mib.alloc_count = 1;
  mib.alloc_bytes = 60;
  moment.lifetime_bytes = -UINT64_C (700);
  struct heapprof_raw_mib found;
  struct heapprof_raw_wide found_wide;
  struct heapprof_raw_moment found_moment;
  ck_assert (rt_brief_copy (INDEX, &found, &found_wide, &found_moment));
  ck_assert_mem_eq (&found, &mib, sizeof mib);
  ck_assert_mem_eq (&found_moment, &moment, sizeof moment);
  rt_brief_retire (INDEX, 2);
  ck_assert_uint_eq (briefs[3].state, 2);
  rt_brief_retire (INDEX, 3);
  ck_assert_uint_eq (briefs[3].state, 0);
  rt_brief_grow (INDEX, FULL);
  rt_brief_retire (INDEX, 3);
  ck_assert_uint_eq (rt_mib_grown (INDEX), FULL);
}
END_TEST

/* A block counted elsewhere instead.  */

START_TEST (blocks_are_subtracted)
{
  make_two ();
  ck_assert (rt_brief_subtract (INDEX));
  mib.alloc_count--;
  mib.alloc_bytes -= 100;
  ck_assert (rt_brief_add_bytes (INDEX, 70));
  moment.lifetime_bytes += 70;
  check_same ();
  ck_assert (!rt_brief_add_bytes (INDEX, UINT64_C (1) << 47));
  ck_assert (rt_brief_subtract (INDEX));
  ck_assert (!rt_brief_subtract (INDEX));
}
END_TEST

RT_UNIT_MAIN (it_stands_for_a_mib, others_do_not_fit, it_grows,
	      it_grows_with_long_lifetimes, epochs, blocks_are_subtracted)
