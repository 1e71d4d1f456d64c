/* Unit tests with very many items of one kind: the time must grow with their
   number, not with its square, which would exceed the time limit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "counter-profile.h"
#include "gcov-builder.h"
#include "gcov-format.h"
#include "gcov-notes.h"
#include "sample-text.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- Many records of one name.  */

/* Find or add record I of 400000: each hash has two shapes.  */
static struct counter_function *
find_record (struct counter_profile *profile, uint32_t name, uint32_t i,
	     bool is_added)
{
  struct counter_shape shape = { .counter_count = 1 + i % 2 };
  uint64_t hash = i / 2 * UINT64_C (1000003);
  return is_added ? counter_profile_add_function (profile, name, hash, &shape)
		  : counter_profile_find_function (profile, name, hash, &shape);
}

START_TEST (records_of_a_name)
{
  struct counter_profile *profile = counter_profile_new ();
  uint32_t name = counter_profile_add_name (profile, "f", 1);
  uint32_t other = counter_profile_add_name (profile, "g", 1);
  struct counter_shape shape = { .counter_count = 1 };
  struct counter_function *others
    = counter_profile_add_function (profile, other, 0, &shape);
  const uint32_t count = 400000;
  struct counter_function **records = calloc (count, sizeof *records);
  for (uint32_t i = 0; i < count; i++)
    {
      ck_assert_ptr_null (find_record (profile, name, i, false));
      records[i] = find_record (profile, name, i, true);
      ck_assert_ptr_nonnull (records[i]);
    }
  for (uint32_t i = 0; i < count; i++)
    {
      ck_assert_ptr_eq (find_record (profile, name, i, false), records[i]);
      ck_assert_ptr_eq (find_record (profile, name, i, true), records[i]);
    }
  ck_assert_ptr_eq (counter_profile_find_function (profile, other, 0, &shape),
		    others);
  ck_assert_uint_eq (counter_profile_function_count (profile), count + 1);
  struct counter_notes notes;
  ck_assert (counter_profile_find_notes (profile, &notes));
  ck_assert_uint_eq (notes.mismatched_names, 1);
  ck_assert_uint_eq (notes.conflicting_names, 1);
  free (records);
  counter_profile_free (profile);
}
END_TEST

/* ---- Many functions in a notes file.  */

/* Return a file with COUNT functions called f, numbered from 0 on and each
   present twice.  Malloced.  */
static unsigned char *
make_notes (uint32_t count, size_t *size)
{
  static struct gcov_builder builder = { .major = 12 };
  gcov_build_header (&builder, GCOV_FORMAT_NOTES_MAGIC, 1, 2);
  gcov_build_string (&builder, "/build");
  gcov_build_u32 (&builder, 0);
  size_t head = builder.size;
  gcov_build_notes_function (&builder, 0, "f", "a.c", 1, 2, 1);
  size_t bytes = builder.size - head;
  unsigned char *data = malloc (head + 2 * count * bytes);
  memcpy (data, builder.data, head);
  for (uint32_t i = 0; i < 2 * count; i++)
    {
      unsigned char *function = data + head + i * bytes;
      uint32_t numbers[3] = { i % count, i % count + 1, i % count + 2 };
      memcpy (function, builder.data + head, bytes);
      /* After tag and length.  */
      memcpy (function + 8, numbers, sizeof numbers);
    }
  *size = head + 2 * count * bytes;
  return data;
}

START_TEST (functions_of_notes)
{
  const uint32_t count = 200000;
  size_t size;
  unsigned char *data = make_notes (count, &size);
  struct profile_error err;
  struct gcov_notes *notes = gcov_notes_parse ("notes", data, size, &err);
  ck_assert_msg (notes != NULL, "%s", err.cause);
  ck_assert_uint_eq (notes->function_count, 2 * count);
  for (uint32_t i = count; i-- > 0;)
    {
      /* Search from the start, after the first copy, after the last copy.  */
      uint32_t hint = 0;
      for (uint32_t place = i; place < 3 * count; place += count)
	{
	  const struct gcov_notes_function *function
	    = gcov_notes_find (notes, i, i + 1, i + 2, &hint);
	  uint32_t expected = place < 2 * count ? place : i;
	  ck_assert_ptr_eq (function, &notes->functions[expected]);
	  ck_assert_uint_eq (hint, expected + 1);
	}
      ck_assert_ptr_null (gcov_notes_find (notes, i, i + 1, i + 3, &hint));
    }
  gcov_notes_free (notes);
  free (data);
}
END_TEST

/* ---- Many colons in a name.  */

/* A body line of a sample profile whose call target has 8000000 colons, with
   and without a count after them.  */
START_TEST (colons_of_a_name)
{
  static const char before[] = "f:9:1\n 1: 9 ";
  static const char behind[] = "g:7\n";
  const size_t colons = 8000000;
  size_t size = sizeof before - 1 + colons + sizeof behind - 1;
  char *text = malloc (size + 1);
  strcpy (text, before);
  memset (text + sizeof before - 1, ':', colons);
  strcpy (text + size - (sizeof behind - 1), _i ? behind : "g:?\n");
  struct sample_profile *profile = sample_profile_new ();
  struct profile_error err;
  bool done = sample_text_fold (profile, "text", text, size, &err);
  ck_assert_int_eq (done, _i);
  if (done)
    {
      const struct sample_function *function
	= sample_profile_function (profile, 0);
      const struct sample_count *target
	= &function->bodies[0].targets.counts[0];
      ck_assert_uint_eq (target->count, 7);
      ck_assert_uint_eq (sample_profile_name_bytes (profile, target->name),
			 colons + 1);
    }
  else
    ck_assert_uint_eq (err.offset, strlen ("f:9:1\n"));
  sample_profile_free (profile);
  free (text);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-crowds");
  TCase *counters_case = tcase_create ("counters");
  tcase_add_test (counters_case, records_of_a_name);
  suite_add_tcase (suite, counters_case);
  TCase *notes_case = tcase_create ("notes");
  tcase_add_test (notes_case, functions_of_notes);
  suite_add_tcase (suite, notes_case);
  TCase *samples_case = tcase_create ("samples");
  tcase_add_loop_test (samples_case, colons_of_a_name, 0, 2);
  suite_add_tcase (suite, samples_case);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
