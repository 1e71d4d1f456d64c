/* Unit tests of sampling: how often blocks are samples, what these stand for,
   and how far estimates may be off.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "exponential.h"
#include "rt-unit.h"
#include "sampling.h"
#include <math.h>

#define MEAN_BYTES 4096

START_TEST (functions_are_those_of_the_library)
{
  for (double x = 1e-300; x < 1e300; x *= 1.7)
    ck_assert_double_le (fabs (rt_log_of (x) - log (x)),
			 1e-13 * fabs (log (x)));
  for (double x = 1e-18; x < 1e3; x *= 1.01)
    ck_assert_double_le (fabs (rt_share_of (x) + expm1 (-x)),
			 -1e-13 * expm1 (-x));
  ck_assert_double_eq (rt_share_of (0), 0);
}
END_TEST

START_TEST (without_sampling_blocks_stand_for_themselves)
{
  const struct rt_estimate estimate = rt_sample_estimate (10, false);
  ck_assert_uint_eq (estimate.weight, 1);
  ck_assert_double_eq (estimate.variance, 0);
}
END_TEST

/* Begin a run with SEED, as in a new thread.  */

static void
begin (uint64_t seed)
{
  rt_sampler = (struct rt_sampler){ 0, 0 };
  rt_sample_start (MEAN_BYTES, seed);
}

/* Count SIZE allocated bytes; return true if the block is a sample.  */

static bool
is_sample (size_t size)
{
  return !rt_sample_is_before (size) && rt_sample_is_due (size);
}

/* The number of COUNT blocks of SIZE bytes that are samples.  */

static unsigned
samples_of (size_t size, unsigned count)
{
  unsigned samples = 0;
  for (unsigned i = 0; i < count; i++)
    samples += is_sample (size);
  return samples;
}

START_TEST (samples_are_as_frequent_as_they_should_be)
{
  static const size_t sizes[] = { 1, 16, 100, 4096, 5000, 20000, 100000 };
  begin (1);
  ck_assert_uint_eq (samples_of (0, 1000), 0);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      const double count = 2000000;
      const double p = -expm1 (-(double) sizes[i] / MEAN_BYTES);
      const double found = samples_of (sizes[i], (unsigned) count);
      /* Four standard deviations.  */
      ck_assert_double_le (fabs (found - count * p),
			   4 * sqrt (count * p * (1 - p)) + 1e-6);
    }
}
END_TEST

START_TEST (weights_are_right_on_average)
{
  static const size_t sizes[] = { 1, 16, 100, 4095, 5000, 20000, 100000 };
  begin (2);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      const double exact = -1 / expm1 (-(double) sizes[i] / MEAN_BYTES);
      const unsigned count = 100000;
      double sum = 0;
      for (unsigned n = 0; n < count; n++)
	{
	  const bool is_up = rt_sample_draw (sizes[i]);
	  const struct rt_estimate estimate
	    = rt_sample_estimate (sizes[i], is_up);
	  ck_assert_double_le (fabs (estimate.weight - exact), 1);
	  const double rest = exact - floor (exact);
	  ck_assert_double_le (fabs (estimate.variance - exact * (exact - 1)
				     - rest * (1 - rest)),
			       1e-9 * exact * exact);
	  sum += estimate.weight;
	}
      ck_assert_double_le (fabs (sum / count - exact),
			   4 * 0.5 / sqrt ((double) count));
    }
}
END_TEST

START_TEST (equal_seeds_give_equal_samples)
{
  uint64_t left[2];
  unsigned samples[2];
  for (int i = 0; i < 2; i++)
    {
      rt_sampler = (struct rt_sampler){ 0, 77 };
      begin (3);
      rt_sampler.random = 77;
      samples[i] = samples_of (123, 10000);
      left[i] = rt_sampler.left;
    }
  ck_assert_uint_eq (samples[0], samples[1]);
  ck_assert_uint_eq (left[0], left[1]);
  ck_assert_uint_gt (samples[0], 200);
}
END_TEST

/* Five sites of a program whose blocks have the sizes given: the same, two, or
   many.  */

#define SITES 5
#define RUNS 1000

static size_t
size_at (int site, unsigned i)
{
  switch (site)
    {
    case 0:
      return 48;
    case 1:
      return i % 2 == 0 ? 16 : 1000;
    case 2:
      return 1 + i * 37 % 3000;
    case 3:
      return 6000;
    default:
      return i % 100 == 0 ? 50000 : 64;
    }
}

static unsigned
count_at (int site)
{
  static const unsigned counts[SITES] = { 40000, 6000, 3000, 400, 40000 };
  return counts[site];
}

/* What is estimated of a site: blocks and bytes.  */
struct estimates
{
  unsigned samples;
  double value[2];
  double variance[2];
};

static void
add_sample (struct estimates *sum, size_t size)
{
  const struct rt_estimate one
    = rt_sample_estimate (size, rt_sample_draw (size));
  const double x[2] = { 1, (double) size };
  sum->samples++;
  for (int i = 0; i < 2; i++)
    {
      sum->value[i] += one.weight * x[i];
      sum->variance[i] += one.variance * x[i] * x[i];
    }
}

/* In 1,000 runs the interval of 95 % holds the true number in 94 to 96 % of all
   cases with at least 100 samples.  */

START_TEST (intervals_hold_the_truth)
{
  unsigned cases[2] = { 0 }, held[2] = { 0 };
  double truth[SITES][2] = { { 0 } };
  for (int site = 0; site < SITES; site++)
    for (unsigned i = 0; i < count_at (site); i++)
      {
	truth[site][0]++;
	truth[site][1] += (double) size_at (site, i);
      }
  for (unsigned run = 1; run <= RUNS; run++)
    {
      begin (run);
      for (int site = 0; site < SITES; site++)
	{
	  struct estimates sum = { 0 };
	  for (unsigned i = 0; i < count_at (site); i++)
	    {
	      const size_t size = size_at (site, i);
	      if (is_sample (size))
		add_sample (&sum, size);
	    }
	  if (sum.samples < 100)
	    continue;
	  for (int i = 0; i < 2; i++)
	    {
	      cases[i]++;
	      held[i] += fabs (sum.value[i] - truth[site][i])
			 <= 1.96 * sqrt (sum.variance[i]);
	    }
	}
    }
  for (int i = 0; i < 2; i++)
    {
      const double share = (double) held[i] / cases[i];
      ck_assert_uint_gt (cases[i], 4 * RUNS);
      ck_assert_double_ge (share, 0.94);
      ck_assert_double_le (share, 0.96);
    }
}
END_TEST

RT_UNIT_MAIN (functions_are_those_of_the_library,
	      without_sampling_blocks_stand_for_themselves,
	      samples_are_as_frequent_as_they_should_be,
	      weights_are_right_on_average, equal_seeds_give_equal_samples,
	      intervals_hold_the_truth)
