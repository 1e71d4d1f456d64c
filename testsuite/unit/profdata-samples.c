/* Unit tests of sample profiles in memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile.h"
#include "sample-profile.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct profile_error err;

static uint32_t
add_name (struct sample_profile *profile, const char *text)
{
  uint32_t name = sample_profile_add_name (profile, text, strlen (text));
  ck_assert_uint_ne (name, SAMPLE_NO_NAME);
  return name;
}

static struct sample_function *
add_function (struct sample_profile *profile, const char *name, uint64_t total,
	      uint64_t head)
{
  struct sample_function *function
    = sample_profile_add_function (profile, NULL, 0, add_name (profile, name));
  ck_assert_ptr_nonnull (function);
  sample_count_add (&function->total, total);
  sample_count_add (&function->head, head);
  return function;
}

static struct sample_location
at (uint32_t line, uint32_t discriminator)
{
  return (struct sample_location){ line, discriminator };
}

static void
expect_name (const struct sample_profile *profile, uint32_t name,
	     const char *text)
{
  ck_assert_str_eq (sample_profile_name (profile, name), text);
}

START_TEST (names_and_guids_are_one)
{
  struct sample_profile *profile = sample_profile_new ();
  /* From md5sum: the first 8 bytes of the digest of `main'.  */
  uint64_t guid = UINT64_C (0xdb956436e78dd5fa);
  uint32_t name = sample_profile_add_guid (profile, guid);
  ck_assert_ptr_null (sample_profile_name (profile, name));
  uint32_t other = sample_profile_add_guid (profile, guid + 1);
  ck_assert_uint_eq (add_name (profile, "main"), name);
  expect_name (profile, name, "main");
  ck_assert_uint_eq (sample_profile_add_guid (profile, guid), name);
  uint32_t file = add_name (profile, "main.c");
  uint32_t local = sample_profile_add_name_in_file (profile, "main", 4, file);
  ck_assert_uint_ne (local, name);
  ck_assert_int_lt (sample_profile_compare_names (profile, name, local), 0);
  ck_assert_int_lt (sample_profile_compare_names (profile, file, other), 0);
  ck_assert_uint_eq (sample_profile_name_count (profile), 4);
  sample_profile_free (profile);
}
END_TEST

START_TEST (records_are_in_order_whatever_came_first)
{
  struct sample_profile *profile = sample_profile_new ();
  struct sample_function *f = add_function (profile, "f", 1, 1);
  uint32_t g = add_name (profile, "g");
  uint32_t h = add_name (profile, "h");
  static const uint32_t lines[] = { 9, 3, 65530, 4, 0, 3, 9 };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    ck_assert (sample_function_add_body (profile, f, at (lines[i], i % 2), 10));
  ck_assert (sample_function_add_target (profile, f, at (4, 1), h, 5));
  ck_assert (sample_function_add_target (profile, f, at (4, 1), g, 5));
  ck_assert (sample_function_add_target (profile, f, at (4, 1), h, 0));
  ck_assert (sample_function_add_vtable (profile, f, at (7, 0), h, 8));
  ck_assert_uint_eq (f->body_count, 5);
  for (uint32_t i = 1; i < f->body_count; i++)
    ck_assert_int_lt (sample_location_compare (f->bodies[i - 1].location,
					       f->bodies[i].location),
		      0);
  ck_assert_uint_eq (sample_function_find_body (f, at (9, 0))->count, 20);
  ck_assert_ptr_null (sample_function_find_body (f, at (9, 1)));
  const struct sample_body *body = sample_function_find_body (f, at (4, 1));
  struct sample_count *targets
    = sample_counts_ordered (profile, &body->targets);
  ck_assert_uint_eq (body->targets.count, 2);
  ck_assert_uint_eq (targets[0].name, g);
  free (targets);
  ck_assert_uint_eq (
    sample_function_find_vtables (f, at (7, 0))->tables.counts[0].count, 8);
  ck_assert_ptr_null (sample_function_find_vtables (f, at (4, 1)));
  sample_profile_free (profile);
}
END_TEST

