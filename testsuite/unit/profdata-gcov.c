/* Unit tests of gcc's own counters: data files, adding, the heapprof section,
   and the function records made from them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-builder.h"
#include "gcov-counters.h"
#include "gcov-data.h"
#include "gcov-format.h"
#include "gcov-ident.h"
#include "gcov-names.h"
#include "gcov-section.h"
#include "indexed-profile.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct gcov_builder builder;

static struct gcov_profile *
parse (struct profile_error *err)
{
  struct gcov_profile *profile = gcov_profile_new ();
  ck_assert_ptr_nonnull (profile);
  if (gcov_data_parse (profile, "file", "unit", builder.data, builder.size,
		       err))
    return profile;
  gcov_profile_free (profile);
  return NULL;
}

static struct gcov_profile *
parse_sample (unsigned int major, bool big_endian)
{
  struct profile_error err;
  gcov_build_sample_data (&builder, major, big_endian);
  struct gcov_profile *profile = parse (&err);
  ck_assert_msg (profile != NULL, "offset %lu: %s", (unsigned long) err.offset,
		 err.cause);
  return profile;
}

/* The writer must turn the first unit of PROFILE into the builder's file.  */
static void
check_bytes (const struct gcov_profile *profile)
{
  struct byte_writer writer = { 0 };
  struct profile_error err;
  ck_assert (gcov_data_serialize (&writer, profile->units[0], &err));
  ck_assert_uint_eq (writer.size, builder.size);
  ck_assert_mem_eq (writer.data, builder.data, builder.size);
  byte_writer_free (&writer);
}

/* ---- Data files.  */

START_TEST (round_trip)
{
  unsigned int major = 11 + _i / 2;
  struct gcov_profile *profile = parse_sample (major, _i % 2);
  const struct gcov_unit *unit = profile->units[0];
  ck_assert_uint_eq (profile->unit_count, 1);
  ck_assert_str_eq (unit->path, "unit");
  ck_assert_uint_eq (unit->stamp, 4711);
  ck_assert_uint_eq (unit->checksum, major < 12 ? 0 : 815);
  ck_assert_uint_eq (unit->runs, 2);
  ck_assert_uint_eq (unit->sum_max, 90);
  ck_assert_uint_eq (unit->position_count, 7);
  ck_assert_uint_eq (unit->function_count, 5);
  const struct gcov_function *function = &unit->functions[0];
  ck_assert_uint_eq (function->ident, 100);
  ck_assert_uint_eq (function->lineno_checksum, 101);
  ck_assert_uint_eq (function->cfg_checksum, 102);
  const struct gcov_vector *vector
    = gcov_function_vector (function, GCOV_KIND_ARCS);
  ck_assert_uint_eq (vector->count, 2);
  ck_assert_int_eq (vector->counters[1], 3);
  vector = gcov_function_vector (function, GCOV_KIND_INTERVAL);
  ck_assert_uint_eq (vector->count, 3);
  ck_assert_ptr_null (vector->counters);
  vector = gcov_function_vector (function, GCOV_KIND_TOPN);
  ck_assert_uint_eq (vector->count, 3);
  ck_assert_uint_eq (vector->sites[0].target_count, 2);
  ck_assert_int_eq (vector->sites[0].targets[1].value, -5);
  ck_assert_uint_eq (vector->sites[1].target_count, 0);
  ck_assert_int_eq (vector->sites[2].total, -40);
  ck_assert_ptr_null (gcov_function_vector (&unit->functions[2],
					    GCOV_KIND_TIME));
  ck_assert_uint_eq (unit->functions[1].position, 2);
  check_bytes (profile);
  gcov_profile_free (profile);
}
END_TEST

START_TEST (explicit_zeros_stay)
{
  static const uint64_t zeros[2];
  struct profile_error err;
  builder = (struct gcov_builder){ .major = 12 };
  gcov_build_header (&builder, GCOV_FORMAT_DATA_MAGIC, 1, 2);
  gcov_build_function (&builder, 1, 2, 3);
  gcov_build_counters (&builder, 0, zeros, 2);
  gcov_build_u32 (&builder, 0);
  struct gcov_profile *profile = parse (&err);
  ck_assert_ptr_nonnull (profile);
  ck_assert (!profile->units[0]->has_summary);
  check_bytes (profile);
  gcov_profile_free (profile);
}
END_TEST

