/* Unit tests of the intervals of numbers that are estimated from samples.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-calibrate.h"
#include "heap-spread.h"
#include "unit-main.h"
#include <inttypes.h>
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

/* Add a block of SIZE bytes with ACCESSES accesses to SUM if it is a sample.
   Sums are in units of a thousandth, instead of weights rounded at random.  */
static void
allocate_used (struct memory_info *sum, uint64_t size, uint64_t accesses)
{
  const double share = -expm1 (-(double) size / SAMPLE_BYTES);
  const double variance = (1 - share) / (share * share);
  const double weight = 1000 / share;
  if (uniform () > share)
    return;
  struct memory_info sample
    = { .alloc_count = (uint64_t) weight,
	.size_bytes = { (uint64_t) (weight * (double) size), size, size },
	.access_count
	= { (uint64_t) (weight * (double) accesses), accesses, accesses } };
  sample.count_variance = memory_info_variance_of (variance * 1e6);
  sample.bytes_variance
    = memory_info_variance_of (variance * 1e6 * (double) (size * size));
  sample.access_variance
    = memory_info_variance_of (variance * 1e6 * (double) (accesses * accesses));
  memory_info_add (sum, &sample);
}

/* Blocks of LEAST to LEAST + SPAN bytes, one in RARE with MANY accesses, others
   with one for each byte.  */
struct site
{
  unsigned blocks;
  unsigned least;
  unsigned span;
  unsigned rare;
  unsigned many;
};

static uint64_t
site_size (const struct site *site, unsigned i)
{
  return site->least + (site->span > 0 ? i * 7 % site->span : 0);
}

static uint64_t
site_accesses (const struct site *site, unsigned i)
{
  return site->rare > 0 && i % site->rare == 0 ? site->many
					       : site_size (site, i);
}

static struct memory_info
sample_site (const struct site *site)
{
  struct memory_info sum = { 0 };
  for (unsigned i = 0; i < site->blocks; i++)
    allocate_used (&sum, site_size (site, i), site_accesses (site, i));
  return sum;
}

/* The unit of allocate_used makes distances of samples as much longer.  */
#define USED_SAMPLE_BYTES (1000 * SAMPLE_BYTES)

/* Set *HELD and *TOLD to the shares of runs in which the interval of SITE's
   accesses per byte holds the truth, and in which they are told.  */
static void
measure_density (const struct site *site, double *held, double *told)
{
  const unsigned runs = RUNS / 4;
  double bytes = 0, accesses = 0;
  for (unsigned i = 0; i < site->blocks; i++)
    {
      bytes += (double) site_size (site, i);
      accesses += (double) site_accesses (site, i);
    }
  *held = *told = 0;
  for (unsigned run = 0; run < runs; run++)
    {
      const struct memory_info sum = sample_site (site);
      const double density
	= (double) sum.access_count.total / (double) sum.size_bytes.total;
      *held += fabs (density - accesses / bytes)
	       <= heap_spread_density_margin (&sum, USED_SAMPLE_BYTES) + 1e-3;
      *told += heap_spread_tells_density (&sum, USED_SAMPLE_BYTES);
    }
  *held /= runs;
  *told /= runs;
}

START_TEST (accesses_per_byte)
{
  double held, told;
  /* Blocks that are alike: some 50 samples are enough.  */
  measure_density (&(struct site){ 2000, 100, 0, 0, 0 }, &held, &told);
  ck_assert_double_ge (held, 0.999);
  ck_assert_double_ge (told, 0.99);
  /* One in three has more: some 100 samples.  */
  measure_density (&(struct site){ 4000, 100, 0, 3, 900 }, &held, &told);
  ck_assert_double_ge (held, 0.94);
  ck_assert_double_ge (told, 0.99);
  /* The same in different sizes.  */
  measure_density (&(struct site){ 4000, 60, 80, 3, 900 }, &held, &told);
  ck_assert_double_ge (held, 0.95);
  ck_assert_double_ge (told, 0.9);
  /* Half of the accesses are to one of 20 blocks: some 5 of 100 samples.  */
  measure_density (&(struct site){ 4000, 100, 0, 20, 2000 }, &held, &told);
  ck_assert_double_ge (held, 0.9);
  ck_assert_double_le (told, 0.1);
  /* Few samples.  */
  measure_density (&(struct site){ 120, 100, 0, 0, 0 }, &held, &told);
  ck_assert_double_le (told, 0.5);
}
END_TEST