START_TEST (inlined_functions_nest)
{
  struct sample_profile *profile = sample_profile_new ();
  struct sample_function *f = add_function (profile, "f", 0, 1);
  uint32_t g = add_name (profile, "g");
  uint32_t h = add_name (profile, "h");
  struct sample_function *in_h
    = sample_function_need_inlinee (profile, f, at (2, 0), h);
  struct sample_function *in_g
    = sample_function_need_inlinee (profile, f, at (2, 0), g);
  struct sample_function *deep
    = sample_function_need_inlinee (profile, in_g, at (1, 3), h);
  ck_assert_ptr_eq (sample_function_need_inlinee (profile, f, at (2, 0), h),
		    in_h);
  ck_assert_ptr_eq (sample_function_find_inlinee (in_g, at (1, 3), h), deep);
  ck_assert_ptr_null (sample_function_find_inlinee (in_g, at (1, 2), h));
  ck_assert_ptr_null (sample_function_find_inlinee (f, at (3, 0), h));
  ck_assert (sample_function_add_body (profile, f, at (1, 0), 100));
  ck_assert (sample_function_add_body (profile, in_h, at (1, 0), 20));
  ck_assert (sample_function_add_body (profile, deep, at (1, 0), 3));
  ck_assert_uint_eq (sample_function_sum (f), 123);
  ck_assert_uint_eq (in_g->total, 3);
  struct sample_call_site *sites = sample_function_ordered_sites (profile, f);
  ck_assert_ptr_eq (sites[0].inlinee, in_g);
  free (sites);
  struct sample_function *last = deep;
  while (last->depth < SAMPLE_DEEPEST)
    {
      last = sample_function_need_inlinee (profile, last, at (1, 0), g);
      ck_assert_ptr_nonnull (last);
    }
  ck_assert_ptr_null (sample_function_need_inlinee (profile, last, at (1, 0),
						    g));
  sample_profile_free (profile);
}
END_TEST

/* Return a profile of f, with a body and an inlined g, and of g itself.  */
static struct sample_profile *
make_profile (uint64_t factor, const char *target)
{
  struct sample_profile *profile = sample_profile_new ();
  struct sample_function *f = add_function (profile, "f", 10 * factor, factor);
  add_function (profile, "g", 20 * factor, 0);
  uint32_t g = add_name (profile, "g");
  struct sample_function *in_g
    = sample_function_need_inlinee (profile, f, at (2, 0), g);
  in_g->total = 4 * factor;
  ck_assert (sample_function_add_body (profile, f, at (1, 0), 6 * factor));
  ck_assert (sample_function_add_target (profile, f, at (1, 0),
					 add_name (profile, target), factor));
  ck_assert (sample_function_add_vtable (profile, in_g, at (0, 0), g, factor));
  return profile;
}

static uint64_t
sum_targets (const struct sample_function *f)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < f->bodies[0].targets.count; i++)
    sum += f->bodies[0].targets.counts[i].count;
  return sum;
}

START_TEST (merging_adds_and_scaling_multiplies)
{
  struct sample_profile *a = make_profile (1, "x");
  struct sample_profile *b = make_profile (100, "w");
  sample_profile_scale (b, 3);
  ck_assert (sample_profile_merge (a, b, &err));
  uint32_t *order = sample_profile_order (a);
  const struct sample_function *g = sample_profile_function (a, order[0]);
  const struct sample_function *f = sample_profile_function (a, order[1]);
  free (order);
  ck_assert_uint_eq (sample_profile_function_count (a), 2);
  expect_name (a, g->name, "g");
  ck_assert_uint_eq (g->total, 6020);
  ck_assert_uint_eq (f->total, 3010);
  ck_assert_uint_eq (f->head, 301);
  ck_assert_uint_eq (f->bodies[0].count, 1806);
  ck_assert_uint_eq (f->bodies[0].targets.count, 2);
  ck_assert_uint_eq (sum_targets (f), 301);
  const struct sample_function *in_g = f->call_sites[0].inlinee;
  ck_assert_uint_eq (in_g->total, 1204);
  ck_assert_uint_eq (in_g->vtables[0].tables.counts[0].count, 301);
  sample_profile_scale (a, UINT64_MAX / 1000);
  ck_assert_uint_eq (f->total, UINT64_MAX);
  sample_profile_free (a);
  sample_profile_free (b);
}
END_TEST

