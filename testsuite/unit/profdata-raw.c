/* Unit tests of the reader of raw profiles, with files made by hand.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-builder.h"
#include "heapprof/raw-mib.h"
#include "raw-profile.h"
#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct raw_builder builder;
static struct profile_error err;

static struct raw_profile *
parse (void)
{
  return raw_builder_parse (&builder, &err);
}

/* The file must be rejected because of CAUSE at OFFSET.  */
static void
expect_error (uint64_t offset, const char *cause)
{
  ck_assert_ptr_null (parse ());
  ck_assert_str_eq (err.path, "made");
  ck_assert_str_eq (err.cause, cause);
  ck_assert_uint_eq (err.offset, offset);
}

static uint64_t
record (uint32_t kind, uint64_t index, uint64_t field)
{
  static const size_t bytes[] = { 0,
				  16,
				  128,
				  96,
				  1,
				  16,
				  256,
				  64,
				  [HEAPPROF_RAW_AFFINITY] = 16,
				  [HEAPPROF_RAW_LEAK] = 32,
				  [HEAPPROF_RAW_THREADS] = 128,
				  [HEAPPROF_RAW_INTERPRETED] = 24 };
  return raw_builder_offset (&builder, kind) + index * bytes[kind] + field;
}

static void
check_sample (const struct raw_profile *profile)
{
  ck_assert_uint_eq (raw_profile_header (profile)->pid, 4711);
  ck_assert_str_eq (raw_profile_program_name (profile), "/bin/sample");
  ck_assert_uint_eq (raw_profile_context_count (profile), 5);
  ck_assert_uint_eq (raw_profile_context (profile, 4)->parent, 3);
  ck_assert_uint_eq (raw_profile_segment_count (profile), 3);
  ck_assert_str_eq (raw_profile_segment_path (profile, 1), "/lib/new.so");
  ck_assert_uint_eq (raw_profile_segment (profile, 1)->build_id[19], 0xb1);
  /* From context 3 on, the addresses of the old library were reused.  */
  ck_assert_int_eq (raw_profile_find_segment (profile, 0), -1);
  ck_assert_int_eq (raw_profile_find_segment (profile, 1), 2);
  ck_assert_int_eq (raw_profile_find_segment (profile, 2), 0);
  ck_assert_int_eq (raw_profile_find_segment (profile, 3), 1);

  struct memory_info info;
  ck_assert (!raw_profile_context_info (profile, 0, &info));
  ck_assert (!raw_profile_context_info (profile, 1, &info));
  ck_assert (raw_profile_context_info (profile, 2, &info));
  ck_assert_uint_eq (info.alloc_count, 10);
  ck_assert_uint_eq (info.size_bytes.total, 640);
  ck_assert_uint_eq (info.access_count.total, 8006);
  ck_assert_uint_eq (info.access_count.min, 3);
  ck_assert_uint_eq (info.access_count.max, 1000);
  ck_assert_uint_eq (info.live_count, 2);
  ck_assert_uint_eq (info.live_bytes, 128);
  ck_assert_uint_eq (info.unfinished_count, 0);
  ck_assert_uint_eq (info.first_alloc_ns, 100);
  ck_assert_uint_eq (info.migrated_cpu, 10);
  ck_assert (raw_profile_context_info (profile, 4, &info));
  ck_assert_uint_eq (info.live_count, 1);
  ck_assert_uint_eq (info.live_bytes, 4096);
  ck_assert_uint_eq (info.size_bytes.max, 4096);
  ck_assert_uint_eq (info.lifetime_ns.total, 7000000000);
  ck_assert_uint_eq (info.lifetime_ns.min, 7000000000);
  ck_assert_uint_eq (info.last_alloc_ns, 7000);
}

START_TEST (sample_in_both_orders)
{
  raw_builder_sample (&builder);
  builder.big_endian = _i;
  struct raw_profile *profile = parse ();
  ck_assert_msg (profile != NULL, "%s", err.cause);
  check_sample (profile);
  ck_assert_uint_eq (raw_profile_in_flight_count (profile), 0);
  raw_profile_close (profile);
}
END_TEST

