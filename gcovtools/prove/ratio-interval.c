/* The ratio of paired measurements, with a confidence interval.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ratio-interval.h"
#include <math.h>
#include <stdlib.h>

static int
compare_numbers (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;
  return (x > y) - (x < y);
}

double
ratio_sort_median (double *values, size_t count)
{
  qsort (values, count, sizeof *values, compare_numbers);
  double upper = values[count / 2];
  return count % 2 != 0 ? upper : (values[count / 2 - 1] + upper) / 2;
}

/* Return N: the N-th smallest and the N-th largest of the means of COUNT
   numbers are the bounds; 0 if there are none.  This is the least N for which
   the sum of the ranks of the positive numbers is at most N with a probability
   of more than half of what may be missed.  SHARES has room for all rank sums.
 */
static size_t
find_bound (size_t count, double *shares)
{
  size_t sums = count * (count + 1) / 2 + 1;
  for (size_t i = 0; i < sums; i++)
    shares[i] = i == 0;
  /* Rank by rank: its number is positive or not, with equal probability.  */
  for (size_t rank = 1, most = 0; rank <= count; rank++)
    {
      most += rank;
      for (size_t sum = most + 1; sum-- > 0;)
	shares[sum]
	  = (shares[sum] + (sum >= rank ? shares[sum - rank] : 0)) / 2;
    }
  size_t bound = 0;
  double missed = 0;
  while (bound < sums && missed + shares[bound] <= (1 - RATIO_CONFIDENCE) / 2)
    missed += shares[bound++];
  return bound;
}

/* Store the mean of each pair of the COUNT LOGARITHMS in MEANS.  */
static void
make_means (double *means, const double *logarithms, size_t count)
{
  for (size_t i = 0; i < count; i++)
    for (size_t j = i; j < count; j++)
      *means++ = (logarithms[i] + logarithms[j]) / 2;
}

bool
ratio_interval_make (struct ratio_interval *interval, const double *values,
		     const double *base, size_t count)
{
  *interval = (struct ratio_interval){ .is_known = false };
  for (size_t i = 0; i < count; i++)
    if (!(values[i] > 0) || !(base[i] > 0))
      return true;
  if (count == 0)
    return true;
  size_t mean_count = count * (count + 1) / 2;
  double *logarithms = malloc (count * sizeof *logarithms);
  double *means = malloc (mean_count * sizeof *means);
  double *shares = malloc ((mean_count + 1) * sizeof *shares);
  bool is_done = logarithms != NULL && means != NULL && shares != NULL;
  if (is_done)
    {
      for (size_t i = 0; i < count; i++)
	logarithms[i] = log (values[i] / base[i]);
      make_means (means, logarithms, count);
      interval->is_known = true;
      interval->ratio = exp (ratio_sort_median (means, mean_count));
      size_t bound = find_bound (count, shares);
      interval->has_bounds = bound > 0;
      if (bound > 0)
	{
	  interval->low = exp (means[bound - 1]);
	  interval->high = exp (means[mean_count - bound]);
	}
    }
  free (shares);
  free (means);
  free (logarithms);
  return is_done;
}
