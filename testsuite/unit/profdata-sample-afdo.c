/* Unit tests of sample profiles in gcc's form.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-afdo.h"
#include "sample-forms.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Totals are the sums of the counts below them.  */
static const char summed[] = "\
main:1208:1\n\
 1: 1\n\
 3: 100 area:60 work:40\n\
 5.2: 900\n\
 65530: 7\n\
 4: work:200\n\
  2.1: 50 puts:50\n\
  3: deep:150\n\
   1: 150\n\
alpha:4:4\n\
 0: 4\n";

struct bytes
{
  unsigned char *data;
  size_t size;
};

static struct bytes
serialize (const struct sample_profile *profile, unsigned int version)
{
  struct bytes bytes;
  void *data;
  ck_assert_msg (sample_afdo_serialize (profile, version, &data, &bytes.size,
					&sample_error),
		 "%s", sample_error.cause);
  bytes.data = data;
  return bytes;
}

static struct bytes
serialize_text (const char *text, unsigned int version)
{
  struct sample_profile *profile = sample_of_text (text);
  ck_assert_msg (profile != NULL, "%s", sample_error.cause);
  struct bytes bytes = serialize (profile, version);
  sample_profile_free (profile);
  return bytes;
}

static struct sample_profile *
parse (const unsigned char *data, size_t size)
{
  struct sample_profile *profile = sample_profile_new ();
  sample_error = (struct profile_error){ 0 };
  if (sample_afdo_fold (profile, "bytes", data, size, &sample_error))
    return profile;
  sample_profile_free (profile);
  return NULL;
}

START_TEST (all_of_it_comes_back)
{
  struct bytes bytes = serialize_text (summed, _i);
  ck_assert (sample_afdo_has_magic (bytes.data, bytes.size));
  sample_expect_text (parse (bytes.data, bytes.size), summed);
  free (bytes.data);
}
END_TEST

/* f:8:2, 1: 5 g:3, 2.1: h:3, which has 0: 3; encoded by hand.  The other file
   has the other byte order and large counts.  */
#define WORD(n) n, 0, 0, 0
#define BIG(n) 0, 0, 0, n

static const unsigned char version_1[]
  = { 'a', 'd', 'c', 'g', WORD (1), WORD (0),
      /* Four names of one word each, and their lengths.  */
      0, 0, 0, 0xaa, WORD (9), WORD (4), WORD (1), 0, 0, 0, 0, WORD (1), 'f', 0,
      0, 0, WORD (1), 'g', 0, 0, 0, WORD (1), 'h', 0, 0, 0,
      /* 1 function; 2 for the head; f: 3, 4 for the location, 5 for the target,
	 1 for the inlined function; h: 3 and 4.  */
      0, 0, 0, 0xac, WORD (23), WORD (1), WORD (2), WORD (0), WORD (1),
      WORD (1), WORD (1), 0, 0, 1, 0, WORD (1), WORD (5), WORD (0), WORD (7),
      WORD (2), WORD (0), WORD (3), WORD (0), 1, 0, 2, 0, WORD (3), WORD (1),
      WORD (0), 0, 0, 0, 0, WORD (0), WORD (3), WORD (0), 0, 0, 0, 0xae,
      WORD (0), WORD (0) };

static const unsigned char big_endian[]
  = { 'g',     'c',	'd',	 'a',	  BIG (2), BIG (0), 0xaa,
      0,       0,	0,	 BIG (0), BIG (2), BIG (1), 0,
      BIG (2), 'f',	0,	 0xac,	  0,	   0,	    0,
      BIG (0), BIG (1), BIG (2), BIG (0), BIG (1), BIG (1), BIG (0),
      0,       1,	0,	 3,	  BIG (0), BIG (5), BIG (1),
      0xae,    0,	0,	 0,	  BIG (0), BIG (0) };

START_TEST (bytes_by_hand)
{
  static const char text[] = "f:8:2\n 1: 5 g:3\n 2.1: h:3\n  0: 3\n";
  struct bytes bytes = serialize_text (text, 1);
  /* The working set follows.  */
  ck_assert_uint_eq (bytes.size, sizeof version_1 + 8 + 128 * 12);
  ck_assert_mem_eq (bytes.data, version_1, sizeof version_1);
  free (bytes.data);
  sample_expect_text (parse (version_1, sizeof version_1), text);
  ck_assert (sample_afdo_has_magic (big_endian, sizeof big_endian));
  sample_expect_text (parse (big_endian, sizeof big_endian),
		      "f:4294967301:2\n 1.3: 4294967301\n");
}
END_TEST

/* Version 3 has source files and first runs, and distinguishes functions of the
   same name; earlier versions add them.  */