/* A single sample tells neither of accesses nor that there are none; many tell
   both, and so does what is not a sample.  */

START_TEST (few_samples_do_not_tell)
{
  for (unsigned accesses = 0; accesses <= 8; accesses += 8)
    {
      struct memory_info sum
	= { .alloc_count = 64,
	    .size_bytes = { 6400, 100, 100 },
	    .access_count = { 64 * accesses, accesses, accesses } };
      ck_assert (heap_spread_tells_density (&sum, SAMPLE_BYTES));
      ck_assert_double_eq (heap_spread_density_margin (&sum, SAMPLE_BYTES), 0);
      sum.count_variance = memory_info_variance_of (40 * 40);
      sum.bytes_variance = memory_info_variance_of (4000 * 4000);
      sum.access_variance
	= memory_info_variance_of (1600.0 * accesses * accesses);
      ck_assert (!heap_spread_tells_density (&sum, SAMPLE_BYTES));
      struct memory_info many = { 0 };
      for (int i = 0; i < 100; i++)
	memory_info_add (&many, &sum);
      ck_assert (heap_spread_tells_density (&many, SAMPLE_BYTES));
    }
}
END_TEST

/* What is known of all accesses, and of which runs.  */

START_TEST (accesses_of_no_sample)
{
  struct memory_info sum = { .alloc_count = 100,
			     .size_bytes = { 10000, 100, 100 },
			     .access_count = { 1000, 10, 10 } };
  struct heap_totals totals = { .runs = 2,
				.sampled_runs = 2,
				.sample_bytes = SAMPLE_BYTES,
				.overall_runs = 2,
				.overall_accesses = 1500 };
  ck_assert_uint_eq (heap_spread_unseen_accesses (&totals, &sum), 500);
  ck_assert (heap_spread_misses_accesses (&totals, &sum));
  sum.count_variance = memory_info_variance_of (100);
  sum.bytes_variance = memory_info_variance_of (100.0 * 100 * 100);
  sum.access_variance = memory_info_variance_of (100.0 * 10 * 10);
  const double margin
    = heap_spread_margin_of_sum (&sum, HEAP_ESTIMATE_ACCESSES, SAMPLE_BYTES);
  ck_assert_double_gt (margin, 190);
  ck_assert_uint_eq (heap_spread_unseen_accesses (&totals, &sum),
		     (uint64_t) (500 - margin));
  totals.overall_accesses = 1000 + (uint64_t) margin;
  ck_assert_uint_eq (heap_spread_unseen_accesses (&totals, &sum), 0);
  totals.overall_accesses += 100;
  ck_assert_uint_ge (heap_spread_unseen_accesses (&totals, &sum), 99);
  ck_assert (!heap_spread_misses_accesses (&totals, &sum));
  totals.overall_accesses = 1000000;
  ck_assert (heap_spread_misses_accesses (&totals, &sum));
  totals.overall_runs = 1;
  ck_assert_uint_eq (heap_spread_unseen_accesses (&totals, &sum), 0);
  ck_assert (!heap_spread_misses_accesses (&totals, &sum));
  totals.overall_runs = 2;
  sum.uncounted_count = 1;
  ck_assert_uint_eq (heap_spread_unseen_accesses (&totals, &sum), 0);
  /* A run without a sample.  */
  const struct memory_info none = { 0 };
  ck_assert_uint_eq (heap_spread_unseen_accesses (&totals, &none), 1000000);
}
END_TEST

