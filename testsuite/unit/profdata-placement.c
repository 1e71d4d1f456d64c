/* Unit tests of placement classes: hand-made contexts, and what must not change
   them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "placement.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MS UINT64_C (1000000)
#define SECOND (1000 * MS)

enum
{
  TABLE,
  INDEX,
  BUFFER,
  LOG,
  ARCHIVE,
  LINE,
  COUNT
};

/* A run of 10 s that allocates 4 MiB.  Bytes in memory, and accesses: TABLE 10
   KiB with 80,000; INDEX 20 KiB with 15,000; BUFFER 100 KiB with 4,500; LOG 50
   KiB with 450; ARCHIVE 1 MiB with 50.  LINE lives while 13 KiB are
   allocated.  */
static const struct memory_info contexts[COUNT]
  = { [TABLE] = { .alloc_count = 1,
		  .access_count.total = 80000,
		  .size_bytes.total = 10240,
		  .lifetime_ns = { 10 * SECOND, 0, 10 * SECOND } },
      [INDEX] = { .alloc_count = 4,
		  .access_count.total = 15000,
		  .size_bytes.total = 4 * 10240,
		  .lifetime_ns = { 20 * SECOND, 0, 9 * SECOND } },
      [BUFFER] = { .alloc_count = 10,
		   .access_count.total = 4500,
		   .size_bytes.total = 1024000,
		   .lifetime_ns = { 10 * SECOND, 0, SECOND } },
      [LOG] = { .alloc_count = 1,
		.access_count.total = 450,
		.size_bytes.total = 51200,
		.lifetime_ns = { 10 * SECOND, 0, 10 * SECOND } },
      [ARCHIVE] = { .alloc_count = 1,
		    .access_count.total = 50,
		    .size_bytes.total = 1048576,
		    .lifetime_ns = { 10 * SECOND, 0, 10 * SECOND } },
      [LINE] = { .alloc_count = 1000,
		 .access_count.total = 1000000,
		 .size_bytes.total = 2021428,
		 .lifetime_ns = { 1000 * 30 * MS, 0, 40 * MS } } };

static const struct memory_info *
info_of (const void *data, size_t index)
{
  const struct memory_info *infos = data;
  return infos[index].alloc_count > 0 ? &infos[index] : NULL;
}

static bool
make_rules (struct placement_rules *rules, uint64_t runs, uint64_t duration_ns,
	    const struct memory_info *infos, size_t count)
{
  const struct heap_totals totals
    = { .runs = runs, .duration_ns = duration_ns };
  return placement_rules_make (rules, &totals, info_of, infos, count);
}

/* Check that the classes of the COUNT contexts INFOS in the runs of TOTALS are
   as EXPECTED, found one by one and all at once.  */
static void
expect_classes (const struct memory_info *infos,
		const struct heap_totals *totals,
		const enum placement_class *expected)
{
  struct placement_rules rules, same;
  struct placement_facts facts[COUNT];
  ck_assert (placement_rules_make (&rules, totals, info_of, infos, COUNT));
  ck_assert (placement_classify (&same, totals, info_of, infos, COUNT, facts));
  ck_assert_double_eq (same.hot_density, rules.hot_density);
  ck_assert_double_eq (same.cold_density, rules.cold_density);
  for (size_t i = 0; i < COUNT; i++)
    ck_assert_int_eq (facts[i].its_class, infos[i].alloc_count > 0
					    ? expected[i]
					    : PLACEMENT_UNKNOWN);
  for (size_t i = 0; i < COUNT; i++)
    ck_assert_msg (placement_class_of (&rules, &infos[i]) == expected[i],
		   "context %zu: %s, expected %s", i,
		   placement_class_name (placement_class_of (&rules,
							     &infos[i])),
		   placement_class_name (expected[i]));
}

/* The same in RUNS runs of 10 s times SCALE each.  */
static void
expect (const struct memory_info *infos, uint64_t runs, uint64_t scale,
	const enum placement_class *expected)
{
  const struct heap_totals totals
    = { .runs = runs, .duration_ns = runs * scale * 10 * SECOND };
  expect_classes (infos, &totals, expected);
}

/* TABLE has 80% of the accesses that are not to LINE, INDEX brings them to 95%;
   LOG and ARCHIVE have 0.5%.  */
static const enum placement_class classes[COUNT]
  = { PLACEMENT_HOT,  PLACEMENT_HOT,  PLACEMENT_WARM,
      PLACEMENT_COLD, PLACEMENT_COLD, PLACEMENT_TEMPORARY };

