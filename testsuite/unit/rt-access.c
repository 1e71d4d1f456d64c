/* Unit tests of the functions that count ranges of accesses for loops, compared
   with one increment at a time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "abi-symbols.h"
#include "rt-unit.h"
#include "shadow.h"

enum
{
  BYTES = 1 << 15,
  GRANULES = BYTES / HEAPPROF_GRANULE_BYTES,
  CASES = 20000
};

static _Alignas(4096) char memory[BYTES];
static uint64_t expected[GRANULES];
static uint64_t state = 1;

/* Return a random number from 0 to LIMIT - 1.  */

static uint64_t
random_below (uint64_t limit)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % limit;
}

/* A range inside MEMORY: COUNT addresses, STEP apart, from FIRST on.  */

struct range
{
  uintptr_t first;
  ptrdiff_t step;
  size_t count;
};

/* Return a range in the ROOM bytes at START.  Most steps are short, as in
   loops.  */

static struct range
random_range (uintptr_t start, size_t room)
{
  static const size_t steps[] = { 9, 65, 300, 5000 };
  struct range range;
  size_t step = random_below (steps[random_below (4)]);
  const size_t longest = step == 0 ? 1000 : (room - 1) / step + 1;
  range.count = random_below (random_below (2) ? longest + 1 : 20);
  if (range.count > longest)
    range.count = longest;
  const size_t span = range.count == 0 ? 0 : (range.count - 1) * step;
  range.first = start + random_below (room - span);
  range.step = (ptrdiff_t) step;
  if (random_below (2))
    {
      range.first += span;
      range.step = -range.step;
    }
  return range;
}

static void
expect_range (struct range range, uint64_t weight)
{
  for (size_t i = 0; i < range.count; i++)
    {
      const uintptr_t address = range.first + i * (uintptr_t) range.step;
      expected[(address - (uintptr_t) memory) / HEAPPROF_GRANULE_BYTES]
	+= weight;
    }
}

/* Compare all counters, then clear them and EXPECTED.  */

static void
check_and_clear (struct range range)
{
  for (size_t i = 0; i < GRANULES; i++)
    {
      char *const granule = memory + i * HEAPPROF_GRANULE_BYTES;
      const uint64_t found
	= rt_shadow_take (granule, HEAPPROF_GRANULE_BYTES).accesses;
      /* Assert only on failure: a check that passes takes time, too.  */
      if (found != expected[i])
	ck_abort_msg ("granule %zu: %zu addresses, %td apart, from %zu on", i,
		      range.count, range.step,
		      (size_t) (range.first - (uintptr_t) memory));
      expected[i] = 0;
    }
}

START_TEST (ranges_of_any_step)
{
  rt_shadow_take (memory, BYTES);
  for (size_t i = 0; i < CASES; i++)
    {
      const struct range range
	= random_range ((uintptr_t) memory, random_below (2) ? BYTES : 700);
      const uint64_t weight = random_below (4);
      expect_range (range, weight);
      __heapprof_access_stride ((const void *) range.first, range.step,
				range.count, weight);
      /* Checking all counters takes longer than counting.  */
      if (i % 16 == 15 || range.count > 500)
	check_and_clear (range);
    }
}
END_TEST

START_TEST (grids)
{
  rt_shadow_take (memory, BYTES);
  for (size_t i = 0; i < CASES / 10; i++)
    {
      /* A row in the middle leaves room for other rows.  */
      struct range row = random_range ((uintptr_t) memory + BYTES / 2, 4000);
      ptrdiff_t row_step = (ptrdiff_t) random_below (1000) - 500;
      const size_t rows = random_below (25);
      const uint64_t weight = random_below (4);
      if (random_below (3) == 0)
	row_step = row.step * (ptrdiff_t) row.count;
      if (row_step > 500 || row_step < -500)
	continue;
      __heapprof_access_grid ((const void *) row.first, row.step, row.count,
			      weight, row_step, rows);
      for (size_t j = 0; j < rows; j++, row.first += (uintptr_t) row_step)
	expect_range (row, weight);
      check_and_clear (row);
    }
}
END_TEST

/* An empty range may start anywhere, even at an address that cannot be
   mapped.  */

START_TEST (empty_ranges)
{
  const void *const nowhere = (const void *) ((uintptr_t) 1 << 62);
  __heapprof_access_stride (nowhere, 8, 0, 1);
  __heapprof_access_stride (nowhere, -8, 0, 1);
  __heapprof_access_stride (nowhere, 0, 0, 1);
  __heapprof_access_grid (nowhere, 8, 0, 1, 64, 10);
  __heapprof_access_grid (nowhere, 8, 10, 1, 64, 0);
  __heapprof_access_grid (nowhere, 8, 10, 1, 80, 0);
}
END_TEST

/* More iterations than 32 bits can express.  */

START_TEST (one_address_many_times)
{
  const size_t many = (size_t) 1 << 40;
  rt_shadow_take (memory, BYTES);
  __heapprof_access_stride (memory + 100, 0, many, 3);
  ck_assert_uint_eq (rt_shadow_take (memory, BYTES).accesses, 3 * many);
}
END_TEST

RT_UNIT_MAIN (ranges_of_any_step, grids, empty_ranges, one_address_many_times)
