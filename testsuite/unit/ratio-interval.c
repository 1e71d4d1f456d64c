/* Unit tests of the ratio of paired measurements and its interval.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ratio-interval.h"
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define MOST 30

/* Critical values of the signed-rank test from published tables, two-sided,
   0.05: rank sums up to these are significant.  */
static const struct
{
  size_t count;
  size_t critical;
} published[]
  = { { 6, 0 },	  { 7, 2 },   { 8, 3 },	  { 9, 5 },   { 10, 8 },  { 11, 10 },
      { 12, 13 }, { 13, 17 }, { 14, 21 }, { 15, 25 }, { 16, 29 }, { 17, 34 },
      { 18, 40 }, { 19, 46 }, { 20, 52 }, { 25, 89 }, { 30, 137 } };

static uint64_t state = 1;

/* Return a number above 0 and below 1.  */
static double
uniform (void)
{
  state = state * 6364136223846793005 + 1442695040888963407;
  return ((double) (state >> 12) + 0.5) * 0x1p-52;
}

static double
normal (void)
{
  return sqrt (-2 * log (uniform ())) * cos (2 * M_PI * uniform ());
}

/* Without mean or variance.  */
static double
cauchy (void)
{
  return tan (M_PI * (uniform () - 0.5));
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;
  return (x > y) - (x < y);
}

START_TEST (bounds_are_those_of_published_tables)
{
  double values[MOST];
  double base[MOST];
  double means[MOST * MOST];
  size_t count = published[_i].count;
  size_t mean_count = 0;
  for (size_t i = 0; i < count; i++)
    {
      base[i] = 1 + uniform ();
      values[i] = base[i] * exp (normal ());
    }
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j <= i; j++)
      means[mean_count++]
	= sqrt (values[i] / base[i]) * sqrt (values[j] / base[j]);
  qsort (means, mean_count, sizeof *means, compare);
  struct ratio_interval interval;
  ck_assert (ratio_interval_make (&interval, values, base, count));
  ck_assert (interval.is_known && interval.has_bounds);
  size_t outside = published[_i].critical;
  ck_assert_double_eq_tol (interval.low, means[outside], 1e-12);
  ck_assert_double_eq_tol (interval.high, means[mean_count - 1 - outside],
			   1e-12);
  ck_assert (interval.low <= interval.ratio && interval.ratio <= interval.high);
}
END_TEST

/* Return the share of intervals from COUNT pairs that contain the true ratio
   0.9, if the noise is from DRAW.  */
static double
coverage (size_t count, double (*draw) (void))
{
  const unsigned trials = 4000;
  unsigned hits = 0;
  for (unsigned trial = 0; trial < trials; trial++)
    {
      double values[MOST];
      double base[MOST];
      struct ratio_interval interval;
      for (size_t i = 0; i < count; i++)
	{
	  base[i] = 5 + uniform ();
	  values[i] = 0.9 * base[i] * exp (0.02 * draw ());
	}
      ck_assert (ratio_interval_make (&interval, values, base, count));
      hits += interval.low <= 0.9 && 0.9 <= interval.high;
    }
  return (double) hits / trials;
}

/* For 6, 10 and 20 pairs the exact probabilities are 0.969, 0.951 and 0.952,
   whatever the noise; a trial's standard deviation is at most 0.0035.  */
START_TEST (intervals_contain_the_ratio)
{
  ck_assert_double_eq_tol (coverage (6, normal), 0.969, 0.011);
  ck_assert_double_eq_tol (coverage (10, normal), 0.951, 0.014);
  ck_assert_double_eq_tol (coverage (20, normal), 0.952, 0.014);
  ck_assert_double_eq_tol (coverage (10, cauchy), 0.951, 0.014);
}
END_TEST

START_TEST (an_outlier_has_little_influence)
{
  double values[12];
  double base[12];
  struct ratio_interval interval;
  for (size_t i = 0; i < 12; i++)
    {
      base[i] = 1;
      values[i] = 0.8 + 0.001 * (double) i;
    }
  values[4] = 50;
  ck_assert (ratio_interval_make (&interval, values, base, 12));
  ck_assert_double_eq_tol (interval.ratio, 0.8055, 0.002);
  ck_assert (interval.high < 1);
}
END_TEST

START_TEST (unknown_without_positive_values)
{
  const double ones[] = { 1, 1, 1, 1, 1, 1 };
  const double zero[] = { 1, 1, 1, 0, 1, 1 };
  struct ratio_interval interval;
  ck_assert (ratio_interval_make (&interval, ones, zero, 6));
  ck_assert (!interval.is_known && !interval.has_bounds);
  ck_assert (ratio_interval_make (&interval, zero, ones, 6));
  ck_assert (!interval.is_known);
  ck_assert (ratio_interval_make (&interval, ones, ones, 0));
  ck_assert (!interval.is_known);
  ck_assert (ratio_interval_make (&interval, ones, ones, 5));
  ck_assert (interval.is_known && !interval.has_bounds);
  ck_assert (ratio_interval_make (&interval, ones, ones, 6));
  ck_assert (interval.low == 1 && interval.ratio == 1 && interval.high == 1);
}
END_TEST

START_TEST (most_pairs)
{
  double *values = malloc (RATIO_MOST_PAIRS * sizeof *values);
  double *base = malloc (RATIO_MOST_PAIRS * sizeof *base);
  struct ratio_interval interval;
  ck_assert (values != NULL && base != NULL);
  for (size_t i = 0; i < RATIO_MOST_PAIRS; i++)
    {
      base[i] = 1 + uniform ();
      values[i] = 2 * base[i] * exp (0.1 * normal ());
    }
  ck_assert (ratio_interval_make (&interval, values, base, RATIO_MOST_PAIRS));
  ck_assert_double_eq_tol (interval.ratio, 2, 0.04);
  /* 1.96 standard errors of the mean, which is a bit more precise.  */
  double half = log (interval.high / interval.low) / 2;
  ck_assert_double_eq_tol (half, 1.96 * 0.1 / sqrt (RATIO_MOST_PAIRS), 0.001);
  free (values);
  free (base);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ratio-interval");
  TCase *all = tcase_create ("all");
  tcase_add_loop_test (all, bounds_are_those_of_published_tables, 0,
		       sizeof published / sizeof *published);
  tcase_add_test (all, intervals_contain_the_ratio);
  tcase_add_test (all, an_outlier_has_little_influence);
  tcase_add_test (all, unknown_without_positive_values);
  tcase_add_test (all, most_pairs);
  tcase_set_timeout (all, 60);
  suite_add_tcase (suite, all);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
