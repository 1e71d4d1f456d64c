/* Unit tests of sorting by a number.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "number-sort.h"
#include "unit-main.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define MOST 100000

/* On both sides of the limit between the ways of sorting.  */
static const size_t counts[] = { 0, 1, 2, 3, 31, 32, 33, 34, 1000, MOST };

static uint64_t elements[MOST * 4], spare[MOST * 4];

static uint64_t
next_random (void)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state ^ state >> 29;
}

/* Fill COUNT elements of WORDS words with numbers below LIMIT, 0: any, and
   their places.  Return the sum of the numbers.  */
static uint64_t
fill (size_t count, size_t words, uint64_t limit)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++)
    {
      const uint64_t number = next_random ();
      elements[i * words] = limit == 0 ? number : number % limit;
      sum += elements[i * words];
      for (size_t word = 1; word < words; word++)
	elements[i * words + word] = i * words + word;
    }
  return sum;
}

static bool
is_in_order (const uint64_t *one, size_t words)
{
  const uint64_t *const next = one + words;
  return one[0] < next[0]
	 || (one[0] == next[0] && (words == 1 || one[1] < next[1]));
}

/* Sort, and check that the order is right, and that elements stayed whole.  */
static void
check (size_t count, size_t words, uint64_t limit)
{
  uint64_t sum = fill (count, words, limit);
  number_sort (elements, spare, count, words * sizeof *elements);
  for (size_t i = 0; i < count; i++)
    {
      const uint64_t *const element = &elements[i * words];
      ck_assert (i + 1 == count || is_in_order (element, words));
      for (size_t word = 2; word < words; word++)
	ck_assert_uint_eq (element[word], element[1] + word - 1);
      sum -= element[0];
    }
  ck_assert_uint_eq (sum, 0);
}

START_TEST (numbers_are_sorted)
{
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    for (size_t words = 1; words <= 4; words++)
      {
	check (counts[i], words, 0);
	check (counts[i], words, 1);
	check (counts[i], words, 7);
	check (counts[i], words, 1000);
	check (counts[i], words, UINT64_C (1) << 40);
      }
}
END_TEST

START_TEST (densities_are_sorted)
{
  const double values[]
    = { INFINITY, 1e300, 5000.5, 5000, 1, 0.1, 1e-300, 4e-320, 0 };
  for (size_t i = 0; i + 1 < sizeof values / sizeof values[0]; i++)
    ck_assert_uint_lt (number_descending (values[i]),
		       number_descending (values[i + 1]));
  ck_assert_uint_eq (number_descending (0), number_descending (-0.0));
}
END_TEST

UNIT_MAIN ("sort", numbers_are_sorted, densities_are_sorted)
