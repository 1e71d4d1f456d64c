/* Unit tests of the intervals of numbers that are estimated from samples.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-spread.h"
#include "unit-main.h"
#include <math.h>

/* Upper ends of intervals of 95 % for the mean of a Poisson distribution, from
   published tables.  */
static const struct
{
  double seen;
  double most;
} published[]
  = { { 1, 5.572 },   { 2, 7.225 },   { 3, 8.767 },   { 5, 11.668 },
      { 10, 18.391 }, { 20, 30.888 }, { 50, 65.918 }, { 99, 120.53 } };

START_TEST (few_samples_are_rare_events)
{
  for (size_t i = 0; i < sizeof published / sizeof *published; i++)
    {
      const struct heap_spread spread = { published[i].seen * 49, 49 };
      ck_assert_double_eq_tol (heap_spread_margin (&spread) / 7,
			       published[i].most - published[i].seen,
			       0.006 * published[i].most);
    }
}
END_TEST

START_TEST (many_samples_are_distributed_normally)
{
  const struct heap_spread spread = { 100 * 9, 9 };
  ck_assert_double_eq_tol (heap_spread_margin (&spread), 1.96 * 30, 1e-9);
}
END_TEST

START_TEST (exact_numbers_are_not_off)
{
  const struct memory_info info
    = { .alloc_count = 7, .size_bytes = { 70, 10, 10 } };
  for (int i = 0; i < HEAP_ESTIMATES; i++)
    {
      ck_assert_double_eq (heap_spread_margin_of (&info, (enum heap_estimate) i,
						  0),
			   0);
      ck_assert_double_eq (heap_spread_margin_of (&info, (enum heap_estimate) i,
						  512),
			   0);
    }
}
END_TEST

START_TEST (spreads_of_sums)
{
  struct heap_spread sum = { 5, 2 };
  const struct heap_spread other = { 7, 3 };
  heap_spread_add (&sum, &other);
  ck_assert_double_eq (sum.variance, 12);
  ck_assert_double_eq (sum.greatest, 3);
}
END_TEST

/* Variances far below 1 count, since contexts may be many.  */

START_TEST (small_variances_add_up)
{
  struct memory_info sum = { .alloc_count = 1,
			     .size_bytes = { 3000, 3000, 3000 },
			     .count_variance = memory_info_variance_of (0.03) };
  const struct memory_info one = sum;
  for (int i = 1; i < 1000; i++)
    memory_info_add (&sum, &one);
  ck_assert_double_eq_tol (memory_info_variance_value (&sum.count_variance), 30,
			   0.05);
}
END_TEST

static uint64_t state = 1;

/* Return a number above 0 and below 1.  */
static double
uniform (void)
{
  state = state * 6364136223846793005 + 1442695040888963407;
  return ((double) (state >> 12) + 0.5) * 0x1p-52;
}

#define SAMPLE_BYTES 4096
#define RUNS 4000

/* Add a block of SIZE bytes to SUM if it is a sample.  Weights are not rounded
   here: the fractions are in *BLOCKS.  */
static void
allocate (struct memory_info *sum, uint64_t size, double *blocks)
{
  const double share = -expm1 (-(double) size / SAMPLE_BYTES);
  const double variance = (1 - share) / (share * share);
  if (uniform () > share)
    return;
  const struct memory_info sample
    = { .alloc_count = 1,
	.size_bytes = { size, size, size },
	.count_variance = memory_info_variance_of (variance) };
  memory_info_add (sum, &sample);
  *blocks += 1 / share;
}

/* Return the share of intervals for the number of blocks that hold the true
   number: SMALL blocks of 100 bytes and LARGE ones, of which two thirds are
   samples.  */
static double
coverage (unsigned small, unsigned large)
{
  unsigned held = 0;
  for (unsigned run = 0; run < RUNS; run++)
    {
      struct memory_info sum = { 0 };
      double blocks = 0;
      for (unsigned i = 0; i < small; i++)
	allocate (&sum, 100, &blocks);
      for (unsigned i = 0; i < large; i++)
	allocate (&sum, 4500, &blocks);
      held
	+= fabs (blocks - (small + large))
	   <= heap_spread_margin_of (&sum, HEAP_ESTIMATE_BLOCKS, SAMPLE_BYTES);
    }
  return (double) held / RUNS;
}

/* A standard deviation of a share of 95 % in RUNS is 0.35 %.  */

START_TEST (intervals_hold_the_truth)
{
  /* Some 150 samples of small blocks, and as many of large ones.  */
  const double many = coverage (6200, 220);
  ck_assert_double_ge (many, 0.94);
  ck_assert_double_le (many, 0.965);
  /* Some 7 small ones, which add most of the variance: 1.96 standard deviations
     hold 89 %.  */
  ck_assert_double_ge (coverage (300, 400), 0.95);
  /* Few of both.  */
  ck_assert_double_ge (coverage (0, 6), 0.95);
}
END_TEST

/* Of as many bytes, or blocks of one byte, nothing is a sample with a chance of
   2.5 %.  */

START_TEST (nothing_has_limits)
{
  const struct memory_info nothing = { 0 };
  const double limit = -log (0.025) * SAMPLE_BYTES;
  const double blocks
    = heap_spread_margin_of (&nothing, HEAP_ESTIMATE_BLOCKS, SAMPLE_BYTES);
  ck_assert_double_eq_tol (blocks, limit, limit / 100);
  const double bytes
    = heap_spread_margin_of (&nothing, HEAP_ESTIMATE_BYTES, SAMPLE_BYTES);
  ck_assert_double_eq_tol (bytes, limit, limit / 100);
  ck_assert (isinf (heap_spread_margin_of (&nothing, HEAP_ESTIMATE_ACCESSES,
					   SAMPLE_BYTES)));
  ck_assert_double_eq (heap_spread_margin_of (&nothing, HEAP_ESTIMATE_BYTES, 0),
		       0);
}
END_TEST

/* Blocks of a complete run do not make the limit smaller, one sample does.  */

START_TEST (sums_without_samples_have_limits)
{
  struct memory_info sum
    = { .alloc_count = 5, .size_bytes = { 500, 100, 100 } };
  const double limit = -log (0.025) * SAMPLE_BYTES;
  ck_assert_double_eq_tol (heap_spread_margin_of_sum (&sum, HEAP_ESTIMATE_BYTES,
						      SAMPLE_BYTES),
			   limit, limit / 100);
  ck_assert_double_eq (heap_spread_margin_of (&sum, HEAP_ESTIMATE_BYTES,
					      SAMPLE_BYTES),
		       0);
  ck_assert_double_eq (heap_spread_margin_of_sum (&sum, HEAP_ESTIMATE_BYTES, 0),
		       0);
  sum.bytes_variance = memory_info_variance_of (SAMPLE_BYTES);
  ck_assert (heap_spread_has_samples (&sum));
  ck_assert_double_eq (heap_spread_margin_of_sum (&sum, HEAP_ESTIMATE_BYTES,
						  SAMPLE_BYTES),
		       heap_spread_margin_of (&sum, HEAP_ESTIMATE_BYTES,
					      SAMPLE_BYTES));
}
END_TEST

UNIT_MAIN ("heap-spread", nothing_has_limits, sums_without_samples_have_limits,
	   few_samples_are_rare_events, many_samples_are_distributed_normally,
	   exact_numbers_are_not_off, spreads_of_sums, small_variances_add_up,
	   intervals_hold_the_truth)
