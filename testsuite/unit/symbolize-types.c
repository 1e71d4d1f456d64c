/* Unit tests of the table of types of allocation sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "site-types-reader.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct site_types *types;

static void
tear_down (void)
{
  site_types_free (types);
  types = NULL;
}

#define NODE                                                                   \
  "T\tab\t16\t8\t0\ts\tnode"                                                   \
  "\t0\t4\t4\tm\tkey\tint\t8\t8\t8\tm\tnext\tnode *\0"
#define SITE "S\t7\t3\ta.c\tab\tgrow\0"

/* Fill the table from the literal TEXT, whose terminating 0 ends the last
   string.  */
#define PARSE(text) types = site_types_parse ("" text, sizeof text - 1)

static enum site_answer
find (const char *function, const struct site_type **type)
{
  return site_types_find (types, "/src/a.c", 7, 3, function, strlen (function),
			  type);
}

START_TEST (site_has_its_type)
{
  const struct site_type *type = NULL;
  PARSE (NODE SITE "S\t7\t3\ta.c\t\twrapper\0");
  ck_assert_int_eq (find ("grow", &type), SITE_TYPED);
  ck_assert_str_eq (type->name, "node");
  ck_assert_uint_eq (type->size, 16);
  ck_assert_uint_eq (type->member_count, 2);
  ck_assert_uint_eq (type->members[1].offset, 8);
  ck_assert_str_eq (type->members[1].name, "next");
  ck_assert_str_eq (type->members[1].type_name, "node *");
  ck_assert_int_eq (find ("wrapper", &type), SITE_RETURNED);
  ck_assert_int_eq (find ("other", &type), SITE_UNKNOWN);
  ck_assert_int_eq (site_types_find (types, "a.c", 7, 4, "grow", 4, &type),
		    SITE_UNKNOWN);
  ck_assert_int_eq (site_types_find (types, "b.c", 7, 3, "grow", 4, &type),
		    SITE_UNKNOWN);
  ck_assert_int_eq (site_types_find (NULL, "a.c", 7, 3, "grow", 4, &type),
		    SITE_UNKNOWN);
}
END_TEST

START_TEST (variants_of_constructors_are_one)
{
  const struct site_type *type = NULL;
  PARSE (NODE "S\t7\t3\ta.c\tab\t_ZN1AC4Ev\0");
  ck_assert_int_eq (find ("_ZN1AC1Ev", &type), SITE_TYPED);
  ck_assert_int_eq (find ("_ZN1AC2Ev", &type), SITE_TYPED);
  ck_assert_int_eq (find ("_ZN1BC2Ev", &type), SITE_UNKNOWN);
}
END_TEST

START_TEST (different_types_are_none)
{
  const struct site_type *type = NULL;
  PARSE (NODE SITE "S\t7\t3\ta.c\tac\tgrow\0");
  ck_assert_int_eq (find ("grow", &type), SITE_UNKNOWN);
}
END_TEST

static const char damaged[][80]
  = { "T\tab\t0\t8\t0\ts\tnode",
      "T\t0\t16\t8\t0\ts\tnode",
      "T\tab\t16\t8\t0\tx\tnode",
      "T\tab\t16\t8\t0\ts\t",
      "T\tab\t16\t8\t0\ts",
      "T\tg\t16\t8\t0\ts\tnode",
      "T\tab\t16\t8\t0\ts\tnode\t0",
      "T\tab\t16\t8\t0\ts\tnode\t0\t4\t4\tm\tkey",
      "T\tab\t16\t8\t0\ts\tnode\t16\t4\t4\tm\tkey\tint",
      "T\tab\t16\t8\t0\ts\tnode\t4294967295\t4294967295\t4\tm\tkey\tint",
      "T\tab\t16\t8\t0\ts\tnode\t0\t4\t0\tm\tkey\tint",
      "T\tab\t16\t8\t0\ts\tnode\t0\t4\t32\tm\tkey\tint",
      "T\tab\t16\t8\t0\ts\tnode\t0\t4\t4\tq\tkey\tint" };

START_TEST (damaged_type_is_none)
{
  const struct site_type *type = NULL;
  char text[200];
  size_t bytes = strlen (damaged[_i]) + 1;
  memcpy (text, damaged[_i], bytes);
  memcpy (text + bytes, SITE, sizeof SITE - 1);
  types = site_types_parse (text, bytes + sizeof SITE - 1);
  ck_assert_int_eq (find ("grow", &type), SITE_UNKNOWN);
}
END_TEST

/* ASan detects reads past the end.  */
START_TEST (random_bytes_are_survived)
{
  static const char letters[] = "\0\t0123456789abcdefmsup\tS\tT\0\t";
  const struct site_type *type = NULL;
  srand ((unsigned int) _i);
  size_t bytes = (size_t) (rand () % 4000);
  char *text = malloc (bytes > 0 ? bytes : 1);
  ck_assert_ptr_nonnull (text);
  for (size_t i = 0; i < bytes; i++)
    text[i] = letters[(size_t) rand () % (sizeof letters - 1)];
  types = site_types_parse (text, bytes);
  free (text);
  ck_assert_int_ne (find ("grow", &type), SITE_TYPED);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("symbolize-types");
  TCase *tests = tcase_create ("types");
  tcase_add_checked_fixture (tests, NULL, tear_down);
  tcase_add_test (tests, site_has_its_type);
  tcase_add_test (tests, variants_of_constructors_are_one);
  tcase_add_test (tests, different_types_are_none);
  tcase_add_loop_test (tests, damaged_type_is_none, 0,
		       sizeof damaged / sizeof *damaged);
  tcase_add_loop_test (tests, random_bytes_are_survived, 0, 50);
  suite_add_tcase (suite, tests);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