START_TEST (several_extents)
{
  raw_builder_sample (&builder);
  builder.first_extent[HEAPPROF_RAW_CONTEXTS] = 2;
  builder.first_extent[HEAPPROF_RAW_MIBS] = 1;
  builder.first_extent[HEAPPROF_RAW_STRINGS] = strlen ("/bin/sample") + 2;
  builder.extra_capacity[HEAPPROF_RAW_CONTEXTS] = 1000;
  builder.extra_capacity[HEAPPROF_RAW_MIBS] = 100;
  struct raw_profile *profile = parse ();
  ck_assert_msg (profile != NULL, "%s", err.cause);
  check_sample (profile);
  raw_profile_close (profile);
}
END_TEST

START_TEST (nothing_but_a_header)
{
  raw_builder_init (&builder);
  memset (builder.counts, 0, sizeof builder.counts);
  builder.header.state = HEAPPROF_RAW_RUNNING;
  struct raw_profile *profile = parse ();
  ck_assert_msg (profile != NULL, "%s", err.cause);
  ck_assert_uint_eq (raw_profile_context_count (profile), 0);
  ck_assert_str_eq (raw_profile_program_name (profile), "");
  raw_profile_close (profile);
}
END_TEST

/* Values too large for a MIB's fields are in its wide record.  */
START_TEST (wide_records)
{
  raw_builder_init (&builder);
  uint32_t context = raw_builder_context (&builder, 0, 0x400100);
  struct heapprof_raw_mib *mib = raw_builder_mib (&builder, context);
  struct heapprof_raw_observations *wide = &builder.wide[1].observations;
  builder.counts[HEAPPROF_RAW_WIDE] = 2;
  builder.wide[1].mib = 1;
  mib->wide = 1;
  wide->count = 0x180000005; /* bit 31 is still as in the MIB */
  mib->count = mib->alloc_count = 0xfffffff0;
  wide->access_count.total = 0x2fffffff0; /* the lower half has overflowed
					     since */
  mib->access_count = (struct heapprof_raw_narrow_range){ 5, 3, UINT32_MAX };
  wide->access_count.min = 1; /* unused */
  wide->access_count.max = 0x123456789a;
  wide->lifetime_ns.total = 0xabffffffffff00; /* so have the lower bits */
  wide->lifetime_overlaps = 0x3fffe;
  mib->lifetime = 0x1234 | UINT64_C (1) << 48;
  mib->min_lifetime_ns = UINT32_MAX - 1;
  mib->max_lifetime_ns = UINT32_MAX;
  wide->lifetime_ns.min = 1; /* unused */
  wide->lifetime_ns.max = 0xfedcba987;
  wide->same_alloc_cpu = 0x7ffff;
  mib->same_alloc_cpu = 2;
  mib->last_lifetime_ns = UINT32_MAX;
  wide->last_alloc_ns = 77;
  mib->first_alloc = HEAPPROF_RAW_TIME_MASK | UINT64_C (9) << 48;
  wide->first_alloc_ns = UINT64_C (1) << 50;
  mib->last_dealloc = 1000 | UINT64_C (3) << 48 | UINT64_C (99) << 56;
  struct raw_profile *profile = parse ();
  ck_assert_msg (profile != NULL, "%s", err.cause);
  struct memory_info info;
  ck_assert (raw_profile_context_info (profile, context, &info));
  ck_assert_uint_eq (info.alloc_count, 0x1fffffff0);
  ck_assert_uint_eq (info.access_count.total, 0x300000005);
  ck_assert_uint_eq (info.access_count.min, 3);
  ck_assert_uint_eq (info.access_count.max, 0x123456789a);
  ck_assert_uint_eq (info.lifetime_ns.total, 0xac000000001234);
  ck_assert_uint_eq (info.lifetime_ns.min, UINT32_MAX - 1);
  ck_assert_uint_eq (info.lifetime_ns.max, 0xfedcba987);
  ck_assert_uint_eq (info.lifetime_overlaps, 0x40001);
  ck_assert_uint_eq (info.same_alloc_cpu, 0x80002);
  ck_assert_uint_eq (info.last_alloc_ns, 77);
  ck_assert_uint_eq (info.first_alloc_ns, UINT64_C (1) << 50);
  ck_assert_uint_eq (info.last_dealloc_ns, 1000);
  ck_assert_uint_eq (info.alloc_cpu, 9);
  ck_assert_uint_eq (info.utilization_percent.min, 3);
  ck_assert_uint_eq (info.utilization_percent.max, 99);
  raw_profile_close (profile);
}
END_TEST