/* A context with ACCESSES, of one block at most MOST, and a VARIANCE.  */
struct part
{
  double accesses;
  double most;
  double variance;
};

#define MOST_PARTS 8

/* Return a profile with a context for each of the COUNT PARTS, counted from 1,
   in a run with OVERALL accesses.  */
static struct heap_profile *
profile_of (const struct part *parts, uint32_t count, uint64_t overall)
{
  struct heap_profile *profile = heap_profile_new ();
  struct heap_totals *totals = heap_profile_totals (profile);
  *totals = (struct heap_totals){ .runs = 1,
				  .sampled_runs = 1,
				  .sample_bytes = SAMPLE_BYTES,
				  .overall_runs = 1,
				  .overall_accesses = overall };
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heap_frame frame = { .function_guid = i + 1 };
      const uint32_t context
	= heap_profile_add_context (profile, 0,
				    heap_profile_add_frame (profile, &frame));
      const struct memory_info info
	= { .alloc_count = 10,
	    .size_bytes = { 1000, 100, 100 },
	    .access_count
	    = { (uint64_t) parts[i].accesses, 0, (uint64_t) parts[i].most },
	    .access_density = { (uint64_t) parts[i].accesses / 2, 0, 0 },
	    .access_variance = memory_info_variance_of (parts[i].variance) };
      ck_assert_uint_eq (context, i + 1);
      ck_assert (heap_profile_add_info (profile, context, &info));
    }
  return profile;
}

/* Check that the accesses of PARTS become EXPECTED with OVERALL.  */
static void
expect_calibrated (const struct part *parts, uint32_t count, uint64_t overall,
		   const uint64_t *expected)
{
  struct heap_profile *profile = profile_of (parts, count, overall);
  heap_calibrate (profile);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i + 1);
      const double part = (double) info->access_count.total / parts[i].accesses;
      ck_assert_uint_le (info->access_count.total, expected[i]);
      ck_assert_uint_ge (info->access_count.total + 1, expected[i]);
      ck_assert_double_eq_tol ((double) info->access_density.total,
			       part * parts[i].accesses / 2, 2);
    }
  heap_profile_free (profile);
}

/* By hand: what is too much is taken away in proportion to the variances, but
   not from exact numbers, and not from what one block has.  */
START_TEST (sums_are_limited)
{
  const struct part parts[]
    = { { 6000, 10, 3000 }, { 3000, 10, 1000 }, { 2000, 10, 0 } };
  expect_calibrated (parts, 3, 11000, (uint64_t[]){ 6000, 3000, 2000 });
  expect_calibrated (parts, 3, 20000, (uint64_t[]){ 6000, 3000, 2000 });
  expect_calibrated (parts, 3, 7000, (uint64_t[]){ 3000, 2000, 2000 });
  /* The first would be 1500 and the second 1500.  */
  const struct part hot[]
    = { { 6000, 5000, 3000 }, { 3000, 10, 1000 }, { 2000, 10, 0 } };
  expect_calibrated (hot, 3, 8500, (uint64_t[]){ 5000, 1500, 2000 });
  /* That cannot be: nothing is left of the second.  */
  expect_calibrated (hot, 3, 100, (uint64_t[]){ 5000, 10, 2000 });
}
END_TEST

/* Many contexts with few accesses: what is taken away is much less than one of
   each, and the sum is right.  */
START_TEST (small_numbers_add_up)
{
  enum
  {
    MANY = 1000
  };
  static struct part parts[MANY];
  for (uint32_t overall = 4990; overall <= 6000; overall += 101)
    {
      uint64_t sum = 0;
      for (uint32_t i = 0; i < MANY; i++)
	parts[i] = (struct part){ 6, 1, 4 };
      struct heap_profile *profile = profile_of (parts, MANY, overall);
      heap_calibrate (profile);
      for (uint32_t i = 0; i < MANY; i++)
	sum += heap_profile_info (profile, i + 1)->access_count.total;
      ck_assert_msg (sum + 1 >= overall && sum <= overall + 1,
		     "%" PRIu64 " in place of %" PRIu32, sum, overall);
      heap_profile_free (profile);
    }
}
END_TEST

