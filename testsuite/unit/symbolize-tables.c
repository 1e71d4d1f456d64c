/* Unit tests of the symbolizer's tables: range map, constructor names.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "constructor-names.h"
#include "range-map.h"
#include <check.h>
#include <stdlib.h>

static struct range_map map;

static void
set_up (void)
{
  map = (struct range_map){ 0 };
}

static void
tear_down (void)
{
  range_map_release (&map);
}

static void
add (uint64_t low, uint64_t high, uint32_t depth, uint32_t value)
{
  ck_assert (range_map_add (&map, low, high, depth, value));
}

START_TEST (empty_map_finds_nothing)
{
  add (7, 7, 0, 1);
  ck_assert (range_map_seal (&map));
  ck_assert_uint_eq (range_map_find (&map, 0), RANGE_MAP_NONE);
  ck_assert_uint_eq (range_map_find (&map, 7), RANGE_MAP_NONE);
  ck_assert_uint_eq (range_map_find (&map, UINT64_MAX), RANGE_MAP_NONE);
}
END_TEST

START_TEST (innermost_range_wins)
{
  /* Inner ranges are added first; 2 and 3 start where 1 does.  */
  add (10, 20, 2, 3);
  add (10, 30, 1, 2);
  add (10, 100, 0, 1);
  add (40, 50, 1, 4);
  add (50, 60, 1, 5);
  add (90, 100, 1, 6);
  ck_assert (range_map_seal (&map));
  static const struct
  {
    uint64_t address;
    uint32_t value;
  } expected[] = { { 9, RANGE_MAP_NONE },
		   { 10, 3 },
		   { 19, 3 },
		   { 20, 2 },
		   { 29, 2 },
		   { 30, 1 },
		   { 39, 1 },
		   { 40, 4 },
		   { 49, 4 },
		   { 50, 5 },
		   { 59, 5 },
		   { 60, 1 },
		   { 89, 1 },
		   { 90, 6 },
		   { 99, 6 },
		   { 100, RANGE_MAP_NONE } };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_uint_eq (range_map_find (&map, expected[i].address),
		       expected[i].value);
}
END_TEST

START_TEST (last_address_can_be_found)
{
  add (UINT64_MAX - 1, UINT64_MAX, 0, 1);
  ck_assert (range_map_seal (&map));
  ck_assert_uint_eq (range_map_find (&map, UINT64_MAX - 1), 1);
  ck_assert_uint_eq (range_map_find (&map, UINT64_MAX), RANGE_MAP_NONE);
}
END_TEST

/* Add ranges that are nested at random, each with a value of its own, counted
   up in *VALUE.  The test compares the map with a linear search.  */
static void
add_nested (uint64_t low, uint64_t high, uint32_t depth, uint32_t *value)
{
  add (low, high, depth, (*value)++);
  uint64_t at = low;
  while (depth < 6 && at < high)
    {
      uint64_t begin = at + (uint64_t) (rand () % 5);
      uint64_t end = begin + 1 + (uint64_t) (rand () % 30);
      if (end > high)
	break;
      add_nested (begin, end, depth + 1, value);
      at = end;
    }
}

START_TEST (random_nesting_as_by_search)
{
  srand ((unsigned int) _i);
  uint32_t value = 0;
  for (uint64_t low = 1; low < 300; low += 100)
    add_nested (low, low + 1 + (uint64_t) (rand () % 99), 0, &value);
  size_t count = map.count;
  struct range_map_entry *all = calloc (count, sizeof *all);
  ck_assert_ptr_nonnull (all);
  for (size_t i = 0; i < count; i++)
    all[i] = map.entries[i];
  ck_assert (range_map_seal (&map));
  for (uint64_t address = 0; address < 400; address++)
    {
      const struct range_map_entry *best = NULL;
      for (size_t i = 0; i < count; i++)
	if (address >= all[i].low && address < all[i].high
	    && (best == NULL || all[i].depth > best->depth))
	  best = &all[i];
      ck_assert_uint_eq (range_map_find (&map, address),
			 best != NULL ? best->value : RANGE_MAP_NONE);
    }
  free (all);
}
END_TEST

START_TEST (overlapping_ranges_are_survived)
{
  /* Overlapping ranges, possible in damaged debug information.  */
  add (10, 30, 0, 1);
  add (20, 40, 0, 2);
  add (25, 35, 0, 3);
  ck_assert (range_map_seal (&map));
  ck_assert_uint_eq (range_map_find (&map, 10), 1);
  ck_assert_uint_eq (range_map_find (&map, 20), 2);
  ck_assert_uint_eq (range_map_find (&map, 25), 3);
  ck_assert_uint_eq (range_map_find (&map, 39), 2);
  ck_assert_uint_eq (range_map_find (&map, 40), RANGE_MAP_NONE);
}
END_TEST

static const struct
{
  const char *name;
  const char *resolved;
} constructors[] = { { "_ZN4itemC4Ei", "_ZN4itemC2Ei" },
		     { "_ZN4itemD4Ev", "_ZN4itemD2Ev" },
		     { "_ZN3C4xC4Ev", "_ZN3C4xC2Ev" }, /* struct C4x */
		     { "_ZN3D4xC4Ev", "_ZN3D4xC2Ev" },
		     { "_ZN3boxIiEC4IdEET_", "_ZN3boxIiEC2IdEET_" },
		     { "_ZN5firstCI44itemEi",
		       "_ZN5firstCI24itemEi" }, /* inherited from item */
		     { "_ZN4itemC1Ei", "_ZN4itemC1Ei" },
		     { "_ZN3C4x3getEv", "_ZN3C4x3getEv" },
		     { "draw_C4", "draw_C4" },
		     { "_Z2C4v", "_Z2C4v" } };

START_TEST (unified_constructor_becomes_base_variant)
{
  struct constructor_names names = { 0 };
  const char *first = constructor_names_resolve (&names, constructors[_i].name);
  ck_assert_str_eq (first, constructors[_i].resolved);
  /* A repeated request returns the same string.  */
  ck_assert_ptr_eq (constructor_names_resolve (&names, constructors[_i].name),
		    first);
  constructor_names_release (&names);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("symbolize-tables");
  TCase *ranges = tcase_create ("ranges");
  tcase_add_checked_fixture (ranges, set_up, tear_down);
  tcase_add_test (ranges, empty_map_finds_nothing);
  tcase_add_test (ranges, innermost_range_wins);
  tcase_add_test (ranges, last_address_can_be_found);
  tcase_add_loop_test (ranges, random_nesting_as_by_search, 0, 20);
  tcase_add_test (ranges, overlapping_ranges_are_survived);
  suite_add_tcase (suite, ranges);
  TCase *names = tcase_create ("names");
  tcase_add_loop_test (names, unified_constructor_becomes_base_variant, 0,
		       sizeof constructors / sizeof *constructors);
  suite_add_tcase (suite, names);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
