/* By how much numbers that were estimated from samples may be off.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-spread.h"
#include <math.h>

/* 95 % of a normal distribution are within as many standard deviations.  */
#define NORMAL_95 1.96

/* From as many samples on, a sum is taken to be distributed normally.  */
#define MANY_SAMPLES 100

/* Return the probability that a block of BYTES bytes is a sample.  */
static double
share_of (double bytes, uint64_t sample_bytes)
{
  return -expm1 (-(bytes >= 1 ? bytes : 1) / (double) sample_bytes);
}

/* What a sample with probability SHARE adds to the variance of the number of
   blocks: the weight is rounded at random, which adds the second part.  */
static double
variance_of_one (double share)
{
  const double weight = 1 / share;
  const double rest = weight - floor (weight);
  return (1 - share) * weight * weight + rest * (1 - rest);
}

static double
mean_of (uint64_t bytes, uint64_t count)
{
  return count > 0 ? (double) bytes / (double) count : HUGE_VAL;
}

/* Return the size of the smallest block of INFO, or the smallest mean if that
   is not known.  */
static double
least_size (const struct memory_info *info)
{
  const struct memory_info_range *sizes = &info->size_bytes;
  const double finished = sizes->max > 0
			    ? (double) sizes->min
			    : mean_of (sizes->total, info->alloc_count);
  const double unfinished
    = mean_of (info->unfinished_bytes, info->unfinished_count);
  return fmin (finished, unfinished);
}

/* Return what the block with the most accesses adds to VARIANCE, that of the
   accesses of INFO.  */
static double
greatest_accesses (const struct memory_info *info, double variance,
		   uint64_t sample_bytes)
{
  const double accesses = (double) info->access_count.total;
  const double most = (double) info->access_count.max;
  if (!(accesses > 0))
    return 0;
  /* As if all samples were alike: their effective number is the square of the
     sum of their parts, divided by the sum of the squares.  */
  const double even = pow (variance / accesses, 2);
  /* The size of that block is not known.  The smallest stand for the most.  */
  const double one
    = variance_of_one (share_of (least_size (info), sample_bytes));
  return fmax (even, fmin (variance, one * most * most));
}

struct heap_spread
heap_spread_of (const struct memory_info *info, enum heap_estimate estimate,
		uint64_t sample_bytes)
{
  struct heap_spread spread = { 0, 0 };
  if (sample_bytes == 0)
    return spread;
  switch (estimate)
    {
    case HEAP_ESTIMATE_BLOCKS:
      spread.variance = memory_info_variance_value (&info->count_variance);
      /* Small blocks stand for the most.  */
      spread.greatest
	= variance_of_one (share_of (least_size (info), sample_bytes));
      break;
    case HEAP_ESTIMATE_BYTES:
      spread.variance = memory_info_variance_value (&info->bytes_variance);
      /* A sample of any size stands for at least that many, more than that
	 only if it is one almost certainly.  */
      spread.greatest = (double) sample_bytes * (double) sample_bytes;
      break;
    default:
      spread.variance = memory_info_variance_value (&info->access_variance);
      spread.greatest = greatest_accesses (info, spread.variance, sample_bytes);
      break;
    }
  /* Blocks of exact profiles that were merged are not samples.  */
  if (!(spread.greatest <= spread.variance))
    spread.greatest = spread.variance;
  return spread;
}

void
heap_spread_add (struct heap_spread *a, const struct heap_spread *b)
{
  a->variance += b->variance;
  a->greatest = fmax (a->greatest, b->greatest);
}

/* Return the upper end of the interval of 95 % for the mean of a number of
   independent events, of which COUNT were seen: half of a quantile of the
   chi-squared distribution, by Wilson and Hilferty's approximation, whose
   greatest error is 0.5 %.  */
static double
most_events (double count)
{
  const double next = count + 1;
  const double root = 1 - 1 / (9 * next) + NORMAL_95 / (3 * sqrt (next));
  return next * root * root * root;
}

/* Without a sample, the margin is what may have been allocated with a chance of
   2.5 % that nothing is one.  */
double
heap_spread_margin (const struct heap_spread *spread)
{
  if (!(spread->greatest > 0))
    return 0;
  const double samples = spread->variance / spread->greatest;
  if (samples >= MANY_SAMPLES)
    return NORMAL_95 * sqrt (spread->variance);
  return sqrt (spread->greatest) * (most_events (samples) - samples);
}

/* The spread of no sample: what a single one would have added if it were the
   smallest block.  Of a block's accesses nothing is known.  */
struct heap_spread
heap_spread_of_nothing (enum heap_estimate estimate, uint64_t sample_bytes)
{
  switch (estimate)
    {
    case HEAP_ESTIMATE_BLOCKS:
      return (struct heap_spread){ 0, pow (share_of (1, sample_bytes), -2) };
    case HEAP_ESTIMATE_BYTES:
      return (struct heap_spread){ 0, pow ((double) sample_bytes, 2) };
    default:
      return (struct heap_spread){ 0, HUGE_VAL };
    }
}

bool
heap_spread_has_samples (const struct memory_info *info)
{
  return memory_info_variance_value (&info->bytes_variance) > 0;
}

struct heap_spread
heap_spread_of_sum (const struct memory_info *info, enum heap_estimate estimate,
		    uint64_t sample_bytes)
{
  return sample_bytes > 0 && !heap_spread_has_samples (info)
	   ? heap_spread_of_nothing (estimate, sample_bytes)
	   : heap_spread_of (info, estimate, sample_bytes);
}

