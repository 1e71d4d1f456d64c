/* Unit tests of the reader of raw profiles: brief MIBs, and those that were
   growing when the process was killed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-builder.h"
#include "raw-profile.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* More than a MIB has without a wide record.  */
#define LONG_NS UINT64_C (20000000000)

static struct raw_builder builder;
static struct profile_error err;
static uint32_t context;

static struct raw_profile *
parse (void)
{
  return raw_builder_parse (&builder, &err);
}

/* Make the profile of a killed process with one context, whose MIB is brief
   number 1: 5 blocks of 40 bytes, 3 of them released after 8 accesses; of these
   one was used to 50 percent, the others to 100, and one was temporary.  At the
   peak, 4 were live.  */
static struct heapprof_raw_brief *
make_brief (void)
{
  raw_builder_init (&builder);
  context = raw_builder_context (&builder, 0, 0x1100);
  builder.header.state = HEAPPROF_RAW_RUNNING;
  builder.header.peak_number = 7;
  builder.header.peak_bytes = 160;
  builder.counts[HEAPPROF_RAW_BRIEFS] = 2;
  builder.contexts[context].mib = HEAPPROF_RAW_BRIEF | 1;
  builder.counts[HEAPPROF_RAW_ORIGINS] = 2;
  builder.origins[1] = (struct heapprof_raw_origin){ .context = context,
						     .first_bytes = 30,
						     .first_alloc = 100,
						     .first_dealloc = 2000100 };
  struct heapprof_raw_brief *brief = &builder.briefs[1];
  *brief = (struct heapprof_raw_brief){
    .state = 1,
    .alloc_count = 5,
    .count = 3,
    .size = 40,
    .accesses = 8,
    .number = 7,
    .lifetime_access_density = 20000 + 4000 + 6666,
    .lifetime = 9000000 | UINT64_C (2) << 56,
    .min_lifetime = 1000000 | UINT64_C (1) << 48 | UINT64_C (2) << 56,
    .max_lifetime = 5000000 | UINT64_C (2) << 48 | UINT64_C (1) << 56,
    .last_lifetime = 3000000 | UINT64_C (4) << 48 | UINT64_C (5) << 56,
    .last_dealloc = 60000000 | UINT64_C (1) << 48 | UINT64_C (4) << 56,
    .lifetime_bytes = (-UINT64_C (300) & 0xffffffffffff) | UINT64_C (50) << 48
		      | UINT64_C (100) << 56
  };
  return brief;
}

/* The same in a profile of version 6.  */
static struct heapprof_raw_brief_6 *
make_brief_6 (void)
{
  make_brief ();
  builder.header.version = 6;
  builder.counts[HEAPPROF_RAW_ORIGINS] = 0;
  struct heapprof_raw_brief_6 *brief = &builder.briefs_6[1];
  *brief = (struct heapprof_raw_brief_6){
    .context = context,
    .alloc_cpu = 4,
    .dealloc_cpu = 5,
    .migrated_cpu = 2,
    .lifetime_overlaps = 1,
    .state = 1,
    .alloc_count = 5,
    .count = 3,
    .size = 40,
    .accesses = 8,
    .lifetime
    = 9000000 | UINT64_C (1) << 40 | UINT64_C (2) << 48 | UINT64_C (2) << 56,
    .min_lifetime_ns = 1000000,
    .max_lifetime_ns = 5000000,
    .first_alloc = 100 | UINT64_C (1) << 48 | UINT64_C (4) << 56,
    .last_dealloc = 60000000 | UINT64_C (30) << 48,
    .last_lifetime_ns = 3000000,
    .first_lifetime_ns = 2000000,
    .lifetime_access_density = 20000 + 4000 + 6666,
    .number = 7,
    .lifetime_bytes = (-UINT64_C (300) & 0xffffffffffff) | UINT64_C (50) << 48
		      | UINT64_C (100) << 56
  };
  return brief;
}

