/* How much two profiles overlap.
   SPDX-License-Identifier: GPL-3.0-or-later

   Of a quantity that both profiles count somewhere, each place has a share in
   each profile; the overlap is the sum over all places of the lesser share.
   It is 1 if the profiles differ in nothing but a factor, and 0 if they have
   no place in common.  For counters these are the numbers of llvm-profdata
   overlap.  */

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
  double overlap;     /* this and what follows: 0 to 1 */
  double mismatch;    /* share of the test that cannot be compared */
  double only[2];     /* share that has no counterpart, by side */
  bool is_unknown[2]; /* a profile does not know the quantity: by side;
			 then nothing above is known */
};

/* Do both profiles know MEASURE?  */
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
  const struct counter_function *function; /* of the test */
  struct overlap_measure counts;
  struct overlap_measure values[COUNTER_VALUE_KINDS];
};

struct overlap_counters
{
  const struct counter_profile *profiles[2];
  struct overlap_places functions;
  struct overlap_measure counts;
  struct overlap_measure values[COUNTER_VALUE_KINDS];
  struct overlap_function *listed; /* in the order of files */
  size_t listed_count;
};

struct overlap_counter_options
{
  bool context_sensitive; /* only functions of the second instrumentation;
			     else only the others */
  uint64_t value_cutoff;  /* list functions with a counter as great */
  const struct pattern_list *function; /* and these; NULL: none */
};

/* Compare the counters of PROFILES.  False if memory is exhausted; release
 *OVERLAP in any case.  */
bool overlap_counters_make (struct overlap_counters *overlap,
			    struct counter_profile *const profiles[2],
			    const struct overlap_counter_options *options);
void overlap_counters_release (struct overlap_counters *overlap);

/* Of heaps, the places are calling contexts (context-match.h).  */
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

/* Compare the contexts of the heap profiles PROFILES that FILTER takes in
   either of them.  False if memory is exhausted.  */
bool overlap_heap_make (struct overlap_heap *overlap,
			struct heap_profile *const profiles[2],
			const struct profile_filter *filter);

/* Of samples, the places are those of sample-match.h.  */
struct overlap_sample_function
{
  char *title; /* malloced */
  struct overlap_measure measures[SAMPLE_MEASURES];
};

struct overlap_samples
{
  struct overlap_places functions;
  struct overlap_measure measures[SAMPLE_MEASURES];
  struct overlap_sample_function *listed; /* in the order of files */
  size_t listed_count;
};

struct overlap_sample_options
{
  bool demangle;
  uint64_t value_cutoff; /* list functions with as many samples at a
			    place of the test */
  const struct pattern_list *function; /* and these; NULL: none */
};

/* Compare the samples of MATCH.  False if memory is exhausted; release *OVERLAP
   in any case.  */
bool overlap_samples_make (struct overlap_samples *overlap,
			   const struct sample_match *match,
			   const struct overlap_sample_options *options);
void overlap_samples_release (struct overlap_samples *overlap);

/* Enter one place with VALUES, by side, into MEASURE, whose sums are known.  */
static inline void
overlap_measure_add (struct overlap_measure *measure, const uint64_t values[2])
{
  double base = (double) values[OVERLAP_BASE] / measure->sums[OVERLAP_BASE];
  double test = (double) values[OVERLAP_TEST] / measure->sums[OVERLAP_TEST];
  if (measure->sums[OVERLAP_BASE] >= 1 && measure->sums[OVERLAP_TEST] >= 1)
    measure->overlap += base < test ? base : test;
}

/* What is printed of a comparison; NULL: not in both.  */
struct overlap_report
{
  const char *const *paths; /* of the two files */
  const struct overlap_heap *heap;
  const struct overlap_counters *counters;
  const struct overlap_samples *samples;
  bool demangle; /* names of functions with counters */
};

/* Print REPORT.  False if memory is exhausted.  */
bool overlap_print_text (const struct overlap_report *report);
bool overlap_print_json (const struct overlap_report *report);

#endif /* HEAPPROF_OVERLAP_H */
