/* By how much numbers that were estimated from samples may be off.
   SPDX-License-Identifier: GPL-3.0-or-later

   Numbers are sums over samples; each sample stands for 1/p blocks if blocks of
   its size are samples with probability p, and adds (1 - p) / p^2 times the
   square of its part to the variance.  If many samples contribute alike, the
   sum is almost normally distributed, and 95 % are within 1.96 standard
   deviations.  If few samples contribute most, their number is too small to
   tell the variance: often it is a sample that was not drawn that is missing
   in both.  So a spread knows the greatest part of a single sample, too: the
   variance divided by that is a number of samples, and if that is small, the
   interval is as wide as that of a number of rare events.  */

#ifndef HEAPPROF_HEAP_SPREAD_H
#define HEAPPROF_HEAP_SPREAD_H

#include "heap-profile.h"
#include "memory-info.h"
#include <stdbool.h>

/* The numbers that have a spread.  */
enum heap_estimate
{
  HEAP_ESTIMATE_BLOCKS,
  HEAP_ESTIMATE_BYTES,
  HEAP_ESTIMATE_ACCESSES,
  HEAP_ESTIMATES
};

struct heap_spread
{
  double variance;
  double greatest; /* part of the variance that a single sample has */
};

/* Return the spread of ESTIMATE, a number in INFO, with a sample for each
   SAMPLE_BYTES on average.  */
struct heap_spread heap_spread_of (const struct memory_info *info,
				   enum heap_estimate estimate,
				   uint64_t sample_bytes);

/* Return true if there are samples among the blocks of INFO.  */
bool heap_spread_has_samples (const struct memory_info *info);

/* Return the spread of ESTIMATE, a sum over all contexts of a profile, if there
   is no sample among them, as in a run that allocated little, also one that was
   merged with complete runs: there may have been blocks all the same.  */
struct heap_spread heap_spread_of_nothing (enum heap_estimate estimate,
					   uint64_t sample_bytes);

/* Return the spread of ESTIMATE in INFO, such a sum.  */
struct heap_spread heap_spread_of_sum (const struct memory_info *info,
				       enum heap_estimate estimate,
				       uint64_t sample_bytes);

/* Make *A the spread of the sum or difference of its number and that of B.  */
void heap_spread_add (struct heap_spread *a, const struct heap_spread *b);

/* Return by how much a number with SPREAD may be off: the true number is in
   that distance with a probability of 95 %, with few samples at least that.
   Infinite if there is no limit, as for accesses without a sample.  */
double heap_spread_margin (const struct heap_spread *spread);

/* The same for one number in INFO, and for a sum over all contexts.  */
double heap_spread_margin_of (const struct memory_info *info,
			      enum heap_estimate estimate,
			      uint64_t sample_bytes);
double heap_spread_margin_of_sum (const struct memory_info *info,
				  enum heap_estimate estimate,
				  uint64_t sample_bytes);

/* Return the relative error of the number of accesses per byte of INFO, an
   estimate: 0.1 if it may be a tenth more or less.  Without accesses, return
   the relative error of its bytes.  It does not include blocks with far more
   accesses than any sample.  */
double heap_spread_density_share (const struct memory_info *info,
				  uint64_t sample_bytes);

/* Return by how much the number of accesses per byte of INFO may be off.  */
double heap_spread_density_margin (const struct memory_info *info,
				   uint64_t sample_bytes);

/* Return true unless that is more than half of the number, or there are too few
   samples without accesses: two such contexts may differ by a factor of three
   and not be told apart.  */
bool heap_spread_tells_density (const struct memory_info *info,
				uint64_t sample_bytes);

/* Return at least how many of the accesses that the runs of TOTALS counted are
   not in the estimate of TOTAL, the sum of all contexts: to blocks with far
   more accesses than any sample, or to memory that is no block.  0 if all may
   be in it, or if some run was not sampled or has not added them up.  */
uint64_t heap_spread_unseen_accesses (const struct heap_totals *totals,
				      const struct memory_info *total);

/* Return true if these are so many, a tenth of all, that sites may be hotter
   than the profile shows.  */
bool heap_spread_misses_accesses (const struct heap_totals *totals,
				  const struct memory_info *total);

/* Add to the variances of INFO, a context of a raw profile with a sample for
   each SAMPLE_BYTES on average, those of its blocks without an observation, as
   if all of these had their mean size.  Does nothing if SAMPLE_BYTES is 0.  */
void heap_spread_add_unfinished (struct memory_info *info,
				 uint64_t sample_bytes);

#endif /* HEAPPROF_HEAP_SPREAD_H */