/* Two threads: one allocated what the other released.  */
START_TEST (several_mibs_of_a_context)
{
  raw_builder_init (&builder);
  uint32_t context = raw_builder_context (&builder, 0, 0x400100);
  struct heapprof_raw_mib *first = raw_builder_mib (&builder, context);
  struct heapprof_raw_mib *second = raw_builder_mib (&builder, context);
  struct heapprof_raw_mib *forgotten = raw_builder_mib (&builder, context);
  first->alloc_count = 7;
  first->alloc_bytes = 700;
  raw_builder_observe (&builder, second, 4, 100, 50, 1000, 5);
  raw_builder_observe (&builder, forgotten, 9, 1, 1, 1, 1);
  forgotten->state = 2;
  raw_builder_observe (&builder, raw_builder_live (&builder, context, 0, 0), 3,
		       100, 7, 2000, 9);
  builder.contexts[context].mib = 1;
  builder.live[0] = (struct heapprof_raw_live){ 1, 7, 700 };
  builder.live[1] = (struct heapprof_raw_live){ 2, -4, -400 };
  builder.counts[HEAPPROF_RAW_LIVE] = 2;
  struct raw_profile *profile = parse ();
  ck_assert_msg (profile != NULL, "%s", err.cause);
  struct memory_info info;
  ck_assert (raw_profile_context_info (profile, context, &info));
  ck_assert_uint_eq (info.alloc_count, 7);
  ck_assert_uint_eq (info.access_count.total, 221);
  ck_assert_uint_eq (info.live_count, 3);
  ck_assert_uint_eq (info.live_bytes, 300);
  ck_assert_uint_eq (info.unfinished_count, 0);
  raw_profile_close (profile);
}
END_TEST

/* A thread allocates three blocks of 100 bytes, another one 700 bytes in
   another context; the first releases a block when 600 bytes have been
   allocated, the second one when 900 have been.  The third block is live at the
   end.  */
static uint32_t
make_lifetimes (void)
{
  raw_builder_init (&builder);
  uint32_t context = raw_builder_context (&builder, 0, 0x400100);
  uint32_t other = raw_builder_context (&builder, 0, 0x400200);
  struct heapprof_raw_mib *first = raw_builder_mib (&builder, context);
  struct heapprof_raw_mib *second = raw_builder_mib (&builder, context);
  struct heapprof_raw_mib *third = raw_builder_mib (&builder, other);
  builder.contexts[context].mib = 1;
  raw_builder_observe (&builder, first, 1, 100, 0, 1000, 5);
  raw_builder_observe (&builder, second, 1, 100, 0, 1000, 5);
  raw_builder_observe (&builder, third, 1, 700, 0, 1000, 5);
  first->alloc_count = 3;
  first->alloc_bytes = 300;
  second->alloc_count = 0;
  second->alloc_bytes = 0;
  third->alloc_count = 1;
  third->alloc_bytes = 700;
  builder.moments[1].lifetime_bytes = -UINT64_C (100) - 200 - 300 + 600;
  builder.moments[1].temporary
    = (UINT64_C (20) << HEAPPROF_RAW_TEMPORARY_BITS) + 1;
  builder.moments[2].lifetime_bytes = 900;
  builder.moments[2].temporary = UINT64_C (800) << HEAPPROF_RAW_TEMPORARY_BITS;
  builder.counts[HEAPPROF_RAW_MOMENTS] = 4;
  builder.header.end_time_ns = 10000;
  return context;
}

/* Of a process that was killed; of one that completed its file, with a live
   record, and its observation; and of one whose library had no such
   lifetimes.  */