START_TEST (stream)
{
  struct profile_error err;
  builder = (struct gcov_builder){ .major = 13 };
  for (int i = 0; i < 2; i++)
    {
      gcov_build_u32 (&builder, GCOV_FORMAT_NAME_MAGIC);
      gcov_build_u32 (&builder, gcov_build_version (13));
      gcov_build_string (&builder, i == 0 ? "x/a.gcda" : "x/b.gcda");
      gcov_build_header (&builder, GCOV_FORMAT_DATA_MAGIC, i, 0);
      gcov_build_function (&builder, 1, 2, 3);
      gcov_build_zeros (&builder, 0, 4);
      gcov_build_u32 (&builder, 0);
    }
  struct gcov_profile *profile = parse (&err);
  ck_assert_ptr_nonnull (profile);
  ck_assert_uint_eq (profile->unit_count, 2);
  ck_assert_str_eq (profile->units[0]->path, "x/a.gcda");
  ck_assert_str_eq (profile->units[1]->path, "x/b.gcda");
  gcov_profile_free (profile);
}
END_TEST

/* Invalid files of GCC 12, the error, and its offset.  */
static const struct
{
  uint32_t words[12];
  size_t count; /* of them */
  const char *cause;
  uint64_t offset;
} bad_files[] = {
  { { 0x12345678 }, 1, "not a GCC coverage file: magic 0x12345678", 0 },
  { { GCOV_FORMAT_NOTES_MAGIC },
    1,
    "not a GCC data file: magic 0x67636e6f",
    0 },
  { { GCOV_FORMAT_DATA_MAGIC, 7 }, 2, "invalid GCC version 0x00000007", 4 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4130332a },
    2,
    "invalid GCC version 0x4130332a",
    4 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4139332a },
    2,
    "unsupported GCC version 9 (expected 11 to 16)",
    4 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4237322a },
    2,
    "unsupported GCC version 17 (expected 11 to 16)",
    4 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4232322a, 1, 2, 0x01a10000, 0 },
    6,
    "counters outside a function",
    16 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4232322a, 1, 2, 0x01000000, 8, 1, 2 },
    8,
    "invalid function record size 8 bytes (expected "
    "12)",
    16 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4232322a, 1, 2, 0xa1000000, 4, 1 },
    7,
    "invalid summary size 4 bytes (expected 8)",
    16 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4232322a, 1, 2, 0xa3000000, 0 },
    6,
    "unknown record tag 0xa3000000",
    16 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4232322a, 1, 2, 0x01b10000, 0 },
    6,
    "unknown record tag 0x01b10000",
    16 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4232322a, 1, 2, 0x01000000, 12, 1, 2, 3,
      0x01a10000, 12, 0 },
    12,
    "invalid counter size 12 bytes (expected a "
    "multiple of 8)",
    36 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4232322a, 1, 2, 0x01000000, 12, 1, 2, 3,
      0x01a10000, 0x80000000 },
    11,
    "invalid counter count 268435456 (more than the "
    "file can hold)",
    36 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4232322a, 1, 2, 0x01000000, 12, 1, 2, 3,
      0x01a10000, 16, 0 },
    12,
    "counters: need 16 bytes, 4 left",
    44 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4232322a, 1, 2, 0, 0 },
    6,
    "4 extra bytes at the end of the file",
    20 },
  { { GCOV_FORMAT_DATA_MAGIC, 0x4232322a, 1, 2 },
    4,
    "the tag of a record: need 4 bytes, 0 left",
    16 },
};

START_TEST (bad_file)
{
  struct profile_error err = { 0 };
  builder = (struct gcov_builder){ .major = 12 };
  for (size_t i = 0; i < bad_files[_i].count; i++)
    gcov_build_u32 (&builder, bad_files[_i].words[i]);
  ck_assert_ptr_null (parse (&err));
  ck_assert_str_eq (err.cause, bad_files[_i].cause);
  ck_assert_uint_eq (err.offset, bad_files[_i].offset);
  ck_assert_str_eq (err.path, "file");
}
END_TEST

/* Every truncated file is rejected.  */
START_TEST (truncation)
{
  struct profile_error err;
  gcov_build_sample_data (&builder, 11 + _i, false);
  for (size_t whole = builder.size; builder.size-- > 0;)
    {
      ck_assert_ptr_null (parse (&err));
      ck_assert (err.offset <= whole);
    }
}
END_TEST