static void
check_info (const struct raw_profile *profile)
{
  struct memory_info info;
  ck_assert_msg (profile != NULL, "%s", err.cause);
  ck_assert (raw_profile_context_info (profile, context, &info));
  ck_assert_uint_eq (info.alloc_count, 3);
  ck_assert_uint_eq (info.unfinished_count, 2);
  ck_assert_uint_eq (info.unfinished_bytes, 80);
  ck_assert_uint_eq (info.peak_count, 4);
  ck_assert_uint_eq (info.peak_bytes, 160);
  ck_assert_uint_eq (info.temporary_count, 1);
  ck_assert_uint_eq (info.first_alloc_bytes, 31);
  /* Two blocks live, 200 bytes allocated.  */
  ck_assert_uint_eq (info.lifetime_bytes, 2 * 200 - 300);
  ck_assert_uint_eq (info.size_bytes.total, 120);
  ck_assert_uint_eq (info.size_bytes.min, 40);
  ck_assert_uint_eq (info.size_bytes.max, 40);
  ck_assert_uint_eq (info.access_count.total, 24);
  ck_assert_uint_eq (info.access_count.min, 8);
  ck_assert_uint_eq (info.access_count.max, 8);
  ck_assert_uint_eq (info.utilization_percent.total, 250);
  ck_assert_uint_eq (info.utilization_percent.min, 50);
  ck_assert_uint_eq (info.utilization_percent.max, 100);
  ck_assert_uint_eq (info.access_density.total, 60);
  ck_assert_uint_eq (info.access_density.min, 20);
  ck_assert_uint_eq (info.access_density.max, 20);
  ck_assert_uint_eq (info.lifetime_access_density.total, 30666);
  ck_assert_uint_eq (info.lifetime_access_density.min, 4000);
  ck_assert_uint_eq (info.lifetime_access_density.max, 20000);
  ck_assert_uint_eq (info.lifetime_ns.total, 9000000);
  ck_assert_uint_eq (info.lifetime_ns.min, 1000000);
  ck_assert_uint_eq (info.lifetime_ns.max, 5000000);
  ck_assert_uint_eq (info.first_alloc_ns, 100);
  ck_assert_uint_eq (info.first_dealloc_ns, 2000100);
  ck_assert_uint_eq (info.last_alloc_ns, 57000000);
  ck_assert_uint_eq (info.last_dealloc_ns, 60000000);
  ck_assert_uint_eq (info.alloc_cpu, 4);
  ck_assert_uint_eq (info.dealloc_cpu, 5);
  ck_assert_uint_eq (info.migrated_cpu, 2);
  ck_assert_uint_eq (info.lifetime_overlaps, 1);
  ck_assert_uint_eq (info.same_alloc_cpu, 1);
  ck_assert_uint_eq (info.same_dealloc_cpu, 0);
}

static void
check_parsed (void)
{
  struct raw_profile *profile = parse ();
  check_info (profile);
  raw_profile_close (profile);
}

START_TEST (it_reads_as_a_mib)
{
  make_brief ();
  check_parsed ();
  builder.big_endian = true;
  check_parsed ();
}
END_TEST

/* Add MIB 1 with the numbers of the brief one, and its moment.  */
static void
add_full (void)
{
  const uint64_t bits = 48;
  struct heapprof_raw_mib *mib = raw_builder_mib (&builder, context);
  builder.contexts[context].mib = HEAPPROF_RAW_BRIEF | 1;
  *mib = (struct heapprof_raw_mib){
    .context = context,
    .wide = HEAPPROF_RAW_BRIEF | 1,
    .alloc_bytes = 200,
    .alloc_count = 5,
    .state = 1,
    .migrated_cpu = 2,
    .count = 3,
    .utilization_total = 250,
    .access_count = { 24, 8, 8 },
    .size = { 120, 40, 40 },
    .lifetime = 9000000 | UINT64_C (1) << bits,
    .min_lifetime_ns = 1000000,
    .max_lifetime_ns = 5000000,
    .access_density = { 60, 20, 20 },
    .lifetime_access_density = { 30666, 4000, 20000 },
    .same_alloc_cpu = 1,
    .last_lifetime_ns = 3000000,
    .first_alloc = 100 | UINT64_C (4) << bits,
    .first_dealloc = 2000100 | UINT64_C (5) << bits,
    .last_dealloc
    = 60000000 | UINT64_C (50) << bits | UINT64_C (100) << (bits + 8)
  };
  builder.moments[1] = (struct heapprof_raw_moment){
    .number = 7,
    .count = 4,
    .bytes = 160,
    .lifetime_bytes = -UINT64_C (300),
    .temporary = 1 | UINT64_C (30) << HEAPPROF_RAW_TEMPORARY_BITS
  };
  builder.counts[HEAPPROF_RAW_MOMENTS] = 2;
}

/* A process killed at any step of the growth leaves each number once.  */
START_TEST (killed_while_it_grows)
{
  struct heapprof_raw_brief *brief = make_brief ();
  /* The MIB was written, and does not count.  */
  add_full ();
  check_parsed ();
  /* Only a part of it was written.  */
  builder.mibs[1].count = 0;
  builder.mibs[1].first_dealloc = 0;
  check_parsed ();
  /* The brief one leads to it.  */
  builder.counts[HEAPPROF_RAW_MIBS] = 1;
  add_full ();
  brief->state = HEAPPROF_RAW_GROWN;
  brief->alloc_count = brief->count = 0;
  brief->full = 1;
  check_parsed ();
  builder.big_endian = true;
  check_parsed ();
  /* It does not have the brief one's number any more.  */
  builder.mibs[1].wide = 0;
  check_parsed ();
  /* The context leads to it.  */
  builder.contexts[context].mib = 1;
  check_parsed ();
}
END_TEST