START_TEST (unknown_sums_limit_nothing)
{
  const struct part parts[] = { { 6000, 10, 3000 }, { 3000, 10, 1000 } };
  for (int how = 0; how < 4; how++)
    {
      struct heap_profile *profile = profile_of (parts, 2, 100);
      struct heap_totals *totals = heap_profile_totals (profile);
      if (how == 0)
	totals->overall_runs = 0;
      else if (how == 1)
	totals->runs = 2;
      else if (how == 2)
	totals->overall_accesses = UINT64_MAX;
      else
	{
	  const struct memory_info uncounted
	    = { .alloc_count = 1, .uncounted_count = 1 };
	  ck_assert (heap_profile_add_info (profile, 1, &uncounted));
	}
      heap_calibrate (profile);
      ck_assert_uint_eq (heap_profile_info (profile, 1)->access_count.total,
			 6000);
      ck_assert_uint_eq (heap_profile_info (profile, 2)->access_count.total,
			 3000);
      heap_profile_free (profile);
    }
}
END_TEST

/* Truth and estimates at random: calibrated numbers fulfil what is known, and
   are never farther from the truth.  */
START_TEST (never_farther_from_the_truth)
{
  for (int i = 0; i < 20000; i++)
    {
      struct part parts[MOST_PARTS];
      double truth[MOST_PARTS];
      double sum = 0;
      const uint32_t count = 1 + (uint32_t) (uniform () * MOST_PARTS);
      for (uint32_t j = 0; j < count; j++)
	{
	  truth[j] = floor (exp (uniform () * 14)) + 1;
	  sum += truth[j];
	  parts[j] = (struct part){
	    .accesses = floor (truth[j] * exp (3 * uniform () - 1.5)) + 1,
	    .most = floor (truth[j] * uniform ()),
	    .variance = uniform () < 0.1 ? 0 : exp (uniform () * 20)
	  };
	  if (parts[j].variance < 0.01)
	    parts[j].accesses = truth[j];
	}
      const double overall = floor (sum * (1 + uniform () / 10));
      struct heap_profile *profile
	= profile_of (parts, count, (uint64_t) overall);
      heap_calibrate (profile);
      double before = 0, after = 0, total = 0;
      for (uint32_t j = 0; j < count; j++)
	{
	  const double found
	    = (double) heap_profile_info (profile, j + 1)->access_count.total;
	  total += found;
	  ck_assert_double_le (found, parts[j].accesses);
	  ck_assert_double_ge (found + 1,
			       fmin (parts[j].most, parts[j].accesses));
	  if (parts[j].variance < 0.01)
	    {
	      ck_assert_double_eq (found, truth[j]);
	      continue;
	    }
	  before += pow (parts[j].accesses - truth[j], 2) / parts[j].variance;
	  /* It was rounded down by less than 1.  */
	  const double off = fmax (0, fabs (found - truth[j]) - 1);
	  after += off * off / parts[j].variance;
	}
      ck_assert_double_le (total, overall + 1e-3);
      ck_assert_double_le (after, before * (1 + 1e-6));
      heap_profile_free (profile);
    }
}
END_TEST

UNIT_MAIN ("heap-spread", nothing_has_limits, sums_without_samples_have_limits,
	   few_samples_are_rare_events, many_samples_are_distributed_normally,
	   exact_numbers_are_not_off, spreads_of_sums, small_variances_add_up,
	   intervals_hold_the_truth, accesses_per_byte, few_samples_do_not_tell,
	   accesses_of_no_sample, sums_are_limited, small_numbers_add_up,
	   unknown_sums_limit_nothing, never_farther_from_the_truth)