/* A site with more values than gcc has room for is written without the rarest
   ones, and this is reported.  */
START_TEST (most_targets)
{
  struct gcov_target targets[40];
  struct gcov_site site = { 100, 40, targets };
  struct gcov_vector vector
    = { .kind = GCOV_KIND_CALL, .count = 1, .sites = &site };
  struct gcov_function function = { .vector_count = 1, .vectors = &vector };
  struct gcov_unit unit = { .path = NULL,
			    .version = gcov_build_version (12),
			    .position_count = 1,
			    .function_count = 1,
			    .functions = &function };
  for (int i = 0; i < 40; i++)
    targets[i] = (struct gcov_target){ i, i };
  struct byte_writer writer = { 0 };
  struct profile_error err;
  ck_assert (gcov_data_serialize (&writer, &unit, &err));
  struct gcov_profile *profile = gcov_profile_new ();
  ck_assert (gcov_data_parse (profile, "", "", writer.data, writer.size, &err));
  const struct gcov_site *found
    = &profile->units[0]->functions[0].vectors[0].sites[0];
  ck_assert_int_eq (found->total, -100);
  ck_assert_uint_eq (found->target_count, 32);
  ck_assert_int_eq (found->targets[0].value, 39);
  ck_assert_int_eq (found->targets[31].value, 8);
  gcov_profile_free (profile);
  byte_writer_free (&writer);
}
END_TEST

/* ---- Adding.  */

START_TEST (twice_the_same)
{
  struct gcov_profile *profile = parse_sample (16, false);
  struct gcov_profile *other = parse_sample (16, false);
  ck_assert (gcov_profile_merge (profile, other));
  ck_assert_uint_eq (profile->unit_count, 1);
  const struct gcov_unit *unit = profile->units[0];
  ck_assert_uint_eq (unit->runs, 4);
  ck_assert_uint_eq (unit->sum_max, 180);
  static const int64_t expected[GCOV_KINDS]
    = { 20, 0, 0, 0, 0, -14, 0x123456789abcdef0, 12, 3, 0 };
  for (int kind = 0; kind < GCOV_KINDS; kind++)
    {
      const struct gcov_vector *vector
	= gcov_function_vector (&unit->functions[0], kind);
      if (vector->counters)
	ck_assert_int_eq (vector->counters[0], expected[kind]);
      else if (!vector->sites)
	ck_assert_int_eq (expected[kind], 0);
    }
  const struct gcov_site *sites
    = gcov_function_vector (&unit->functions[0], GCOV_KIND_TOPN)->sites;
  ck_assert_int_eq (sites[0].total, 18);
  ck_assert_int_eq (sites[0].targets[0].value, -5);
  ck_assert_int_eq (sites[0].targets[0].count, 10);
  ck_assert_int_eq (sites[2].total, -80);
  ck_assert (!profile->is_saturated);
  gcov_profile_free (other);
  gcov_profile_free (profile);
}
END_TEST

START_TEST (sums_stop)
{
  struct gcov_profile *profile = gcov_profile_new ();
  for (int i = 0; i < 2; i++)
    {
      struct profile_error err;
      builder = (struct gcov_builder){ .major = 12 };
      gcov_build_header (&builder, GCOV_FORMAT_DATA_MAGIC, 1, 2);
      gcov_build_summary (&builder, UINT32_MAX, 7);
      gcov_build_function (&builder, 1, 2, 3);
      gcov_build_counters (&builder, 0, (uint64_t[]){ INT64_MAX - 1, 1 }, 2);
      gcov_build_u32 (&builder, 0);
      struct gcov_profile *source = parse (&err);
      ck_assert (gcov_profile_merge (profile, source));
      gcov_profile_free (source);
      ck_assert (profile->is_saturated == (i == 1));
    }
  const struct gcov_unit *unit = profile->units[0];
  ck_assert_uint_eq (unit->runs, UINT32_MAX);
  ck_assert_int_eq (unit->functions[0].vectors[0].counters[0], INT64_MAX);
  ck_assert_int_eq (unit->functions[0].vectors[0].counters[1], 2);
  gcov_profile_free (profile);
}
END_TEST

/* Return the sum of COUNT random units, the numbers FIRST, FIRST + STEP and so
   on, modulo COUNT.  */