START_TEST (lifetimes)
{
  uint32_t context = make_lifetimes ();
  if (_i == 0)
    builder.header.state = HEAPPROF_RAW_RUNNING;
  else
    {
      struct heapprof_raw_mib *live
	= raw_builder_live (&builder, context, 0, 0);
      raw_builder_observe (&builder, live, 1, 100, 0, 1000, 5);
      builder.live[0] = (struct heapprof_raw_live){ 1, 2, 200 };
      builder.live[1] = (struct heapprof_raw_live){ 2, -1, -100 };
      builder.counts[HEAPPROF_RAW_LIVE] = 2;
      builder.contexts[context].mib = 1;
    }
  if (_i == 2)
    builder.header.version = 4;
  struct raw_profile *profile = parse ();
  ck_assert_msg (profile != NULL, "%s", err.cause);
  struct memory_info info;
  ck_assert (raw_profile_context_info (profile, context, &info));
  ck_assert_uint_eq (info.temporary_count, 1);
  ck_assert_uint_eq (raw_profile_allocated_bytes (profile), _i == 2 ? 0 : 1000);
  ck_assert_uint_eq (info.lifetime_bytes, _i == 2 ? 0 : 500 + 700 + 700);
  ck_assert_uint_eq (info.first_alloc_bytes, _i == 2 ? 0 : 21);
  raw_profile_close (profile);
}
END_TEST

/* More than 64 bits hold: an estimate by the lifetimes in nanoseconds.  */
START_TEST (great_lifetimes)
{
  uint32_t context = make_lifetimes ();
  builder.mibs[3].alloc_bytes = UINT64_MAX / 4 - 300;
  builder.header.end_time_ns = 2000 / (_i == 0 ? 2 : 8);
  struct raw_profile *profile = parse ();
  ck_assert_msg (profile != NULL, "%s", err.cause);
  struct memory_info info;
  ck_assert (raw_profile_context_info (profile, context, &info));
  if (_i == 0)
    ck_assert_double_eq_tol ((double) info.lifetime_bytes,
			     (double) (UINT64_MAX / 2), 1e6);
  else
    ck_assert_uint_eq (info.lifetime_bytes, UINT64_MAX);
  raw_profile_close (profile);
}
END_TEST

/* 16 bits for any number, less than a thousandth too little.  */
START_TEST (small_numbers)
{
  uint64_t last = 0;
  for (unsigned bits = 0; bits < 64; bits++)
    for (uint64_t i = 0; i < 1000; i++)
      {
	const uint64_t number
	  = (UINT64_C (1) << bits) + (UINT64_C (1) << bits) / 1000 * i;
	const uint16_t small = heapprof_raw_small (number);
	const uint64_t back = heapprof_raw_from_small (small);
	ck_assert_uint_ne (small, UINT16_MAX);
	ck_assert_uint_le (back, number);
	ck_assert_uint_le (number - back, number / 1024);
	ck_assert_uint_ge (back, last);
	last = back;
      }
  ck_assert_uint_eq (heapprof_raw_from_small (heapprof_raw_small (0)), 0);
  ck_assert_uint_eq (heapprof_raw_small (1023), 1023);
  ck_assert_uint_eq (heapprof_raw_small (1024), 1024);
  ck_assert_uint_eq (heapprof_raw_small (2050), 2049);
  ck_assert_uint_eq (heapprof_raw_from_small (UINT16_MAX - 1), UINT64_MAX);
}
END_TEST

/* A file of a killed process: no live records, a MIB being changed, a MIB not
   yet linked to its context, a link to a MIB that is not counted yet, a wide
   record and a context that are not counted yet.  */
START_TEST (killed)
{
  raw_builder_sample (&builder);
  builder.header.state = HEAPPROF_RAW_RUNNING;
  builder.counts[HEAPPROF_RAW_LIVE] = 0;
  builder.counts[HEAPPROF_RAW_MIBS] = 3;
  builder.mibs[1].state |= HEAPPROF_RAW_CHANGING;
  builder.mibs[1].alloc_count = 7; /* one release was counted first */
  builder.mibs[1].wide = 9;
  builder.mibs[0].context = 99;
  builder.contexts[4].mib = 0;
  builder.contexts[3].mib = 3;
  struct raw_profile *profile = parse ();
  ck_assert_msg (profile != NULL, "%s", err.cause);
  ck_assert_uint_eq (raw_profile_in_flight_count (profile), 1);
  struct memory_info info;
  ck_assert (raw_profile_context_info (profile, 2, &info));
  ck_assert_uint_eq (info.alloc_count, 8);
  ck_assert_uint_eq (info.live_count, 0);
  ck_assert_uint_eq (info.unfinished_count, 0);
  ck_assert_uint_eq (info.unfinished_bytes, 128);
  ck_assert (!raw_profile_context_info (profile, 3, &info));
  ck_assert (raw_profile_context_info (profile, 4, &info));
  ck_assert_uint_eq (info.alloc_count, 0);
  ck_assert_uint_eq (info.unfinished_count, 1);
  ck_assert_uint_eq (info.unfinished_bytes, 4096);
  raw_profile_close (profile);
}
END_TEST