/* The same of version 6, of which the reader has its own form.  */
START_TEST (it_reads_version_6)
{
  struct heapprof_raw_brief_6 *brief = make_brief_6 ();
  check_parsed ();
  builder.big_endian = true;
  check_parsed ();
  add_full ();
  check_parsed ();
  brief->state = HEAPPROF_RAW_GROWN;
  brief->alloc_count = brief->count = 0;
  brief->full = 1;
  check_parsed ();
  builder.header.version = 5;
  ck_assert_ptr_null (parse ());
  /* Origins are of version 7.  */
  builder.header.version = 6;
  builder.counts[HEAPPROF_RAW_ORIGINS] = 2;
  ck_assert_ptr_null (parse ());
  ck_assert_str_eq (err.cause, "extent 5: unknown kind 17");
}
END_TEST

/* Let the blocks live longer than fits in a MIB.  */
static struct heapprof_raw_brief *
make_long_brief (void)
{
  struct heapprof_raw_brief *brief = make_brief ();
  brief->lifetime = 3 * LONG_NS + 9000000 + (UINT64_C (2) << 56);
  brief->max_lifetime += LONG_NS;
  brief->last_lifetime += LONG_NS;
  brief->last_dealloc += 2 * LONG_NS;
  return brief;
}

static void
check_long (void)
{
  struct raw_profile *profile = parse ();
  struct memory_info info;
  ck_assert_msg (profile != NULL, "%s", err.cause);
  ck_assert (raw_profile_context_info (profile, context, &info));
  ck_assert_uint_eq (info.alloc_count, 3);
  ck_assert_uint_eq (info.lifetime_ns.total, 3 * LONG_NS + 9000000);
  ck_assert_uint_eq (info.lifetime_ns.min, 1000000);
  ck_assert_uint_eq (info.lifetime_ns.max, LONG_NS + 5000000);
  ck_assert_uint_eq (info.first_alloc_ns, 100);
  ck_assert_uint_eq (info.first_dealloc_ns, 2000100);
  ck_assert_uint_eq (info.last_alloc_ns, LONG_NS + 57000000);
  ck_assert_uint_eq (info.last_dealloc_ns, 2 * LONG_NS + 60000000);
  ck_assert_uint_eq (info.migrated_cpu, 2);
  ck_assert_uint_eq (info.same_alloc_cpu, 1);
  raw_profile_close (profile);
}

/* Also if the process was killed while it grew into a MIB with a wide
   record.  */
START_TEST (long_lifetimes)
{
  struct heapprof_raw_brief *brief = make_long_brief ();
  check_long ();
  builder.big_endian = true;
  check_long ();
  /* The wide record was written first.  */
  const uint32_t wide = 1;
  builder.counts[HEAPPROF_RAW_WIDE] = 2;
  builder.wide[wide].mib = 1;
  add_full ();
  builder.wide[wide].observations = (struct heapprof_raw_observations){
    .count = 3,
    .access_count = { 24, 8, 8 },
    .size = { 120, 40, 40 },
    .lifetime_ns = { 3 * LONG_NS + 9000000, 1000000, LONG_NS + 5000000 },
    .utilization = { 250, 50, 100 },
    .access_density = { 60, 20, 20 },
    .lifetime_access_density = { 30666, 4000, 20000 },
    .first_alloc_ns = 100,
    .first_dealloc_ns = 2000100,
    .last_alloc_ns = LONG_NS + 57000000,
    .last_dealloc_ns = 2 * LONG_NS + 60000000,
    .alloc_cpu = 4,
    .dealloc_cpu = 5,
    .migrated_cpu = 2,
    .lifetime_overlaps = 1,
    .same_alloc_cpu = 1
  };
  struct heapprof_raw_mib *mib = &builder.mibs[1];
  mib->lifetime += 3 * LONG_NS;
  mib->max_lifetime_ns = UINT32_MAX;
  mib->last_lifetime_ns = UINT32_MAX;
  mib->last_dealloc += 2 * LONG_NS;
  check_long ();
  brief->state = HEAPPROF_RAW_GROWN;
  brief->alloc_count = brief->count = 0;
  brief->full = 1;
  check_long ();
  mib->wide = wide;
  check_long ();
}
END_TEST

