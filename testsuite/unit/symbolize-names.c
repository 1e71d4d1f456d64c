/* Unit tests of the table of linkage names.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "site-names-reader.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct site_names names;
static bool is_ambiguous;

static void
tear_down (void)
{
  site_names_release (&names);
}

/* Fill the table from the literal TEXT, whose terminating 0 ends the last
   string.  */
#define PARSE(text) site_names_parse (&names, "" text, sizeof text)

static const char *
find (uint32_t line, uint32_t column, const char *file, const char *name)
{
  struct site_key key = { line, column, file, name };
  return site_names_find (&names, &key, NULL, &is_ambiguous);
}

static const char *
find_scope (uint32_t line, uint32_t column, const char *file, const char *name,
	    uint32_t scope)
{
  struct site_key key = { line, column, file, name };
  return site_names_find (&names, &key, &scope, &is_ambiguous);
}

START_TEST (empty_section_has_no_names)
{
  site_names_parse (&names, "", 0);
  ck_assert_ptr_null (find (1, 2, "a.cc", "f"));
  site_names_parse (&names, "\0\0\0", 3);
  ck_assert_uint_eq (names.count, 0);
}
END_TEST

START_TEST (all_of_the_key_counts)
{
  PARSE ("11\t45\t30beef0d\ta.cc\tf\t_Z1fi\0"
	 "11\t45\t30beef0d\tb.cc\tf\t_Z1fl\0"
	 "11\t46\t30beef0d\ta.cc\tf\t_Z1fs\0"
	 "12\t45\t30beef0d\ta.cc\tf\t_Z1fc\0"
	 "11\t45\t30beef0d\ta.cc\tg\t_Z1gi");
  ck_assert_str_eq (find (11, 45, "a.cc", "f"), "_Z1fi");
  ck_assert_str_eq (find (11, 45, "b.cc", "f"), "_Z1fl");
  ck_assert_str_eq (find (11, 46, "/usr/src/a.cc", "f"), "_Z1fs");
  ck_assert_str_eq (find (12, 45, "./a.cc", "f"), "_Z1fc");
  ck_assert_str_eq (find (11, 45, "a.cc", "g"), "_Z1gi");
  ck_assert_ptr_null (find (11, 47, "a.cc", "f"));
  ck_assert_ptr_null (find (13, 45, "a.cc", "f"));
  ck_assert_ptr_null (find (11, 45, "c.cc", "f"));
  ck_assert_ptr_null (find (11, 45, "a.cc", "h"));
  ck_assert_ptr_null (find (11, 45, NULL, "f"));
  ck_assert_ptr_null (find (11, 45, "a.cc", NULL));
}
END_TEST

START_TEST (scope_decides_between_several)
{
  PARSE ("7\t1\t00000001\ta.h\tf\t_Z1fIiE\0"
	 "7\t1\tffffffff\ta.h\tf\t_Z1fIcE");
  ck_assert_ptr_null (find (7, 1, "a.h", "f"));
  ck_assert (is_ambiguous);
  ck_assert_str_eq (find_scope (7, 1, "a.h", "f", 1), "_Z1fIiE");
  ck_assert (!is_ambiguous);
  ck_assert_str_eq (find_scope (7, 1, "a.h", "f", UINT32_MAX), "_Z1fIcE");
  ck_assert_ptr_null (find_scope (7, 1, "a.h", "f", 2));
}
END_TEST

START_TEST (two_names_of_one_scope_are_none)
{
  PARSE ("7\t1\t00000001\ta.h\tf\t_Z1fl\0"
	 "7\t1\t00000001\ta.h\tf\t_Z1fi\0"
	 "7\t1\t00000001\ta.h\tf\t_Z1fl\0"
	 "8\t1\t00000001\ta.h\tf\t_Z1fl\0"
	 "8\t1\t00000001\ta.h\tf\t_Z1fl");
  ck_assert_ptr_null (find (7, 1, "a.h", "f"));
  ck_assert (!is_ambiguous);
  ck_assert_ptr_null (find_scope (7, 1, "a.h", "f", 1));
  ck_assert_str_eq (find (8, 1, "a.h", "f"), "_Z1fl");
}
END_TEST

/* Invalid entries; each is followed by a valid one.  */
static const char *const damaged[]
  = { "",
      "1",
      "\t\t\t\t\t",
      "1\t2\t00000003\ta.h\tf",
      "1\t2\t00000003\ta.h\tf\t",
      "1\t2\t00000003\ta.h\t\t_Z1fv",
      "1\t2\t00000003\ta.h\tf\t_Z1fv\tmore",
      "\t2\t00000003\ta.h\tf\t_Z1fv",
      "-1\t2\t00000003\ta.h\tf\t_Z1fv",
      " 1\t2\t00000003\ta.h\tf\t_Z1fv",
      "1x\t2\t00000003\ta.h\tf\t_Z1fv",
      "4294967297\t2\t00000003\ta.h\tf\t_Z1fv",
      "99999999999999999999999999\t2\t00000003\ta.h\tf\t_Z1fv",
      "1\t2\t1000000003\ta.h\tf\t_Z1fv",
      "1\t2\tscope\ta.h\tf\t_Z1fv" };

START_TEST (damaged_entry_is_left_out)
{
  static const char good[] = "1\t2\t00000003\ta.h\tg\t_Z1gv";
  char text[200];
  size_t bytes = strlen (damaged[_i]) + 1;
  memcpy (text, damaged[_i], bytes);
  memcpy (text + bytes, good, sizeof good);
  site_names_parse (&names, text, bytes + sizeof good);
  ck_assert_uint_eq (names.count, 1);
  ck_assert_str_eq (find (1, 2, "a.h", "g"), "_Z1gv");
}
END_TEST

START_TEST (entry_without_end_is_left_out)
{
  static const char text[] = "1\t2\t00000003\ta.h\tg\t_Z1gv";
  site_names_parse (&names, text, sizeof text - 1);
  ck_assert_uint_eq (names.count, 0);
}
END_TEST

/* Random bytes, mostly meaningful ones.  ASan detects reads past the end.  */
START_TEST (random_bytes_are_survived)
{
  static const char letters[] = "\0\t0123456789abcdefxyz.\0\t";
  srand ((unsigned int) _i);
  size_t bytes = (size_t) (rand () % 4000);
  char *text = malloc (bytes > 0 ? bytes : 1);
  ck_assert_ptr_nonnull (text);
  for (size_t i = 0; i < bytes; i++)
    text[i] = letters[(size_t) rand () % (sizeof letters - 1)];
  site_names_parse (&names, text, bytes);
  free (text);
  for (size_t i = 0; i < names.count; i++)
    {
      const struct site_entry *entry = &names.entries[i];
      const char *found
	= site_names_find (&names, &entry->key, &entry->scope, &is_ambiguous);
      ck_assert (found == NULL || strcmp (found, entry->linkage_name) == 0);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("symbolize-names");
  TCase *table = tcase_create ("table");
  tcase_add_checked_fixture (table, NULL, tear_down);
  tcase_add_test (table, empty_section_has_no_names);
  tcase_add_test (table, all_of_the_key_counts);
  tcase_add_test (table, scope_decides_between_several);
  tcase_add_test (table, two_names_of_one_scope_are_none);
  tcase_add_loop_test (table, damaged_entry_is_left_out, 0,
		       sizeof damaged / sizeof *damaged);
  tcase_add_test (table, entry_without_end_is_left_out);
  tcase_add_loop_test (table, random_bytes_are_survived, 0, 50);
  suite_add_tcase (suite, table);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