/* A process that was killed while folding its live blocks: one of the two
   blocks of context 2 is folded, that of context 4 is not.  */
START_TEST (killed_while_completing)
{
  raw_builder_sample (&builder);
  builder.header.state = HEAPPROF_RAW_RUNNING;
  raw_builder_observe (&builder, &builder.mibs[3], 1, 64, 3, 400000000,
		       4000000);
  builder.mibs[4].state = 0;
  struct raw_profile *profile = parse ();
  ck_assert_msg (profile != NULL, "%s", err.cause);
  struct memory_info info;
  ck_assert (raw_profile_context_info (profile, 2, &info));
  ck_assert_uint_eq (info.alloc_count, 9);
  ck_assert_uint_eq (info.live_count, 1);
  ck_assert_uint_eq (info.live_bytes, 64);
  ck_assert_uint_eq (info.unfinished_count, 1);
  ck_assert_uint_eq (info.unfinished_bytes, 64);
  ck_assert (raw_profile_context_info (profile, 4, &info));
  ck_assert_uint_eq (info.alloc_count, 0);
  ck_assert_uint_eq (info.live_count, 0);
  ck_assert_uint_eq (info.unfinished_count, 1);
  raw_profile_close (profile);
}
END_TEST

START_TEST (links_must_agree_when_complete)
{
  raw_builder_sample (&builder);
  builder.contexts[3].mib = 5;
  expect_error (record (HEAPPROF_RAW_CONTEXTS, 3, 12),
		"context 3: invalid MIB 5 (expected less than "
		"5)");
  raw_builder_sample (&builder);
  builder.contexts[3].mib = 1;
  expect_error (record (HEAPPROF_RAW_CONTEXTS, 3, 12),
		"context 3: MIB 1 belongs to context 2");
  raw_builder_sample (&builder);
  builder.mibs[1].wide = 2;
  expect_error (record (HEAPPROF_RAW_MIBS, 1, 4),
		"MIB 1: invalid wide record 2 (expected less "
		"than 2)");
  builder.mibs[1].wide = 1;
  expect_error (record (HEAPPROF_RAW_MIBS, 1, 4),
		"MIB 1: wide record 1 belongs to MIB 4");
}
END_TEST

START_TEST (bad_header)
{
  raw_builder_sample (&builder);
  builder.header.magic[3] = 'X';
  expect_error (0, "not a raw heap profile");
  memset (builder.header.magic, 0, sizeof builder.header.magic);
  expect_error (0, "missing magic: not a raw heap profile, or the "
		   "process died while creating it");
  raw_builder_sample (&builder);
  builder.header.byte_order = 0x01020305;
  expect_error (8, "invalid byte order mark 0x01020305 (expected "
		   "0x01020304 in either byte order)");
  raw_builder_sample (&builder);
  builder.header.version = 8;
  expect_error (12, "version 8 is newer than this tool (supports "
		    "2 to 7)");
  builder.header.version = 1;
  expect_error (12, "version 1 is unknown (supports 2 to 7)");
  raw_builder_sample (&builder);
  builder.header.header_bytes = 8192;
  expect_error (16, "invalid header size 8192 bytes (version 7 has "
		    "4096)");
  raw_builder_sample (&builder);
  builder.header.word_bytes = 5;
  expect_error (20, "invalid word size 5 bytes (expected 4 or 8)");
  raw_builder_sample (&builder);
  builder.header.state = 3;
  expect_error (28, "unknown state 3");
  raw_builder_sample (&builder);
  builder.header.program_name = 999;
  expect_error (88, "program name at 999 is not a valid string (93 "
		    "bytes of strings)");
}
END_TEST

