/* The main function of a unit test.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_UNIT_MAIN_H
#define HEAPPROF_UNIT_MAIN_H

#include <check.h>
#include <stddef.h>
#include <stdlib.h>

/* Run the COUNT TESTS of SUITE; return the exit status.  */

static inline int
unit_run (const char *suite_name, const TTest *const *tests, size_t count)
{
  Suite *const suite = suite_create (suite_name);
  TCase *const test_case = tcase_create ("all");
  for (size_t i = 0; i < count; i++)
    tcase_add_test (test_case, tests[i]);
  suite_add_tcase (suite, test_case);
  SRunner *const runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  const int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#define UNIT_MAIN(suite_name, ...)                                             \
  int main (void)                                                              \
  {                                                                            \
    const TTest *const tests[] = { __VA_ARGS__ };                              \
    return unit_run (suite_name, tests, sizeof tests / sizeof tests[0]);       \
  }

#endif /* HEAPPROF_UNIT_MAIN_H */