START_TEST (what_does_not_go_together_is_refused)
{
  struct sample_profile *a = make_profile (1, "x");
  struct sample_profile *b = make_profile (1, "x");
  ck_assert (sample_profile_add_flags (a, 0, true, &err));
  ck_assert (sample_profile_add_flags (b, SAMPLE_PROBES, true, &err));
  ck_assert (!sample_profile_merge (a, b, &err));
  ck_assert_ptr_nonnull (strstr (err.cause, "probe-based"));
  sample_profile_free (a);
  a = make_profile (1, "x");
  for (int i = 0; i < 2; i++)
    {
      struct sample_function *f = sample_profile_function (i == 0 ? a : b, 0);
      f->has_checksum = true;
      f->checksum = 7;
    }
  ck_assert (sample_profile_merge (a, b, &err));
  sample_profile_function (b, 0)->checksum = 8;
  ck_assert (!sample_profile_merge (a, b, &err));
  ck_assert_ptr_nonnull (strstr (err.cause, "f was sampled"));
  sample_profile_free (a);
  sample_profile_free (b);
}
END_TEST

START_TEST (contexts_are_functions_apart)
{
  struct sample_profile *profile = sample_profile_new ();
  struct sample_frame frames[] = { { add_name (profile, "main"), { 3, 0 } },
				   { add_name (profile, "f"), { 1, 2 } } };
  uint32_t g = add_name (profile, "g");
  struct sample_function *deep
    = sample_profile_add_function (profile, frames, 2, g);
  struct sample_function *shallow
    = sample_profile_add_function (profile, frames, 1, g);
  ck_assert_ptr_ne (deep, shallow);
  ck_assert_ptr_eq (sample_profile_find_function (profile, frames, 2, g), deep);
  frames[1].location.line = 2;
  ck_assert_ptr_null (sample_profile_find_function (profile, frames, 2, g));
  struct sample_profile *copy = sample_profile_new ();
  ck_assert (sample_profile_merge (copy, profile, &err));
  ck_assert_uint_eq (sample_profile_function_count (copy), 2);
  ck_assert_uint_eq (sample_profile_function (copy, 0)->caller_count, 2);
  sample_profile_free (copy);
  sample_profile_free (profile);
}
END_TEST

START_TEST (without_files_equal_names_are_one)
{
  struct sample_profile *profile = sample_profile_new ();
  for (int i = 0; i < 2; i++)
    {
      uint32_t file = add_name (profile, i == 0 ? "a.c" : "b.c");
      uint32_t name = sample_profile_add_name_in_file (profile, "f", 1, file);
      struct sample_function *f
	= sample_profile_add_function (profile, NULL, 0, name);
      f->head = 5;
      f->first_run = 9 - i;
    }
  ck_assert_uint_eq (sample_profile_function_count (profile), 2);
  struct sample_profile *copy
    = sample_profile_copy (profile, SAMPLE_DROP_FILES, &err);
  ck_assert_uint_eq (sample_profile_function_count (copy), 1);
  ck_assert_uint_eq (sample_profile_function (copy, 0)->head, 10);
  ck_assert_uint_eq (sample_profile_function (copy, 0)->first_run, 8);
  sample_profile_free (copy);
  sample_profile_free (profile);
}
END_TEST

static bool
has_few_entries (void *limit, const struct sample_function *function)
{
  return function->head < *(uint64_t *) limit;
}

START_TEST (some_functions_are_copied)
{
  struct sample_profile *profile = sample_profile_new ();
  uint64_t limit = 7;
  for (int i = 0; i < 3; i++)
    {
      uint32_t name = add_name (profile, i == 0 ? "a" : i == 1 ? "b" : "c");
      sample_profile_add_function (profile, NULL, 0, name)->head = 5 + i;
    }
  struct sample_profile *copy
    = sample_profile_copy_functions (profile, 0, has_few_entries, &limit, &err);
  ck_assert_uint_eq (sample_profile_function_count (copy), 2);
  ck_assert_uint_eq (sample_profile_function (copy, 0)->head, 5);
  ck_assert_uint_eq (sample_profile_function (copy, 1)->head, 6);
  ck_assert_uint_eq (sample_profile_name_count (copy), 3);
  sample_profile_free (copy);
  sample_profile_free (profile);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sample profiles");
  TCase *model = tcase_create ("model");
  tcase_add_test (model, names_and_guids_are_one);
  tcase_add_test (model, records_are_in_order_whatever_came_first);
  tcase_add_test (model, inlined_functions_nest);
  tcase_add_test (model, merging_adds_and_scaling_multiplies);
  tcase_add_test (model, what_does_not_go_together_is_refused);
  tcase_add_test (model, contexts_are_functions_apart);
  tcase_add_test (model, without_files_equal_names_are_one);
  tcase_add_test (model, some_functions_are_copied);
  suite_add_tcase (suite, model);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? 0 : 1;
}