START_TEST (bad_records)
{
  raw_builder_sample (&builder);
  builder.contexts[2].parent = 2;
  expect_error (record (HEAPPROF_RAW_CONTEXTS, 2, 8),
		"context 2: parent 2 must have a lower index");
  raw_builder_sample (&builder);
  builder.contexts[0].parent = 1;
  expect_error (record (HEAPPROF_RAW_CONTEXTS, 0, 8),
		"context 0: parent 1 must have a lower index");
  raw_builder_sample (&builder);
  builder.mibs[1].context = 99;
  expect_error (record (HEAPPROF_RAW_MIBS, 1, 0),
		"MIB 1: invalid context 99 (expected less than "
		"5)");
  raw_builder_sample (&builder);
  builder.segments[2].end = 5;
  expect_error (record (HEAPPROF_RAW_SEGMENTS, 2, 0),
		"segment 2: end 0x5 must be after start "
		"0x400000");
  raw_builder_sample (&builder);
  builder.segments[1].path = 1000;
  expect_error (record (HEAPPROF_RAW_SEGMENTS, 1, 24),
		"segment 1: path at 1000 is not a valid string "
		"(93 bytes of strings)");
  raw_builder_sample (&builder);
  builder.strings[builder.counts[HEAPPROF_RAW_STRINGS] - 1] = 'x';
  expect_error (record (HEAPPROF_RAW_INTERPRETED, 2, 8),
		"interpreted frame 2: name at 80 is not a valid string "
		"(93 bytes of strings)");
  raw_builder_sample (&builder);
  builder.segments[0].build_id_bytes = 33;
  expect_error (record (HEAPPROF_RAW_SEGMENTS, 0, 56),
		"segment 0: invalid build ID size 33 bytes "
		"(expected at most 32)");
  raw_builder_sample (&builder);
  builder.segments[0].first_context = 4;
  expect_error (record (HEAPPROF_RAW_SEGMENTS, 0, 48),
		"segment 0: invalid context range 4 to 3");
  raw_builder_sample (&builder);
  builder.live[1].mib = 5;
  expect_error (record (HEAPPROF_RAW_LIVE, 1, 0),
		"live record 1: invalid MIB 5 (expected less "
		"than 5)");
  builder.live[1].mib = 1;
  expect_error (record (HEAPPROF_RAW_LIVE, 1, 0),
		"live records 0 and 1 have the same MIB 1");
  raw_builder_sample (&builder);
  builder.histograms[2].context = 5;
  expect_error (record (HEAPPROF_RAW_HISTOGRAM, 2, 0),
		"histogram 2: invalid context 5 (expected less "
		"than 5)");
  raw_builder_sample (&builder);
  builder.histograms[3].first_word = 505;
  expect_error (record (HEAPPROF_RAW_HISTOGRAM, 3, 4),
		"histogram 3: invalid start word 505");
  raw_builder_sample (&builder);
  builder.affinities[1].second = 5;
  expect_error (record (HEAPPROF_RAW_AFFINITY, 1, 0),
		"affinity 1: invalid contexts 2 and 5 (expected less than 5)");
  builder.affinities[1].second = 1;
  expect_error (record (HEAPPROF_RAW_AFFINITY, 1, 0),
		"affinity 1: invalid contexts 2 and 1 (expected less than 5)");
  raw_builder_sample (&builder);
  builder.leaks[1].context = 5;
  expect_error (record (HEAPPROF_RAW_LEAK, 1, 0),
		"leak 1: invalid context 5 (expected less than 5)");
  raw_builder_sample (&builder);
  builder.header.leak_records = UINT64_C (2) << 32 | 1;
  expect_error (312, "invalid leaks 1 to 3 (expected at most 2)");
  raw_builder_sample (&builder);
  builder.interpreted[1].function = 4000;
  expect_error (record (HEAPPROF_RAW_INTERPRETED, 1, 0),
		"interpreted frame 1: name at 4000 is not a valid string "
		"(93 bytes of strings)");
  raw_builder_sample (&builder);
  builder.interpreted[2].file = UINT64_MAX;
  expect_error (record (HEAPPROF_RAW_INTERPRETED, 2, 8),
		"interpreted frame 2: name at 18446744073709551615 is not a "
		"valid string (93 bytes of strings)");
}
END_TEST

