/* Common parts of the run-time library's unit tests.
   SPDX-License-Identifier: GPL-3.0-or-later

   The tests are linked with the library, so they use its allocator.  They do
   not profile themselves.  */

#ifndef HEAPPROF_RT_UNIT_H
#define HEAPPROF_RT_UNIT_H

#include "abi-symbols.h"
#include "options.h"
#include <check.h>
#include <stddef.h>
#include <stdlib.h>

/* Runs after the library has read its options (the call pulls it from its
   archive) and before anything allocates.  */

__attribute__ ((constructor (101))) static void
rt_unit_take_no_profile (void)
{
  __heapprof_init_v1 ();
  rt_options.enabled = false;
}

static inline int
rt_unit_run (const TTest *const *tests, size_t count)
{
  Suite *const suite = suite_create ("libheapprof");
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

#define RT_UNIT_MAIN(...)                                                      \
  int main (void)                                                              \
  {                                                                            \
    const TTest *const tests[] = { __VA_ARGS__ };                              \
    return rt_unit_run (tests, sizeof tests / sizeof tests[0]);                \
  }

#endif /* HEAPPROF_RT_UNIT_H */