static struct gcov_profile *
add_units (unsigned int count, unsigned int first, unsigned int step)
{
  struct gcov_profile *profile = gcov_profile_new ();
  for (unsigned int i = 0; i < count; i++)
    {
      unsigned int number = (first + i * step) % count;
      ck_assert (gcov_profile_add (profile,
				   gcov_random_unit (number % 5, number)));
    }
  return profile;
}

static void
check_same_section (const struct gcov_profile *a, const struct gcov_profile *b)
{
  struct byte_writer writers[2] = { { 0 }, { 0 } };
  ck_assert (gcov_section_write (&writers[0], a));
  ck_assert (gcov_section_write (&writers[1], b));
  ck_assert_uint_eq (writers[0].size, writers[1].size);
  ck_assert_mem_eq (writers[0].data, writers[1].data, writers[0].size);
  byte_writer_free (&writers[0]);
  byte_writer_free (&writers[1]);
}

/* 23 units of 5 keys, added one by one, in another order, and in groups.  */
START_TEST (any_order)
{
  struct gcov_profile *all = add_units (23, 0, 1);
  struct gcov_profile *other = add_units (23, _i, 1 + _i * 3 % 22);
  check_same_section (all, other);
  gcov_profile_free (other);
  other = gcov_profile_new ();
  for (int group = 4; group >= 0; group--)
    {
      struct gcov_profile *part = gcov_profile_new ();
      for (int i = group; i < 23; i += 5)
	{
	  int number = (i * (_i + 1)) % 23;
	  ck_assert (gcov_profile_add (part,
				       gcov_random_unit (number % 5, number)));
	}
      ck_assert (gcov_profile_merge (other, part));
      gcov_profile_free (part);
    }
  check_same_section (all, other);
  gcov_profile_free (other);
  gcov_profile_free (all);
}
END_TEST

/* ---- The section.  */

START_TEST (section_round_trip)
{
  struct gcov_profile *profile = add_units (9, 0, 1);
  struct gcov_profile *sample = parse_sample (11 + _i, _i % 2);
  ck_assert (gcov_profile_merge (profile, sample));
  struct byte_writer writer = { 0 };
  ck_assert (gcov_section_write (&writer, profile));
  struct byte_reader reader;
  struct profile_error err;
  byte_reader_init (&reader, "section", writer.data, writer.size, &err);
  struct gcov_profile *read = gcov_profile_new ();
  ck_assert_msg (gcov_section_read (&reader, read), "%s", err.cause);
  ck_assert_uint_eq (byte_reader_left (&reader), 0);
  check_same_section (profile, read);
  for (size_t i = 0; i < read->unit_count; i++)
    if (strcmp (read->units[i]->path, "unit") == 0)
      {
	struct gcov_profile one = { .units = &read->units[i] };
	check_bytes (&one);
      }
  gcov_profile_free (read);
  gcov_profile_free (sample);
  gcov_profile_free (profile);
  byte_writer_free (&writer);
}
END_TEST

/* ---- Function records.  */

static void
name_function (struct gcov_function *function, const char *name,
	       const char *file)
{
  function->name = strdup (name);
  function->file = file ? strdup (file) : NULL;
}

static const struct counter_function *
find_record (const struct counter_profile *counters, const char *name)
{
  for (uint32_t i = 0; i < counter_profile_name_count (counters); i++)
    if (strcmp (counter_profile_name (counters, i), name) == 0)
      return counter_profile_functions_of (counters, i);
  return NULL;
}

START_TEST (records)
{
  struct gcov_profile *gcov = parse_sample (12, false);
  struct gcov_function *functions = gcov->units[0]->functions;
  functions[0].ident = gcov_ident_public ("diamond");
  name_function (&functions[0], "diamond", "a.c");
  name_function (&functions[1], "*loop", "a.c");
  struct counter_profile *counters = counter_profile_new ();
  struct profile_error err;
  ck_assert (gcov_counters_add (gcov, counters, &err));
  const struct counter_function *record = find_record (counters, "diamond");
  ck_assert_ptr_nonnull (record);
  ck_assert_uint_eq (record->hash, UINT64_C (102) << 32 | 101);
  ck_assert_uint_eq (record->shape.counter_count, 2);
  ck_assert_uint_eq (record->counters[1], 3);
  const struct counter_value_site *site = record->sites[COUNTER_CALL_TARGET];
  ck_assert_uint_eq (site->count, 1);
  ck_assert_uint_eq (site->values[0].count, 3);
  record = find_record (counters, "a.c;loop");
  ck_assert_ptr_nonnull (record);
  ck_assert_uint_eq (site->values[0].value,
		     counter_profile_name_guid (counters, record->name));
  ck_assert_ptr_nonnull (find_record (counters, "?0000012c"));
  ck_assert_uint_eq (counter_profile_function_count (counters), 5);
  counter_profile_free (counters);
  gcov_profile_free (gcov);
}
END_TEST