/* A context with the address of an interpreted frame is that frame; the address
   after the last one is none.  In a running file a name may be too new.  */
START_TEST (interpreted_frames)
{
  raw_builder_sample (&builder);
  builder.header.state = HEAPPROF_RAW_COMPLETE;
  uint64_t address
    = raw_builder_interpreted (&builder, "<lambda>", "/src/other.py", 20, 21);
  uint32_t unnamed
    = raw_builder_context (&builder, 1, HEAPPROF_RAW_INTERPRETED_FIRST);
  uint32_t named = raw_builder_context (&builder, unnamed, address);
  uint32_t none = raw_builder_context (&builder, named, address + 1);
  size_t size;
  unsigned char *data = raw_builder_finish (&builder, &size);
  struct raw_profile *profile = raw_profile_parse ("made", data, size, &err);
  ck_assert_msg (profile != NULL, "%s", err.cause);
  struct raw_interpreted frame;
  ck_assert (raw_profile_interpreted (profile, named, &frame));
  ck_assert_str_eq (frame.function, "<lambda>");
  ck_assert_str_eq (frame.file, "/src/other.py");
  ck_assert_uint_eq (frame.first_line, 20);
  ck_assert_uint_eq (frame.line, 21);
  ck_assert_int_eq (raw_profile_find_segment (profile, named), -1);
  ck_assert (raw_profile_interpreted (profile, unnamed, &frame));
  ck_assert_str_eq (frame.function, "");
  ck_assert_str_eq (frame.file, "");
  ck_assert (!raw_profile_interpreted (profile, none, &frame));
  ck_assert (!raw_profile_interpreted (profile, 0, &frame));
  ck_assert (!raw_profile_interpreted (profile, 1, &frame));
  raw_profile_close (profile);
  free (data);
  builder.header.state = HEAPPROF_RAW_RUNNING;
  builder.interpreted[3].file = 4000;
  data = raw_builder_finish (&builder, &size);
  profile = raw_profile_parse ("made", data, size, &err);
  ck_assert_msg (profile != NULL, "%s", err.cause);
  ck_assert (raw_profile_interpreted (profile, named, &frame));
  ck_assert_str_eq (frame.function, "<lambda>");
  ck_assert_str_eq (frame.file, "");
  raw_profile_close (profile);
  free (data);
}
END_TEST

/* Overwrite N bytes at OFFSET of the sample with VALUE, and parse it.  */
static struct raw_profile *
parse_patched (size_t offset, uint64_t value, size_t n)
{
  raw_builder_sample (&builder);
  size_t size;
  unsigned char *data = raw_builder_finish (&builder, &size);
  for (size_t i = 0; i < n; i++)
    data[offset + i] = value >> 8 * i;
  err = (struct profile_error){ 0 };
  struct raw_profile *profile = raw_profile_parse ("made", data, size, &err);
  free (data);
  return profile;
}

static const struct
{
  size_t offset; /* in the file */
  uint64_t value;
  size_t n;
  uint64_t error_offset;
  const char *cause;
} extent_errors[]
  = { { 496, 113, 8, 496,
	"invalid number of extents 113 (expected at "
	"most 112)" },
      { 512, 99, 4, 512, "extent 0: unknown kind 99" },
      { 512, 0, 4, 512, "extent 0: unknown kind 0" },
      { 516, 24, 4, 516,
	"invalid context record size 24 bytes (version "
	"7 has 16)" },
      { 520, 0, 8, 520,
	"context extent 0: invalid offset 0x0 (expected "
	"a multiple of 8, at least 4096)" },
      { 520, 4097, 8, 520,
	"context extent 0: invalid offset 0x1001 "
	"(expected a multiple of 8, at least 4096)" },
      { 16, 704, 4, 16,
	"invalid header size 704 bytes (version 7 has "
	"4096)" },
      { 528, UINT64_MAX / 8, 8, 528,
	"context extent 0: invalid capacity of "
	"2305843009213693951 records" },
      { 536, 6, 8, 536,
	"context extent 0: 6 records exceed the "
	"capacity of 5" },
      { 552, 4096, 8, 552, "extents 0 and 1 overlap at 0x1000" },
      { 640 + 8, 0xb000, 8, 0xb000,
	"live extent 4 ends after the file (need 32 "
	"bytes, 0 left)" },
      { 640 + 8, UINT64_MAX - 4095, 8, UINT64_MAX - 4095,
	"live extent 4 ends after the file (need 32 "
	"bytes, 0 left)" } };