double
heap_spread_margin_of (const struct memory_info *info,
		       enum heap_estimate estimate, uint64_t sample_bytes)
{
  const struct heap_spread spread
    = info->alloc_count == 0 ? heap_spread_of_sum (info, estimate, sample_bytes)
			     : heap_spread_of (info, estimate, sample_bytes);
  return heap_spread_margin (&spread);
}

double
heap_spread_margin_of_sum (const struct memory_info *info,
			   enum heap_estimate estimate, uint64_t sample_bytes)
{
  const struct heap_spread spread
    = heap_spread_of_sum (info, estimate, sample_bytes);
  return heap_spread_margin (&spread);
}

#define OTHERS_ACCESSES 4

/* Return what is left of the variance of the number of accesses of INFO, a part
   of 1, without what is due to the number of bytes: all blocks have one size,
   so that more samples add to both numbers alike.  But samples that agree do
   not prove that all blocks do: there may be as many others as are missed with
   a chance of 2.5 %, with OTHERS_ACCESSES times as many accesses.  */
static double
rest_of_variance (const struct memory_info *info)
{
  const double accesses = memory_info_variance_value (&info->access_variance)
			  / pow ((double) info->access_count.total, 2);
  const double bytes = memory_info_variance_value (&info->bytes_variance)
		       / pow ((double) info->size_bytes.total, 2);
  const double missed = fmin (1, OTHERS_ACCESSES * most_events (0) * bytes);
  return fmin (1, fmax (0, 1 - (1 - missed) * bytes / accesses));
}

/* True if all blocks of INFO have one size.  */
static bool
has_one_size (const struct memory_info *info)
{
  return info->size_bytes.max > 0 && info->unfinished_count == 0
	 && info->size_bytes.min == info->size_bytes.max;
}

/* With different sizes, how much the numbers of accesses and bytes vary
   together is not known; as if they did not is never too little.  */
double
heap_spread_density_share (const struct memory_info *info,
			   uint64_t sample_bytes)
{
  const double accesses
    = heap_spread_margin_of (info, HEAP_ESTIMATE_ACCESSES, sample_bytes);
  const double bytes
    = heap_spread_margin_of (info, HEAP_ESTIMATE_BYTES, sample_bytes);
  if (!(bytes > 0))
    return 0;
  const double bytes_share = bytes / (double) info->size_bytes.total;
  /* The samples agree that there are none.  */
  if (info->access_count.total == 0)
    return bytes_share;
  if (!(accesses > 0))
    return 0;
  const double share = accesses / (double) info->access_count.total;
  return has_one_size (info) ? share * sqrt (rest_of_variance (info))
			     : hypot (share, bytes_share);
}

double
heap_spread_density_margin (const struct memory_info *info,
			    uint64_t sample_bytes)
{
  const uint64_t bytes = info->size_bytes.total;
  if (bytes <= info->uncounted_bytes)
    return 0;
  return heap_spread_density_share (info, sample_bytes)
	 * (double) info->access_count.total
	 / (double) (bytes - info->uncounted_bytes);
}

/* A number with an interval of half of itself on both sides.  */
#define UNCERTAIN_SHARE 0.5

bool
heap_spread_tells_density (const struct memory_info *info,
			   uint64_t sample_bytes)
{
  return heap_spread_density_share (info, sample_bytes) <= UNCERTAIN_SHARE;
}

uint64_t
heap_spread_unseen_accesses (const struct heap_totals *totals,
			     const struct memory_info *total)
{
  if (totals->runs == 0 || totals->overall_runs != totals->runs
      || total->uncounted_count > 0)
    return 0;
  const double margin
    = heap_spread_margin_of_sum (total, HEAP_ESTIMATE_ACCESSES,
				 totals->sample_bytes);
  const double seen = (double) total->access_count.total
		      + (heap_spread_has_samples (total) ? margin : 0);
  const double unseen = (double) totals->overall_accesses - seen;
  return unseen >= 1 ? (uint64_t) unseen : 0;
}

/* Accesses to stacks and variables are counted, too: 2 to 4 % in lua, sqlite3,
   gawk and xmllint.  */
#define UNSEEN_PERCENT 10

bool
heap_spread_misses_accesses (const struct heap_totals *totals,
			     const struct memory_info *total)
{
  return (double) heap_spread_unseen_accesses (totals, total) * 100
	 > (double) totals->overall_accesses * UNSEEN_PERCENT;
}

void
heap_spread_add_unfinished (struct memory_info *info, uint64_t sample_bytes)
{
  if (sample_bytes == 0 || info->unfinished_count == 0
      || info->unfinished_bytes == 0)
    return;
  const double count = (double) info->unfinished_count;
  const double size = (double) info->unfinished_bytes / count;
  const double share = share_of (size, sample_bytes);
  const double variance = count * (1 - share) / share;
  const struct memory_info_variance blocks
    = memory_info_variance_of (memory_info_variance_value (&info
							      ->count_variance)
			       + variance);
  const struct memory_info_variance bytes
    = memory_info_variance_of (memory_info_variance_value (&info
							      ->bytes_variance)
			       + variance * size * size);
  info->count_variance = blocks;
  info->bytes_variance = bytes;
}
