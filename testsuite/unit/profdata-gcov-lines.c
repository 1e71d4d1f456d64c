/* Unit tests of gcc's notes files, and of the exact counts of arcs, blocks and
   lines.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-builder.h"
#include "gcov-data.h"
#include "gcov-flow.h"
#include "gcov-ident.h"
#include "gcov-lines.h"
#include "gcov-names.h"
#include "gcov-notes.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct gcov_builder builder;

static struct gcov_notes *
parse_sample (unsigned int major, bool big_endian)
{
  struct profile_error err;
  gcov_build_sample_notes (&builder, major, big_endian);
  struct gcov_notes *notes
    = gcov_notes_parse ("notes", builder.data, builder.size, &err);
  ck_assert_msg (notes != NULL, "offset %lu: %s", (unsigned long) err.offset,
		 err.cause);
  return notes;
}

static struct gcov_profile *
parse_data (unsigned int major, bool big_endian)
{
  struct profile_error err;
  struct gcov_profile *profile = gcov_profile_new ();
  gcov_build_sample_data (&builder, major, big_endian);
  ck_assert (gcov_data_parse (profile, "data", "data", builder.data,
			      builder.size, &err));
  return profile;
}

/* ---- Idents.  */

/* Idents, compared with gcc's.  */
START_TEST (idents)
{
  ck_assert_uint_eq (gcov_ident_public ("main"), 108032747);
  ck_assert_uint_eq (gcov_ident_public ("_Z4stepiii"), 1948932070);
  ck_assert_uint_eq (gcov_lineno_checksum ("main", "main.cpp", 28), 0x88ec0d8e);
}
END_TEST

/* The second number in names of static constructors is random.  */
START_TEST (random_names)
{
  static const char *const same[][2]
    = { { "_GLOBAL__N_a.c_01234567_89ABCDEFfoo",
	  "_GLOBAL__N_a.c_01234567_00000000foo" },
	{ "x_GLOBAL__I_0123ABCD_FFFFFFFF", "x_GLOBAL__I_0123ABCD_00000000" } };
  static const char *const different[][2]
    = { { "_GLOBAL__N_a.c_01234567_8", "_GLOBAL__N_a.c_01234567_9" },
	{ "GLOBAL_01234567_89ABCDEF", "GLOBAL_01234567_00000000" },
	{ "_GLOBAL__N_01234567_89ABCDEF", "_GLOBAL__N_01234568_89ABCDEF" } };
  for (int i = 0; i < 2; i++)
    ck_assert_uint_eq (gcov_checksum_name (0, same[i][0]),
		       gcov_checksum_name (0, same[i][1]));
  for (int i = 0; i < 3; i++)
    ck_assert_uint_ne (gcov_checksum_name (0, different[i][0]),
		       gcov_checksum_name (0, different[i][1]));
}
END_TEST

/* ---- Notes.  */

START_TEST (notes)
{
  struct gcov_notes *parsed = parse_sample (11 + _i / 2, _i % 2);
  ck_assert_uint_eq (parsed->stamp, 4711);
  ck_assert_str_eq (parsed->directory, "/build");
  ck_assert_uint_eq (parsed->function_count, 5);
  const struct gcov_notes_function *function = &parsed->functions[1];
  ck_assert_str_eq (function->name, "loop");
  ck_assert_str_eq (function->file, "a.c");
  ck_assert_uint_eq (function->start_line, 20);
  ck_assert_uint_eq (function->end_line, 24);
  ck_assert_uint_eq (function->block_count, 6);
  ck_assert_uint_eq (function->arc_count, 6);
  ck_assert_uint_eq (function->counter_count, 2);
  ck_assert_uint_eq (function->arcs[3].source, 4);
  ck_assert_uint_eq (function->arcs[3].destination, 3);
  ck_assert_uint_eq (function->group_count, 4);
  ck_assert_uint_eq (function->groups[0].count, 2);
  ck_assert_uint_eq (function->lines[1], 22);
  uint32_t hint = 4;
  ck_assert_ptr_eq (gcov_notes_find (parsed, 200, 201, 202, &hint), function);
  ck_assert_uint_eq (hint, 2);
  ck_assert_ptr_null (gcov_notes_find (parsed, 200, 201, 203, &hint));
  gcov_notes_free (parsed);
}
END_TEST