START_TEST (bad_extents)
{
  ck_assert_ptr_null (parse_patched (extent_errors[_i].offset,
				     extent_errors[_i].value,
				     extent_errors[_i].n));
  ck_assert_str_eq (err.cause, extent_errors[_i].cause);
  ck_assert_uint_eq (err.offset, extent_errors[_i].error_offset);
}
END_TEST

START_TEST (extent_continued_too_early)
{
  raw_builder_sample (&builder);
  builder.first_extent[HEAPPROF_RAW_CONTEXTS] = 2;
  size_t size;
  unsigned char *data = raw_builder_finish (&builder, &size);
  data[512 + 16] = 3; /* the capacity of the first extent */
  ck_assert_ptr_null (raw_profile_parse ("made", data, size, &err));
  ck_assert_str_eq (err.cause, "context extent 0 is not full (2 of 3 records), "
			       "but is followed by extent 1");
  free (data);
}
END_TEST

START_TEST (cut_off)
{
  raw_builder_sample (&builder);
  size_t size;
  unsigned char *data = raw_builder_finish (&builder, &size);
  uint64_t last = raw_builder_offset (&builder, HEAPPROF_RAW_INTERPRETED);
  for (size_t n = 0; n < size; n += n < 600 ? 1 : 13)
    {
      struct raw_profile *profile = raw_profile_parse ("made", data, n, &err);
      /* Bytes after the last record are not needed.  */
      ck_assert_msg ((profile != NULL) == (n >= last + 3 * 24), "%zu bytes", n);
      raw_profile_close (profile);
    }
  free (data);
}
END_TEST

START_TEST (files)
{
  ck_assert_ptr_null (raw_profile_open ("/nonexistent/x.raw", &err));
  ck_assert_str_eq (err.cause, "cannot open: No such file or directory");
  ck_assert_uint_eq (err.offset, PROFILE_ERROR_NO_OFFSET);
  ck_assert_ptr_null (raw_profile_open ("/", &err));
  ck_assert_str_eq (err.cause, "cannot read: Is a directory");

  char name[] = "profdata-raw.XXXXXX";
  int fd = mkstemp (name);
  raw_builder_sample (&builder);
  size_t size;
  unsigned char *data = raw_builder_finish (&builder, &size);
  ck_assert_int_eq (write (fd, data, size), (ssize_t) size);
  ck_assert (raw_profile_has_magic (data, size));
  ck_assert (!raw_profile_has_magic (data, 7));
  close (fd);
  free (data);
  struct raw_profile *profile = raw_profile_open (name, &err);
  unlink (name);
  ck_assert_ptr_nonnull (profile);
  check_sample (profile);
  raw_profile_close (profile);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-raw");
  TCase *good = tcase_create ("good");
  tcase_add_loop_test (good, sample_in_both_orders, 0, 2);
  tcase_add_test (good, several_extents);
  tcase_add_test (good, nothing_but_a_header);
  tcase_add_test (good, wide_records);
  tcase_add_test (good, several_mibs_of_a_context);
  tcase_add_test (good, interpreted_frames);
  tcase_add_loop_test (good, lifetimes, 0, 3);
  tcase_add_loop_test (good, great_lifetimes, 0, 2);
  tcase_add_test (good, small_numbers);
  tcase_add_test (good, killed);
  tcase_add_test (good, killed_while_completing);
  tcase_add_test (good, files);
  suite_add_tcase (suite, good);
  TCase *bad = tcase_create ("bad");
  tcase_add_test (bad, links_must_agree_when_complete);
  tcase_add_test (bad, bad_header);
  tcase_add_test (bad, bad_records);
  tcase_add_loop_test (bad, bad_extents, 0,
		       sizeof extent_errors / sizeof extent_errors[0]);
  tcase_add_test (bad, extent_continued_too_early);
  tcase_add_test (bad, cut_off);
  suite_add_tcase (suite, bad);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
