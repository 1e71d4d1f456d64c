/* The ratio of paired measurements, with a confidence interval.
   SPDX-License-Identifier: GPL-3.0-or-later

   The logarithms of the ratios of all pairs are assumed to be distributed
   symmetrically, nothing else.  The estimate is that of Hodges and Lehmann: the
   median of the means of all pairs of logarithms, each with itself, too.  The
   interval is that of Wilcoxon's signed-rank test, exact for any number of
   measurements.  From 12 pairs on, a single outlier has little influence on
   either.  */

#ifndef HEAPPROF_RATIO_INTERVAL_H
#define HEAPPROF_RATIO_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

#define RATIO_CONFIDENCE 0.95

/* The least number of pairs for an interval.  */
#define RATIO_LEAST_PAIRS 6

/* The cost grows with the square of the number of pairs.  */
#define RATIO_MOST_PAIRS 1000

struct ratio_interval
{
  bool is_known;
  double ratio;
  bool has_bounds;
  double low;
  double high;
};

/* Return the median of the COUNT VALUES, at least one, which are sorted.  */
double ratio_sort_median (double *values, size_t count);

/* Compute the ratio of VALUES to BASE, COUNT pairs, at most RATIO_MOST_PAIRS.
   It is unknown if COUNT is 0 or any value is not positive.  The bounds are
   unknown if there are too few pairs.  Return false if memory is exhausted.  */
bool ratio_interval_make (struct ratio_interval *interval, const double *values,
			  const double *base, size_t count);

#endif /* HEAPPROF_RATIO_INTERVAL_H */
