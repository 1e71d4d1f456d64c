/* Estimates of accesses that agree with the number of all accesses.
   SPDX-License-Identifier: GPL-3.0-or-later

   A sample stands for many blocks, and if it is one of the few that have most
   accesses, its context is estimated to have more than the whole program.  But
   in runs of samples all accesses are counted together, also those to memory
   that is no block.  So the true numbers of all contexts add up to at most this
   sum, and none is less than what one of its blocks has.  Of the numbers that
   fulfil this, those are taken that are nearest to the estimates, where a
   distance counts the less the greater the variance: an estimate is lowered in
   proportion to its variance.

   What is assumed: contexts are sampled independently of each other, and their
   variances have about the right proportions.  The true numbers are in a convex
   set on which the estimates are projected, so the result is never farther from
   them, by that measure.  Estimates are only ever lowered: if they add up to
   less, it is not known whose accesses are missing.  Therefore the mean over
   many runs is too low, and files keep the original numbers; these are added
   up before they are shown.  */

#ifndef HEAPPROF_HEAP_CALIBRATE_H
#define HEAPPROF_HEAP_CALIBRATE_H

#include "heap-profile.h"

/* Lower the estimated accesses of PROFILE's contexts that add up to more than
   were counted in all of its runs.  Does nothing if that number is not
   known.  */
void heap_calibrate (struct heap_profile *profile);

#endif /* HEAPPROF_HEAP_CALIBRATE_H */
