/* Very many of one thing: the work must grow with their number, not with its
   square, which would last until the test is ended.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "counter-profile.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- Records of one name.  */

/* Record I of 400000: each hash has two shapes.  */
static struct counter_function *
find_record (struct counter_profile *profile, uint32_t name, uint32_t i,
	     bool is_added)
{
  struct counter_shape shape = { .counter_count = 1 + i % 2 };
  uint64_t hash = i / 2 * UINT64_C (1000003);
  return is_added ? counter_profile_add_function (profile, name, hash, &shape)
		  : counter_profile_find_function (profile, name, hash,
						   &shape);
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

int
main (void)
{
  Suite *suite = suite_create ("profdata-crowds");
  TCase *counters_case = tcase_create ("counters");
  tcase_add_test (counters_case, records_of_a_name);
  suite_add_tcase (suite, counters_case);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