START_TEST (files_and_first_runs)
{
  struct sample_profile *profile = sample_profile_new ();
  for (int i = 0; i < 2; i++)
    {
      uint32_t file
	= sample_profile_add_name (profile, i == 0 ? "a.c" : "b.c", 3);
      struct sample_function *function
	= sample_profile_add_function (profile, NULL, 0,
				       sample_profile_add_name_in_file (profile,
									"f", 1,
									file));
      function->head = 5 + i;
      sample_function_set_first_run (function, 9 - i);
      ck_assert (sample_function_add_body (profile, function,
					   (struct sample_location){ 1, 0 },
					   10 + i));
    }
  struct bytes bytes = serialize (profile, 3);
  struct sample_profile *copy = parse (bytes.data, bytes.size);
  ck_assert_msg (copy != NULL, "%s", sample_error.cause);
  ck_assert_uint_eq (sample_profile_function_count (copy), 2);
  /* The function of b.c has more samples.  */
  const struct sample_function *first = sample_profile_function (copy, 0);
  uint32_t file = sample_profile_name_file (copy, first->name);
  ck_assert_str_eq (sample_profile_name (copy, file), "b.c");
  ck_assert_uint_eq (first->first_run, 8);
  struct bytes again = serialize (copy, 3);
  ck_assert_uint_eq (again.size, bytes.size);
  ck_assert_mem_eq (again.data, bytes.data, bytes.size);
  free (again.data);
  free (bytes.data);
  sample_profile_free (copy);
  bytes = serialize (profile, 2);
  sample_profile_free (profile);
  sample_expect_text (parse (bytes.data, bytes.size), "f:21:11\n 1: 21\n");
  free (bytes.data);
}
END_TEST

START_TEST (what_gcc_does_not_take)
{
  struct bytes bytes = serialize_text ("f.part.0:1:1\n 1.65538: 1\n 1.2: 4\n"
				       "f:1:2\n 1.2: 2 g.isra.1:1\n",
				       2);
  sample_expect_text (parse (bytes.data, bytes.size), "f:7:3\n 1.2: 7 g:1\n");
  free (bytes.data);
  void *data;
  size_t size;
  struct sample_profile *profile = sample_of_text (sample_probes);
  ck_assert (!sample_afdo_serialize (profile, 2, &data, &size, &sample_error));
  ck_assert_ptr_nonnull (strstr (sample_error.cause, "probe-based"));
  sample_profile_free (profile);
  profile = sample_profile_new ();
  sample_profile_add_function (profile, NULL, 0,
			       sample_profile_add_guid (profile, 7));
  ck_assert (!sample_afdo_serialize (profile, 2, &data, &size, &sample_error));
  ck_assert_ptr_nonnull (strstr (sample_error.cause, "GUID 7"));
  sample_profile_free (profile);
}
END_TEST

START_TEST (every_cut_is_noticed)
{
  struct bytes bytes = serialize_text (summed, _i);
  size_t working_set = 8 + 128 * 12;
  for (size_t size = 0; size < bytes.size; size++)
    {
      struct sample_profile *profile = parse (bytes.data, size);
      /* The working set is optional.  */
      ck_assert_msg (!profile == (size != bytes.size - working_set),
		     "%zu of %zu bytes", size, bytes.size);
      sample_profile_free (profile);
    }
  free (bytes.data);
}
END_TEST

/* A byte of VERSION_1 to change, and a part of the error.  */
static const struct
{
  size_t offset;
  unsigned char value;
  const char *cause;
} changes[] = { { 4, 9, "version 9" },
		{ 15, 0xab, "invalid tag 0xab000000 (expected 0xaa000000)" },
		{ 20, 100, "the names: need 100 * " },
		{ 24, 200, "a name: need 800 bytes" },
		{ 44, 1, "unterminated name" },
		{ 76, 4, "invalid name 4 (expected less than 4" },
		{ 76, 0, "invalid name 0 (expected less than 4, not 0)" },
		{ 80, 99, "the locations: need 99" },
		{ sizeof version_1 - 1, 1, "modules" } };

START_TEST (changed_bytes)
{
  unsigned char bytes[sizeof version_1];
  memcpy (bytes, version_1, sizeof bytes);
  if (_i == 4)
    memset (bytes + 36, 'x', 4);
  else
    bytes[changes[_i].offset] = changes[_i].value;
  ck_assert_ptr_null (parse (bytes, sizeof bytes));
  ck_assert_msg (strstr (sample_error.cause, changes[_i].cause), "'%s'",
		 sample_error.cause);
}
END_TEST

START_TEST (counters_of_gcc_are_none)
{
  static const unsigned char data[]
    = { 'a', 'd', 'c', 'g', '*', '2', '2', 'B', 1, 2, 3, 4, 5, 6, 7, 8 };
  ck_assert (!sample_afdo_has_magic (data, sizeof data));
  ck_assert (!sample_afdo_has_magic (version_1, 12));
  static const unsigned char later[]
    = { 'a', 'd', 'c', 'g', 4, 0, 0, 0, 7, 0, 0, 0, 1, 2, 3, 4 };
  ck_assert (sample_afdo_has_magic (later, sizeof later));
  ck_assert (sample_afdo_has_magic (version_1, SAMPLE_AFDO_START_BYTES));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sample profiles of gcc");
  TCase *afdo = tcase_create ("afdo");
  tcase_add_loop_test (afdo, all_of_it_comes_back, 1, 4);
  tcase_add_test (afdo, bytes_by_hand);
  tcase_add_test (afdo, files_and_first_runs);
  tcase_add_test (afdo, what_gcc_does_not_take);
  tcase_add_test (afdo, counters_of_gcc_are_none);
  suite_add_tcase (suite, afdo);
  TCase *damage = tcase_create ("damage");
  tcase_add_loop_test (damage, every_cut_is_noticed, 1, 4);
  tcase_add_loop_test (damage, changed_bytes, 0,
		       sizeof changes / sizeof *changes);
  suite_add_tcase (suite, damage);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