/* Notes may end after any record, but nowhere else.  */
START_TEST (truncated_notes)
{
  struct profile_error err;
  gcov_build_sample_notes (&builder, 11 + _i, false);
  size_t accepted = 0;
  for (size_t size = 0; size < builder.size; size++)
    {
      struct gcov_notes *parsed
	= gcov_notes_parse ("notes", builder.data, size, &err);
      accepted += parsed != NULL;
      ck_assert (parsed != NULL || err.offset <= builder.size);
      gcov_notes_free (parsed);
    }
  /* After the header and after all 47 records but the last.  */
  ck_assert_uint_eq (accepted, 47);
}
END_TEST

static const struct
{
  uint32_t tag;
  uint32_t words[6];
  size_t count;
  const char *cause;
} bad_records[] = {
  { 0x01410000, { 3 }, 1, "second block record of a function" },
  { 0x01430000, { 9 }, 1, "invalid block 9 (expected less than 6)" },
  { 0x01430000, { 1, 6, 0 }, 3, "invalid block 6 (expected less than 6)" },
  { 0x01430000, { 1, 2 }, 2, "an arc: need 4 bytes, 0 left" },
  { 0x01450000, { 2, 7 }, 2, "line without a file" },
  { 0x01450000, { 2, 0, 4, 0x61616161 }, 4, "a line's file is not terminated" },
  { 0x01450000, { 2, 0, 0, 5 }, 4, "4 extra bytes at the end of a record" },
  { 0x01510000, { 2 }, 1, "unknown record tag 0x01510000" },
};

START_TEST (bad_record)
{
  struct profile_error err;
  gcov_build_sample_notes (&builder, 12, false);
  gcov_build_begin (&builder, bad_records[_i].tag);
  for (size_t i = 0; i < bad_records[_i].count; i++)
    gcov_build_u32 (&builder, bad_records[_i].words[i]);
  gcov_build_end (&builder);
  ck_assert_ptr_null (gcov_notes_parse ("notes", builder.data, builder.size,
					&err));
  ck_assert_str_eq (err.cause, bad_records[_i].cause);
}
END_TEST

START_TEST (names)
{
  struct gcov_profile *profile = parse_data (12, false);
  struct gcov_notes *parsed = parse_sample (12, false);
  ck_assert (gcov_names_from_notes (profile->units[0], parsed));
  const struct gcov_function *functions = profile->units[0]->functions;
  ck_assert_str_eq (functions[0].name, "diamond");
  ck_assert_str_eq (functions[4].name, "risk");
  ck_assert_str_eq (functions[3].file, "a.h");
  gcov_notes_free (parsed);
  gcov_profile_free (profile);
}
END_TEST

/* ---- Counts.  */

START_TEST (flow)
{
  static const int64_t counters[] = { 5, 45 };
  static const int64_t blocks[] = { 5, 5, 5, 45, 50, 5 };
  static const int64_t arcs[] = { 5, 5, 45, 45, 5, 5 };
  struct gcov_notes *parsed = parse_sample (12, false);
  struct gcov_flow solved;
  ck_assert (gcov_flow_solve (&solved, &parsed->functions[1], counters));
  ck_assert (solved.is_solved);
  ck_assert_mem_eq (solved.block_counts, blocks, sizeof blocks);
  ck_assert_mem_eq (solved.arc_counts, arcs, sizeof arcs);
  gcov_flow_free (&solved);
  ck_assert (gcov_flow_solve (&solved, &parsed->functions[1], NULL));
  ck_assert (solved.is_solved);
  ck_assert_int_eq (solved.block_counts[4], 0);
  gcov_flow_free (&solved);
  gcov_notes_free (parsed);
}
END_TEST

/* Counts cannot be solved if the uncounted arcs do not form a tree, but the
   solver terminates.  */
