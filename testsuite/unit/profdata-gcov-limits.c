/* Unit tests of the limits of gcc's data files and of the heapprof section,
   beyond which writing gcc's counters fails.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-builder.h"
#include "gcov-data.h"
#include "gcov-section.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- Data files.  */

/* A vector's record stores its length in 31 bits, in words in GCC 11.  */
START_TEST (longest_vector)
{
  struct gcov_vector vector = { .kind = GCOV_KIND_ARCS };
  struct gcov_function function
    = { .vector_count = 1, .vectors = &vector, .position = 0, .ident = 7 };
  struct gcov_unit unit = { .path = NULL,
			    .position_count = 1,
			    .function_count = 1,
			    .functions = &function };
  struct byte_writer writer = { 0 };
  struct profile_error err;
  unit.version = gcov_build_version (_i ? 11 : 12);
  vector.count = (UINT32_C (1) << (_i ? 30 : 28)) - 1;
  ck_assert (gcov_data_serialize (&writer, &unit, &err));
  uint32_t length;
  memcpy (&length, writer.data + writer.size - 8, 4);
  ck_assert_int_eq ((int32_t) length, _i ? INT32_MIN + 2 : INT32_MIN + 8);
  vector.count++;
  ck_assert (!gcov_data_serialize (&writer, &unit, &err));
  ck_assert_str_eq (err.cause,
		    _i ? "counters of kind 0 of function 0 (ident 7) "
			 "take 8589934592 bytes, too many for a record"
		       : "counters of kind 0 of function 0 (ident 7) "
			 "take 2147483648 bytes, too many for a record");
  byte_writer_free (&writer);
}
END_TEST

/* ---- The section.  */

/* Return a profile with COUNT counters, all 0, of the last kind, POSITIONS, and
   FUNCTIONS functions called NAME.  */
static struct gcov_profile *
make_hollow (uint32_t count, uint32_t positions, uint32_t functions,
	     const char *name)
{
  struct gcov_profile *profile = gcov_profile_new ();
  struct gcov_unit *unit = calloc (1, sizeof *unit);
  unit->path = strdup ("unit");
  unit->version = gcov_build_version (12);
  unit->position_count = positions;
  unit->function_count = functions;
  unit->functions = calloc (functions, sizeof *unit->functions);
  for (uint32_t i = 0; i < functions; i++)
    {
      struct gcov_function *function = &unit->functions[i];
      function->position = i;
      function->name = strdup (name);
      function->vector_count = 1;
      function->vectors = calloc (1, sizeof *function->vectors);
      function->vectors[0].kind = GCOV_KIND_OR;
      function->vectors[0].count = i == 0 ? count : 0;
    }
  ck_assert (gcov_profile_add (profile, unit));
  return profile;
}

/* Return true if the reader rejects the section of PROFILE, stored in
   WRITER.  */
static bool
is_refused (const struct gcov_profile *profile, struct byte_writer *writer)
{
  struct byte_reader reader;
  struct profile_error err;
  ck_assert (gcov_section_write (writer, profile));
  byte_reader_init (&reader, "section", writer->data, writer->size, &err);
  struct gcov_profile *read = gcov_profile_new ();
  bool done = gcov_section_read (&reader, read);
  gcov_profile_free (read);
  return !done;
}

/* A section must not stand for more than a reader accepts: 2^20 counters and 64
   more for each byte of the section.  The same limit applies to positions and
   to repeated names.  */
START_TEST (hollow_section)
{
  static const char *const whats[]
    = { " GCC counters in", " GCC function positions in",
	" GCC name bytes in" };
  char name[8001] = "";
  memset (name, 'x', _i == 2 ? sizeof name - 1 : 1);
  /* First the number that a section of any size may stand for, then one more
     than the limit of this section.  */
  uint32_t most = 1 << 20;
  uint32_t functions = 1;
  for (int beyond = 0; beyond < 2; beyond++)
    {
      struct gcov_profile *profile;
      struct byte_writer writer = { 0 };
      struct profile_error err = { 0 };
      if (_i == 2)
	functions = beyond ? 1000 : 100;
      profile = make_hollow (_i == 0 ? most : 0, _i == 1 ? most : functions,
			     functions, name);
      ck_assert_int_eq (is_refused (profile, &writer), beyond);
      ck_assert_int_eq (gcov_section_check (profile, &err), !beyond);
      if (beyond)
	ck_assert_msg (strstr (err.cause, whats[_i]), "%s", err.cause);
      if (!beyond)
	most = (1 << 20) + 64 * writer.size + 1;
      gcov_profile_free (profile);
      byte_writer_free (&writer);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-gcov-limits");
  TCase *data_case = tcase_create ("data files");
  tcase_add_loop_test (data_case, longest_vector, 0, 2);
  suite_add_tcase (suite, data_case);
  TCase *section_case = tcase_create ("section");
  tcase_add_loop_test (section_case, hollow_section, 0, 3);
  suite_add_tcase (suite, section_case);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