/* The same, but LOG is warm.  */
static const enum placement_class warm_log[COUNT]
  = { PLACEMENT_HOT,  PLACEMENT_HOT,  PLACEMENT_WARM,
      PLACEMENT_WARM, PLACEMENT_COLD, PLACEMENT_TEMPORARY };

START_TEST (by_hand) { expect (contexts, 1, 1, classes); }
END_TEST

/* In time, BUFFER now has more accesses per byte than INDEX.  */

START_TEST (the_border_of_hot_needs_no_time)
{
  struct memory_info changed[COUNT];
  memcpy (changed, contexts, sizeof changed);
  changed[INDEX].lifetime_ns
    = (struct memory_info_range){ 36 * SECOND, 0, 9 * SECOND };
  changed[BUFFER].lifetime_ns
    = (struct memory_info_range){ 10 * 101 * MS, 0, 101 * MS };
  expect (changed, 1, 1, classes);
}
END_TEST

/* All times are SCALE times as long.  */
static void
slow_down (struct memory_info *infos, uint64_t scale)
{
  for (size_t i = 0; i < COUNT; i++)
    {
      infos[i] = contexts[i];
      infos[i].lifetime_ns.total *= scale;
      infos[i].lifetime_ns.max *= scale;
    }
}

START_TEST (slower_machine)
{
  struct memory_info infos[COUNT];
  for (uint64_t scale = 2; scale <= 1000; scale *= 5)
    {
      slow_down (infos, scale);
      expect (infos, 1, scale, classes);
    }
}
END_TEST

