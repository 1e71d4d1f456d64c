/* Comparisons for a virtual call.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "sample-profile.h"
#include "virtual-tests.h"

/* The maximum number of comparisons for a call.  */
static const unsigned most_tests = 3;

/* A comparison delays everything after it, so it must catch at least these
   percentages of the calls that reach it, and of all calls.  LLVM has the same
   limits for indirect calls.  */
static const unsigned least_of_rest = 30;
static const unsigned least_of_all = 5;

/* Return the test whose target is that of TABLE, or NULL.  */
static table_test *
find_test (const vec<table_test *> &tests, const promoted_table &table)
{
  for (table_test *test : tests)
    if (test->tables[0]->target == table.target)
      return test;
  return NULL;
}

static int
compare_tests (const void *one, const void *other)
{
  const table_test *a = *static_cast<table_test *const *> (one);
  const table_test *b = *static_cast<table_test *const *> (other);

  if (a->count != b->count)
    return a->count > b->count ? -1 : 1;
  return (a->tables[0]->guid > b->tables[0]->guid)
	 - (a->tables[0]->guid < b->tables[0]->guid);
}

void
table_tests_make (vec<promoted_table> &tables, vec<table_test *> *tests)
{
  for (promoted_table &table : tables)
    {
      if (table.reason)
	continue;
      table_test *test = find_test (*tests, table);
      if (!test)
	{
	  test = new table_test ();
	  tests->safe_push (test);
	}
      test->tables.safe_push (&table);
      sample_count_add (&test->count, table.count);
    }
  tests->qsort (compare_tests);
}

/* Return PART * 100 / WHOLE, without overflow.  */
static unsigned
percent (uint64_t part, uint64_t whole)
{
  return whole ? (unsigned) ((double) part / whole * 100) : 0;
}

const char *
table_test_reason (uint64_t count, uint64_t rest, uint64_t all, unsigned n)
{
  if (percent (count, rest) < least_of_rest
      || percent (count, all) < least_of_all)
    return "too few calls";
  return n >= most_tests ? "the call has the maximum number of comparisons"
			 : NULL;
}

profile_probability
table_test_likelihood (uint64_t count, uint64_t rest)
{
  if (count >= rest)
    return profile_probability::very_likely ();
  while (rest > INT_MAX)
    {
      rest >>= 1;
      count >>= 1;
    }
  return profile_probability::probability_in_gcov_type (count, rest)
    .adjusted ();
}