START_TEST (unsolvable)
{
  static const uint32_t arcs[] = { 2, 1, 3, 1 };
  static const uint32_t back[] = { 2, 1, 3, 1, 1, 1 };
  struct profile_error err;
  builder = (struct gcov_builder){ .major = 12 };
  gcov_build_header (&builder, 0x67636e6f, 1, 0);
  gcov_build_string (&builder, "");
  gcov_build_u32 (&builder, 1);
  gcov_build_notes_function (&builder, 1, "f", "f.c", 1, 2, 4);
  gcov_build_arcs (&builder, 0, arcs, 2);
  gcov_build_arcs (&builder, 2, back, 3);
  gcov_build_arcs (&builder, 3, back, 3);
  struct gcov_notes *parsed
    = gcov_notes_parse ("notes", builder.data, builder.size, &err);
  struct gcov_flow solved;
  ck_assert (gcov_flow_solve (&solved, &parsed->functions[0], NULL));
  ck_assert (!solved.is_solved);
  gcov_flow_free (&solved);
  gcov_notes_free (parsed);
}
END_TEST

/* The execution count of each line of the sample.  */
static const struct
{
  const char *path;
  struct gcov_line line;
} sample_lines[] = {
  { "a.c", { 10, 10, false, false } }, { "a.c", { 11, 10, false, false } },
  { "a.c", { 12, 3, false, false } },  { "a.c", { 14, 7, false, false } },
  { "a.c", { 18, 10, false, false } }, { "a.c", { 20, 5, false, false } },
  { "a.c", { 22, 50, false, false } }, { "a.c", { 24, 5, false, false } },
  { "a.c", { 30, 9, false, false } },  { "a.c", { 32, 9, false, false } },
  { "a.c", { 33, 8, false, false } },  { "a.c", { 35, 1, false, true } },
  { "a.c", { 39, 9, false, false } },  { "a.h", { 3, 6, true, false } },
  { "a.h", { 4, 6, true, false } },
};

#define SAMPLE_LINES (sizeof sample_lines / sizeof *sample_lines)

/* Check LINES.  IS_RUN: with the sample's counters, otherwise without
   counters.  */
static void
check_lines (const struct gcov_lines *lines, bool is_run)
{
  size_t n = 0;
  ck_assert_uint_eq (lines->source_count, 2);
  for (uint32_t i = 0; i < lines->source_count; i++)
    for (uint32_t j = 0; j < lines->sources[i].line_count; j++)
      {
	const struct gcov_line *found = &lines->sources[i].lines[j];
	ck_assert_uint_lt (n, SAMPLE_LINES);
	const struct gcov_line *expected = &sample_lines[n].line;
	ck_assert_str_eq (lines->sources[i].path, sample_lines[n].path);
	ck_assert_uint_eq (found->line, expected->line);
	ck_assert_int_eq (found->count, is_run ? expected->count : 0);
	ck_assert_int_eq (found->is_exceptional, expected->is_exceptional);
	ck_assert_int_eq (found->has_unexecuted_block,
			  is_run ? expected->has_unexecuted_block
				 : !expected->is_exceptional);
	n++;
      }
  ck_assert_uint_eq (n, SAMPLE_LINES);
}

START_TEST (lines)
{
  unsigned int major = 11 + _i / 2;
  struct gcov_profile *profile = parse_data (major, _i % 2);
  struct gcov_notes *parsed = parse_sample (major, _i % 2);
  struct gcov_lines *counted = gcov_lines_count (parsed, profile->units[0]);
  ck_assert_ptr_nonnull (counted);
  check_lines (counted, true);
  gcov_lines_free (counted);
  counted = gcov_lines_count (parsed, NULL);
  ck_assert_ptr_nonnull (counted);
  check_lines (counted, false);
  gcov_lines_free (counted);
  gcov_notes_free (parsed);
  gcov_profile_free (profile);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-gcov-lines");
  TCase *ident_case = tcase_create ("idents");
  tcase_add_test (ident_case, idents);
  tcase_add_test (ident_case, random_names);
  suite_add_tcase (suite, ident_case);
  TCase *notes_case = tcase_create ("notes");
  tcase_add_loop_test (notes_case, notes, 0, 12);
  tcase_add_loop_test (notes_case, truncated_notes, 0, 6);
  tcase_add_loop_test (notes_case, bad_record, 0,
		       sizeof bad_records / sizeof *bad_records);
  tcase_add_test (notes_case, names);
  suite_add_tcase (suite, notes_case);
  TCase *count_case = tcase_create ("counts");
  tcase_add_test (count_case, flow);
  tcase_add_test (count_case, unsolvable);
  tcase_add_loop_test (count_case, lines, 0, 12);
  suite_add_tcase (suite, count_case);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
