/* What is refused when gcc's counters are written.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-builder.h"
#include "gcov-data.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- Data files.  */

/* The record of a vector has its length in 31 bits, as words in GCC 11.  */
START_TEST (longest_vector)
{
  struct gcov_vector vector = { .kind = GCOV_KIND_ARCS };
  struct gcov_function function = { .vector_count = 1, .vectors = &vector,
				    .position = 0, .ident = 7 };
  struct gcov_unit unit = { .path = NULL, .position_count = 1,
			    .function_count = 1, .functions = &function };
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
  ck_assert_str_eq (err.cause, _i ? "counters of kind 0 of function 0 (ident "
		    "7) have 8589934592 bytes, more than the record of a data "
		    "file" : "counters of kind 0 of function 0 (ident 7) have "
		    "2147483648 bytes, more than the record of a data file");
  byte_writer_free (&writer);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-gcov-limits");
  TCase *data_case = tcase_create ("data files");
  tcase_add_loop_test (data_case, longest_vector, 0, 2);
  suite_add_tcase (suite, data_case);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