START_TEST (more_runs)
{
  struct memory_info infos[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    {
      infos[i] = contexts[i];
      memory_info_scale (&infos[i], 7);
    }
  expect (infos, 7, 1, classes);
}
END_TEST

/* The run's length is unknown: the longest lifetime stands for it.  */
START_TEST (unknown_length)
{
  struct placement_rules rules;
  ck_assert (make_rules (&rules, 0, 0, contexts, COUNT));
  for (size_t i = 0; i < COUNT; i++)
    ck_assert_int_eq (placement_class_of (&rules, &contexts[i]), classes[i]);
}
END_TEST

/* LLVM's short schema has no accesses, but accesses * 100 per byte and second
   of each block.  */
START_TEST (short_schema)
{
  struct memory_info infos[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    {
      const struct memory_info *info = &contexts[i];
      infos[i] = *info;
      infos[i].access_count.total = 0;
      infos[i].lifetime_access_density.total
	= info->access_count.total * 100 * info->alloc_count * SECOND
	  / info->size_bytes.total * info->alloc_count
	  / info->lifetime_ns.total;
    }
  expect (infos, 1, 1, classes);
}
END_TEST

START_TEST (without_accesses)
{
  static const enum placement_class expected[COUNT]
    = { [LINE] = PLACEMENT_TEMPORARY };
  struct memory_info infos[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    {
      infos[i] = contexts[i];
      infos[i].access_count.total = 0;
    }
  expect (infos, 1, 1, expected);
}
END_TEST

/* Only temporary blocks are accessed.  */
START_TEST (accesses_to_temporary)
{
  static const enum placement_class expected[COUNT]
    = { PLACEMENT_COLD, PLACEMENT_COLD, PLACEMENT_COLD,
	PLACEMENT_COLD, PLACEMENT_COLD, PLACEMENT_TEMPORARY };
  struct memory_info infos[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    {
      infos[i] = contexts[i];
      if (i != LINE)
	infos[i].access_count.total = 0;
    }
  expect (infos, 1, 1, expected);
}
END_TEST

/* Contexts of equal density share a class, even if they have more than the
   share of accesses of that class.  */
START_TEST (ties)
{
  static const enum placement_class expected[COUNT]
    = { PLACEMENT_HOT, PLACEMENT_HOT, PLACEMENT_HOT,
	PLACEMENT_HOT, PLACEMENT_HOT, PLACEMENT_COLD };
  struct memory_info infos[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    infos[i] = contexts[TABLE];
  infos[LINE].access_count.total = 0;
  expect (infos, 1, 1, expected);
}
END_TEST

/* INDEX brings the accesses to 90%.  BUFFER has as many for each byte, in one
   run a little less, in another one a little more.  LINE is just below, but too
   small to matter: it does not move the limit to itself.  */
START_TEST (neighbours)
{
  static const enum placement_class expected[COUNT]
    = { PLACEMENT_HOT,	PLACEMENT_HOT,	PLACEMENT_HOT,
	PLACEMENT_WARM, PLACEMENT_COLD, PLACEMENT_HOT };
  static const struct
  {
    uint64_t bytes;
    uint64_t accesses;
  } numbers[COUNT] = { [TABLE] = { 1000, 80000 },  [INDEX] = { 12000, 12000 },
		       [BUFFER] = { 4000, 3960 },  [LOG] = { 3000, 2100 },
		       [ARCHIVE] = { 2000, 1000 }, [LINE] = { 100, 85 } };
  struct memory_info infos[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    {
      infos[i] = contexts[TABLE];
      infos[i].size_bytes.total = numbers[i].bytes;
      infos[i].access_count.total = numbers[i].accesses;
    }
  expect (infos, 1, 1, expected);
  infos[INDEX].access_count.total = 11760;
  expect (infos, 1, 1, expected);
}
END_TEST

/* LOG and ARCHIVE have ACCESSES of about 100,000; they are cold if that is at
   most 3%, alone or together.  */
START_TEST (limit_of_cold)
{
  struct memory_info infos[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    infos[i] = contexts[i];
  /* 80,000 + 15,000 + 2,000 and 2,950 + 50: 3%.  */
  infos[BUFFER].access_count.total = 2000;
  infos[LOG].size_bytes.total = 10240000;
  infos[LOG].access_count.total = 2950;
  expect (infos, 1, 1, classes);
  infos[LOG].access_count.total++;
  expect (infos, 1, 1, warm_log);
}
END_TEST

/* LOG becomes several blocks, one after the other, of a mean lifetime of 10% of
   the run or less.  */
START_TEST (short_lived_is_not_cold)
{
  struct memory_info infos[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    infos[i] = contexts[i];
  for (unsigned count = 10; count <= 11; count++)
    {
      infos[LOG].alloc_count = count;
      infos[LOG].size_bytes.total = count * UINT64_C (51200);
      expect (infos, 1, 1, count == 10 ? classes : warm_log);
    }
}
END_TEST

/* With less allocated, 1% of the run is the limit; with more, 64 KiB are.  */
START_TEST (limit_of_temporary)
{
  struct placement_rules rules;
  struct memory_info info = contexts[TABLE];
  info.size_bytes.total = 1024;
  ck_assert (make_rules (&rules, 1, 10 * SECOND, &info, 1));
  ck_assert_double_eq_tol (rules.temporary, 100e6, 1);
  info.size_bytes.total = UINT64_C (65536) * 1000;
  ck_assert (make_rules (&rules, 1, 10 * SECOND, &info, 1));
  ck_assert_double_eq_tol (rules.temporary, 10e6, 1);
}
END_TEST

/* Lifetimes in bytes: 10 s are a run that allocates 4 MiB.  */
#define RUN_BYTES UINT64_C (4194304)

static const struct heap_totals in_bytes = { .runs = 1,
					     .duration_ns = 10 * SECOND,
					     .counted_runs = 1,
					     .counted_bytes = RUN_BYTES };

static void
give_bytes (struct memory_info *infos)
{
  for (size_t i = 0; i < COUNT; i++)
    {
      infos[i] = contexts[i];
      infos[i].lifetime_bytes
	= contexts[i].lifetime_ns.total / MS * RUN_BYTES / 10000;
    }
}

/* The clock stops, or runs wild, at any time.  */
START_TEST (time_does_not_matter)
{
  struct memory_info infos[COUNT];
  struct heap_totals totals = in_bytes;
  give_bytes (infos);
  for (int i = 0; i < 3; i++)
    {
      expect_classes (infos, &totals, classes);
      infos[LINE].lifetime_ns
	= (struct memory_info_range){ 9000 * SECOND, 0, 9 * SECOND };
      infos[ARCHIVE].lifetime_ns = (struct memory_info_range){ 1, 1, 1 };
      totals.duration_ns *= 30;
    }
}
END_TEST

/* Two runs of three have no lifetimes in bytes: only those in time count.  */
START_TEST (older_profiles)
{
  struct memory_info infos[COUNT];
  struct heap_totals totals = in_bytes;
  give_bytes (infos);
  for (size_t i = 0; i < COUNT; i++)
    memory_info_scale (&infos[i], 3);
  totals.runs = 3;
  totals.duration_ns *= 3;
  infos[ARCHIVE].lifetime_bytes = 1;
  infos[LINE].lifetime_bytes = UINT64_MAX;
  expect_classes (infos, &totals, classes);
}
END_TEST

START_TEST (more_runs_in_bytes)
{
  struct memory_info infos[COUNT];
  struct heap_totals totals = in_bytes;
  give_bytes (infos);
  for (size_t i = 0; i < COUNT; i++)
    memory_info_scale (&infos[i], 7);
  totals.runs = totals.counted_runs = 7;
  totals.counted_bytes *= 7;
  expect_classes (infos, &totals, classes);
}
END_TEST

/* While a program computes it allocates nothing: TABLE and LOG were allocated
   last.  TABLE has more accesses than 1% of 1,100,000 in one block, and lives
   as long as these take; LOG is never released, at least half of its blocks. */
START_TEST (bytes_stand_still)
{
  static const enum placement_class expected[COUNT]
    = { PLACEMENT_HOT,	PLACEMENT_HOT,	PLACEMENT_WARM,
	PLACEMENT_WARM, PLACEMENT_COLD, PLACEMENT_TEMPORARY };
  struct memory_info infos[COUNT];
  give_bytes (infos);
  infos[TABLE].lifetime_bytes = infos[LOG].lifetime_bytes = 0;
  infos[LOG].live_count = 1;
  expect_classes (infos, &in_bytes, expected);
  enum placement_class temporary_log[COUNT];
  memcpy (temporary_log, expected, sizeof expected);
  temporary_log[LOG] = PLACEMENT_TEMPORARY;
  infos[LOG].live_count = 0;
  expect_classes (infos, &in_bytes, temporary_log);
  infos[LOG].alloc_count = 2;
  infos[LOG].live_count = 1;
  expect_classes (infos, &in_bytes, temporary_log);
  infos[LOG].unfinished_count = 1;
  expect_classes (infos, &in_bytes, expected);
}
END_TEST

/* Half of TABLE's 10 KiB, and a fifth of BUFFER's 1000 KiB, are in memory at a
   time.  */
START_TEST (in_memory)
{
  struct placement_rules rules;
  struct memory_info infos[COUNT];
  give_bytes (infos);
  infos[TABLE].lifetime_bytes = RUN_BYTES / 2;
  infos[BUFFER].lifetime_bytes = RUN_BYTES * 2;
  ck_assert (placement_rules_make (&rules, &in_bytes, info_of, infos, COUNT));
  ck_assert_double_eq_tol (placement_bytes_in_memory (&rules, &infos[TABLE]),
			   5120, .01);
  ck_assert_double_eq_tol (placement_bytes_in_memory (&rules, &infos[BUFFER]),
			   204800, .01);
  /* What is never released counts fully.  */
  infos[TABLE].live_count = infos[TABLE].alloc_count;
  ck_assert_double_eq_tol (placement_bytes_in_memory (&rules, &infos[TABLE]),
			   10240, .01);
  struct placement_facts facts[COUNT];
  infos[ARCHIVE].alloc_count = 0;
  ck_assert (placement_classify (&rules, &in_bytes, info_of, infos, COUNT,
				 facts));
  ck_assert_double_eq_tol (placement_facts_in_memory (&rules, &facts[TABLE]),
			   10240, .01);
  ck_assert_double_eq_tol (placement_facts_in_memory (&rules, &facts[BUFFER]),
			   204800, .01);
  ck_assert_uint_eq (facts[ARCHIVE].count, 0);
  ck_assert_double_eq (placement_facts_in_memory (&rules, &facts[ARCHIVE]), 0);
  ck_assert (make_rules (&rules, 1, 10 * SECOND, contexts, COUNT));
  ck_assert_double_eq_tol (placement_bytes_in_memory (&rules, &contexts[LOG]),
			   51200, .01);
  ck_assert (make_rules (&rules, 0, 0, contexts, 0));
  ck_assert_double_eq (placement_bytes_in_memory (&rules, &contexts[BUFFER]),
		       1024000);
}
END_TEST

/* Three contexts with 60, 35 and 5 % of the accesses, and 100, 10 and 0.1
   accesses per byte: the first two are hot, by how much is known, unless there
   are so many accesses to others that they need not be.  */
START_TEST (certain_classes)
{
  struct placement_rules rules;
  const struct memory_info infos[]
    = { { .alloc_count = 1,
	  .access_count.total = 60000,
	  .size_bytes.total = 600,
	  .lifetime_ns = { SECOND, SECOND, SECOND } },
	{ .alloc_count = 1,
	  .access_count.total = 35000,
	  .size_bytes.total = 3500,
	  .lifetime_ns = { SECOND, SECOND, SECOND } },
	{ .alloc_count = 1,
	  .access_count.total = 5000,
	  .size_bytes.total = 50000,
	  .lifetime_ns = { SECOND, SECOND, SECOND } } };
  struct heap_totals totals = { .runs = 1, .duration_ns = SECOND };
  ck_assert (placement_rules_make (&rules, &totals, info_of, infos, 3));
  for (int i = 0; i < 2; i++)
    {
      ck_assert_int_eq (placement_class_of (&rules, &infos[i]), PLACEMENT_HOT);
      ck_assert (placement_class_is_certain (&rules, &infos[i], 0));
    }
  /* The limit is in the middle between 10 and 0.1.  */
  ck_assert (placement_class_is_certain (&rules, &infos[0], 0.9));
  ck_assert (!placement_class_is_certain (&rules, &infos[0], 0.9999));
  ck_assert (placement_class_is_certain (&rules, &infos[1], 0));
  ck_assert (!placement_class_is_certain (&rules, &infos[1], 0.9999));
  ck_assert (!placement_class_is_certain (&rules, &infos[2], 1000));
  /* If 300000 are to others, 90 % are these and those to the first.  */
  const struct
  {
    uint64_t overall;
    bool first, second;
  } cases[] = { { 100000, true, true },	   { 90000, true, true },
		{ 200000, true, true },	   { 400000, true, false },
		{ 1000000, false, false }, { UINT64_MAX, false, false } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (totals.overall_runs = 0; totals.overall_runs <= 1;
	 totals.overall_runs++)
      {
	const bool is_known = totals.overall_runs == 1;
	totals.overall_accesses = cases[i].overall;
	ck_assert (placement_rules_make (&rules, &totals, info_of, infos, 3));
	ck_assert_int_eq (placement_class_of (&rules, &infos[1]),
			  PLACEMENT_HOT);
	ck_assert_int_eq (placement_class_is_certain (&rules, &infos[0], 0),
			  !is_known || cases[i].first);
	ck_assert_int_eq (placement_class_is_certain (&rules, &infos[1], 0),
			  !is_known || cases[i].second);
      }
}
END_TEST

/* Extreme values, and no contexts.  */
START_TEST (extremes)
{
  struct placement_rules rules;
  struct memory_info infos[]
    = { { .alloc_count = 1 },
	{ .unfinished_count = 1, .unfinished_bytes = UINT64_MAX },
	{ .alloc_count = UINT64_MAX,
	  .access_count.total = UINT64_MAX,
	  .size_bytes.total = UINT64_MAX,
	  .lifetime_ns = { UINT64_MAX, 0, UINT64_MAX } },
	{ .alloc_count = 1, .access_count.total = 1 } };
  ck_assert (make_rules (&rules, 0, 0, infos, 0));
  ck_assert_int_eq (placement_class_of (&rules, &infos[0]), PLACEMENT_UNKNOWN);
  ck_assert (make_rules (&rules, 1, UINT64_MAX, infos, 4));
  ck_assert_int_eq (placement_class_of (&rules, &infos[0]),
		    PLACEMENT_TEMPORARY);
  ck_assert_int_eq (placement_class_of (&rules, &infos[1]), PLACEMENT_UNKNOWN);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-placement");
  TCase *cases = tcase_create ("all");
  tcase_add_test (cases, by_hand);
  tcase_add_test (cases, the_border_of_hot_needs_no_time);
  tcase_add_test (cases, slower_machine);
  tcase_add_test (cases, more_runs);
  tcase_add_test (cases, unknown_length);
  tcase_add_test (cases, short_schema);
  tcase_add_test (cases, without_accesses);
  tcase_add_test (cases, accesses_to_temporary);
  tcase_add_test (cases, ties);
  tcase_add_test (cases, neighbours);
  tcase_add_test (cases, limit_of_cold);
  tcase_add_test (cases, short_lived_is_not_cold);
  tcase_add_test (cases, limit_of_temporary);
  tcase_add_test (cases, time_does_not_matter);
  tcase_add_test (cases, older_profiles);
  tcase_add_test (cases, more_runs_in_bytes);
  tcase_add_test (cases, bytes_stand_still);
  tcase_add_test (cases, in_memory);
  tcase_add_test (cases, certain_classes);
  tcase_add_test (cases, extremes);
  suite_add_tcase (suite, cases);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
