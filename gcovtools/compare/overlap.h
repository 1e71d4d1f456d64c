/* Overlap of two profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each place has a share of a quantity's sum in each profile; the overlap is
   the sum over all places of the smaller share.  It is 1 if the profiles differ
   only by a factor, and 0 if they have no place in common.  For counters the
   results equal those of llvm-profdata overlap.  */

#ifndef HEAPPROF_OVERLAP_H
#define HEAPPROF_OVERLAP_H

#include "counter-profile.h"
#include "heap-profile.h"
#include "pattern-list.h"
#include "profile-filter.h"
#include "sample-match.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first profile is the base, the second the test.  */
enum overlap_side
{
  OVERLAP_BASE,
  OVERLAP_TEST
};

struct overlap_measure
{
  double sums[2];     /* of the quantity, by side */
  double overlap;     /* this and the next two: 0 to 1 */
  double mismatch;    /* share of the test that cannot be compared */
  double only[2];     /* share without a counterpart, by side */
  bool is_unknown[2]; /* by side: the profile does not know the quantity; if any
			 does not, only the other sum is meaningful */
};

/* Return true if both profiles know MEASURE.  */
static inline bool
overlap_measure_is_known (const struct overlap_measure *measure)
{
  return !measure->is_unknown[0] && !measure->is_unknown[1];
}

struct overlap_places
{
  uint64_t common;
  uint64_t mismatched;
  uint64_t only[2];
};

/* One function.  */
struct overlap_function
{
  const struct counter_function *function; /* of the test profile */
  struct overlap_measure counts;
  struct overlap_measure values[COUNTER_VALUE_KINDS];
};

struct overlap_counters
{
  const struct counter_profile *profiles[2];
  struct overlap_places functions;
  struct overlap_measure counts;
  struct overlap_measure values[COUNTER_VALUE_KINDS];
  struct overlap_function *listed; /* in file order */
  size_t listed_count;
};

struct overlap_counter_options
{
  bool context_sensitive; /* only functions of the second instrumentation; else
			     only the others */
  uint64_t
    value_cutoff; /* also list functions with a counter at least this large */
  const struct pattern_list *function; /* also list these; NULL: none */
};

/* Compare the counters of PROFILES.  Return false if memory is exhausted;
   release *OVERLAP in any case.  */
bool overlap_counters_make (struct overlap_counters *overlap,
			    struct counter_profile *const profiles[2],
			    const struct overlap_counter_options *options);
void overlap_counters_release (struct overlap_counters *overlap);

/* For heaps, the places are calling contexts (context-match.h).  */
enum overlap_heap_measure
{
  OVERLAP_ALLOCATIONS,
  OVERLAP_BYTES,
  OVERLAP_ACCESSES,
  OVERLAP_HEAP_MEASURES
};

struct overlap_heap
{
  struct overlap_places contexts;
  struct overlap_measure measures[OVERLAP_HEAP_MEASURES];
};

/* Compare the contexts of the heap profiles PROFILES that FILTER includes in
   either of them.  Return false if memory is exhausted.  */
bool overlap_heap_make (struct overlap_heap *overlap,
			struct heap_profile *const profiles[2],
			const struct profile_filter *filter);

/* For samples, the places are those of sample-match.h.  */
struct overlap_sample_function
{
  char *title; /* malloced */
  struct overlap_measure measures[SAMPLE_MEASURES];
};

struct overlap_samples
{
  struct overlap_places functions;
  struct overlap_measure measures[SAMPLE_MEASURES];
  struct overlap_sample_function *listed; /* in file order */
  size_t listed_count;
};

struct overlap_sample_options
{
  bool demangle;
  uint64_t value_cutoff; /* also list functions with at least this many samples
			    at a place of the test profile */
  const struct pattern_list *function; /* also list these; NULL: none */
};

/* Compare the samples of MATCH.  Return false if memory is exhausted;
   release *OVERLAP in any case.  */
bool overlap_samples_make (struct overlap_samples *overlap,
			   const struct sample_match *match,
			   const struct overlap_sample_options *options);
void overlap_samples_release (struct overlap_samples *overlap);

/* Add a place with VALUES, by side, to MEASURE, whose sums are known.  */
static inline void
overlap_measure_add (struct overlap_measure *measure, const uint64_t values[2])
{
  double base = (double) values[OVERLAP_BASE] / measure->sums[OVERLAP_BASE];
  double test = (double) values[OVERLAP_TEST] / measure->sums[OVERLAP_TEST];
  if (measure->sums[OVERLAP_BASE] >= 1 && measure->sums[OVERLAP_TEST] >= 1)
    measure->overlap += base < test ? base : test;
}

/* A comparison to print; members are NULL unless both profiles have them.  */
struct overlap_report
{
  const char *const *paths; /* of the two files */
  const struct overlap_heap *heap;
  const struct overlap_counters *counters;
  const struct overlap_samples *samples;
  bool demangle; /* names of functions with counters */
};

/* Print REPORT.  Return false if memory is exhausted.  */
bool overlap_print_text (const struct overlap_report *report);
bool overlap_print_json (const struct overlap_report *report);

#endif /* HEAPPROF_OVERLAP_H */