/* A name is taken from a unit that knows it, or is a known public name.  */
START_TEST (completing_names)
{
  struct gcov_profile *gcov = parse_sample (12, false);
  struct gcov_function *functions = gcov->units[0]->functions;
  functions[3].ident = functions[1].ident;
  functions[3].lineno_checksum = functions[1].lineno_checksum;
  functions[2].ident = gcov_ident_public ("spread");
  name_function (&functions[1], "loop", "a.c");
  static const char *const names[] = { "other", "spread" };
  ck_assert (gcov_names_complete (gcov, names, 2));
  ck_assert_ptr_null (functions[0].name);
  ck_assert_str_eq (functions[2].name, "spread");
  ck_assert_str_eq (functions[3].name, "loop");
  ck_assert_str_eq (functions[3].file, "a.c");
  gcov_profile_free (gcov);
}
END_TEST

/* In an indexed file, counters from another source are not changed, even if
   they belong to the same function.  */
START_TEST (indexed_file)
{
  struct profile *profile = profile_new ();
  profile->gcov = parse_sample (12, false);
  struct counter_profile *foreign = counter_profile_new ();
  struct profile_error err;
  ck_assert (counter_profile_add_flags (foreign, COUNTER_IR, true, &err));
  if (_i > 0)
    ck_assert (gcov_counters_add (profile->gcov, foreign, &err));
  uint32_t name = counter_profile_add_name (foreign, "foreign", 7);
  struct counter_shape shape = { .counter_count = 1 };
  struct counter_function *record
    = counter_profile_add_function (foreign, name, 5, &shape);
  counter_function_add_counters (record, (uint64_t[]){ 17 }, 1);
  if (_i != 2)
    profile->counters = foreign;
  const struct indexed_profile_options options = { .full_schema = false };
  void *data[2];
  size_t size[2];
  for (int i = 0; i < 2; i++)
    {
      ck_assert (indexed_profile_serialize (profile, &options, &data[i],
					    &size[i], &err));
      profile_free (profile);
      profile = indexed_profile_parse ("x", data[i], size[i], &err);
      ck_assert_msg (profile != NULL, "%s", err.cause);
      ck_assert_uint_eq (profile->gcov->unit_count, 1);
      check_bytes (profile->gcov);
      if (_i == 2)
	ck_assert_ptr_null (profile->counters);
      else
	ck_assert_uint_eq (counter_profile_function_count (profile->counters),
			   _i == 0 ? 1 : 5);
    }
  ck_assert_uint_eq (size[0], size[1]);
  ck_assert_mem_eq (data[0], data[1], size[0]);
  free (data[0]);
  free (data[1]);
  profile_free (profile);
  if (_i == 2)
    counter_profile_free (foreign);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-gcov");
  TCase *data_case = tcase_create ("data files");
  tcase_add_loop_test (data_case, round_trip, 0, 12);
  tcase_add_test (data_case, explicit_zeros_stay);
  tcase_add_test (data_case, stream);
  tcase_add_loop_test (data_case, bad_file, 0,
		       sizeof bad_files / sizeof *bad_files);
  tcase_add_loop_test (data_case, truncation, 0, 6);
  tcase_add_test (data_case, most_targets);
  suite_add_tcase (suite, data_case);
  TCase *merge_case = tcase_create ("adding");
  tcase_add_test (merge_case, twice_the_same);
  tcase_add_test (merge_case, sums_stop);
  tcase_add_loop_test (merge_case, any_order, 0, 20);
  suite_add_tcase (suite, merge_case);
  TCase *section_case = tcase_create ("section");
  tcase_add_loop_test (section_case, section_round_trip, 0, 6);
  suite_add_tcase (suite, section_case);
  TCase *record_case = tcase_create ("records");
  tcase_add_test (record_case, records);
  tcase_add_test (record_case, completing_names);
  tcase_add_loop_test (record_case, indexed_file, 0, 3);
  suite_add_tcase (suite, record_case);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