/* In a file that is being written, a brief MIB without an origin is left
   out.  */
START_TEST (missing_origins)
{
  make_brief ();
  builder.counts[HEAPPROF_RAW_ORIGINS] = 1;
  struct raw_profile *profile = parse ();
  struct memory_info info;
  ck_assert_msg (profile != NULL, "%s", err.cause);
  ck_assert (!raw_profile_context_info (profile, context, &info));
  raw_profile_close (profile);
  builder.header.state = HEAPPROF_RAW_COMPLETE;
  ck_assert_ptr_null (parse ());
  ck_assert_str_eq (err.cause, "2 brief MIBs have only 1 origins");
}
END_TEST

/* Live records and marks refer to a brief MIB, or to what it has grown to.  */
START_TEST (records_refer_to_it)
{
  for (int has_grown = 0; has_grown < 2; has_grown++)
    {
      struct heapprof_raw_brief *brief = make_brief ();
      struct heapprof_raw_live live
	= { .mib = HEAPPROF_RAW_BRIEF | 1, .count = 2, .bytes = 80 };
      builder.live[0] = live;
      builder.counts[HEAPPROF_RAW_LIVE] = 1;
      raw_builder_mark (&builder, "phase", 12);
      raw_builder_marked (&builder, HEAPPROF_RAW_BRIEF | 1, 4, 160);
      if (has_grown)
	{
	  add_full ();
	  builder.mibs[1].wide = 0;
	  brief->state = HEAPPROF_RAW_GROWN;
	  brief->alloc_count = brief->count = 0;
	  brief->full = 1;
	}
      builder.header.state = HEAPPROF_RAW_COMPLETE;
      struct raw_profile *profile = parse ();
      ck_assert_msg (profile != NULL, "%s", err.cause);
      struct memory_info info;
      ck_assert (raw_profile_context_info (profile, context, &info));
      /* The two have no observation.  */
      ck_assert_uint_eq (info.live_count, 0);
      ck_assert_uint_eq (info.alloc_count, 3);
      builder.live[0].count = 3;
      const struct raw_marked *marked = raw_profile_marked (profile, 0);
      ck_assert_uint_eq (marked->context, context);
      ck_assert_uint_eq (marked->count, 4);
      ck_assert_uint_eq (marked->bytes, 160);
      raw_profile_close (profile);
      profile = parse ();
      ck_assert_msg (profile != NULL, "%s", err.cause);
      ck_assert (raw_profile_context_info (profile, context, &info));
      ck_assert_uint_eq (info.live_count, 1);
      raw_profile_close (profile);
    }
}
END_TEST

static void
expect_error (const char *cause)
{
  ck_assert_ptr_null (parse ());
  ck_assert_str_eq (err.cause, cause);
}

/* Numbers of MIBs that do not exist, and MIBs with the number of a brief one in
   a version that has none.  */
START_TEST (invalid_numbers)
{
  make_brief ();
  builder.header.state = HEAPPROF_RAW_COMPLETE;
  builder.contexts[context].mib = HEAPPROF_RAW_BRIEF | 2;
  expect_error ("context 1: invalid MIB 4294967295 (expected less than 3)");
  /* The brief ones are numbered after the others, but only for the reader.  */
  builder.contexts[context].mib = 1;
  expect_error ("context 1: invalid MIB 4294967295 (expected less than 3)");
  builder.contexts[context].mib = HEAPPROF_RAW_BRIEF | 1;
  builder.origins[1].context = 2;
  expect_error ("MIB 2: invalid context 2 (expected less than 2)");
  builder.origins[1].context = context;
  builder.header.version = 5;
  expect_error ("extent 3: unknown kind 16");
  /* In a file that is being written, none of these is an error.  */
  make_brief ();
  builder.contexts[context].mib = HEAPPROF_RAW_BRIEF | 2;
  check_parsed ();
  builder.briefs[1].state = HEAPPROF_RAW_GROWN;
  builder.briefs[1].full = 9;
  struct raw_profile *profile = parse ();
  struct memory_info info;
  ck_assert_msg (profile != NULL, "%s", err.cause);
  ck_assert (!raw_profile_context_info (profile, context, &info));
  raw_profile_close (profile);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("brief MIBs");
  TCase *tests = tcase_create ("reading");
  tcase_add_test (tests, it_reads_as_a_mib);
  tcase_add_test (tests, killed_while_it_grows);
  tcase_add_test (tests, it_reads_version_6);
  tcase_add_test (tests, long_lifetimes);
  tcase_add_test (tests, missing_origins);
  tcase_add_test (tests, records_refer_to_it);
  tcase_add_test (tests, invalid_numbers);
  suite_add_tcase (suite, tests);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
