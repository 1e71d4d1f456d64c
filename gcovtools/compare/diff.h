/* Differences between two profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each place, a calling context or a function, is in the first profile, A, in
   the second, B, or in both.  The change of each quantity from A to B is the
   sum of the contributions of added, removed and changed places; 128-bit sums
   make this exact.  */

#ifndef HEAPPROF_DIFF_H
#define HEAPPROF_DIFF_H

#include "context-match.h"
#include "counter-profile.h"
#include "findings.h"
#include "heap-spread.h"
#include "limit-cases.h"
#include "profile-pair.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef __int128 diff_number;

enum diff_side
{
  DIFF_A,
  DIFF_B
};

enum diff_status
{
  DIFF_ADDED,
  DIFF_REMOVED,
  DIFF_CHANGED,
  DIFF_UNCHANGED,
  DIFF_STATUSES
};

/* Return the name of STATUS.  */
const char *diff_status_name (enum diff_status status);

/* A quantity: totals[DIFF_B] - totals[DIFF_A] == parts[DIFF_ADDED] +
   parts[DIFF_REMOVED] + parts[DIFF_CHANGED].  */
struct diff_measure
{
  diff_number totals[2];
  diff_number parts[DIFF_STATUSES]; /* change due to places of each status;
				       negative for removed ones */
};

/* Add a place of STATUS with VALUES, by side.  */
static inline void
diff_measure_add (struct diff_measure *measure, enum diff_status status,
		  const uint64_t values[2])
{
  measure->totals[DIFF_A] += values[DIFF_A];
  measure->totals[DIFF_B] += values[DIFF_B];
  measure->parts[status]
    += (diff_number) values[DIFF_B] - (diff_number) values[DIFF_A];
}

/* ---- Heap.  */

struct diff_context
{
  const struct matched_context *matched;
  enum diff_status status;
  diff_number change; /* of the quantity sorted by */
};

struct diff_heap
{
  struct context_match match;
  uint64_t counts[DIFF_STATUSES]; /* number of contexts */
  struct diff_measure measures[CONTEXT_MEASURES];
  /* Of the totals' changes, if there are samples.  */
  struct heap_spread spreads[CONTEXT_MEASURES];
  struct heap_known known[2];
  bool is_known[CONTEXT_MEASURES]; /* in both profiles, so that it can be
				      compared */
  bool *is_chosen;	       /* by the filters, for each context of MATCH */
  struct diff_context *listed; /* contexts that differ in the quantity sorted
				  by; largest change first */
  size_t listed_count;
  /* A function that is a wrapper in one profile is one in both.  */
  struct allocation_wrappers wrappers[2];
  struct wrapper_uses looked_through[2]; /* in the contexts of IS_CHOSEN */
};

/* Compare the heap profiles of PAIR; a missing one counts as empty.  A context
   is selected if the filter of OPTIONS includes it in either profile.  Return
   false if memory is exhausted; release *DIFF in any case.  */
bool diff_heap_make (struct diff_heap *diff, const struct profile_pair *pair,
		     const struct pair_options *options,
		     enum context_measure sort);
/* Return true if both profiles of PAIR have MEASURE.  Otherwise print which one
   does not.  */
bool diff_heap_check_known (const struct diff_heap *diff,
			    const struct profile_pair *pair,
			    enum context_measure measure);
void diff_heap_release (struct diff_heap *diff);

/* Return the status of MATCHED, considering the measures that both profiles
   have.  */
enum diff_status diff_context_status (const struct diff_heap *diff,
				      const struct matched_context *matched);

/* Return a report for printing frames of the profile of PAIR in which MATCHED
   is, and store the context there in *CONTEXT.  */
struct heap_report diff_heap_names (const struct diff_heap *diff,
				    const struct profile_pair *pair,
				    const struct pair_options *options,
				    const struct matched_context *matched,
				    uint32_t *context);

/* Return true if both profiles of DIFF have MEASURE of MATCHED.  */
bool diff_context_has (const struct diff_heap *diff,
		       const struct matched_context *matched, int measure);

/* Return true if the change of MEASURE is an estimate, and by how much it may
   be off is known.  */
bool diff_has_margin (const struct diff_heap *diff, int measure);

/* Return by how much the change of MEASURE of MATCHED may be off.  */
double diff_context_margin (const struct diff_heap *diff,
			    const struct matched_context *matched, int measure);

/* Return true if profile SIDE of DIFF has MEASURE.  */
bool diff_heap_has (const struct diff_heap *diff, int side, int measure);

/* ---- Functions, by their counters or their samples.  */

/* Counters and the values of each kind; or the kinds of samples.  */
#define DIFF_FUNCTION_MEASURES 4

struct diff_function
{
  const char *name;	/* for counters, the linkage name */
  char *title;		/* malloced: NAME for samples; else NULL */
  uint64_t hash;	/* for counters; else 0 */
  uint32_t place_count; /* counters, or sample locations and targets */
  uint32_t changed_places;
  enum diff_status status;
  uint64_t sums[DIFF_FUNCTION_MEASURES][2];
  diff_number change; /* of the first measure's sum */
};

struct diff_functions
{
  uint64_t counts[DIFF_STATUSES]; /* number of functions */
  struct diff_measure measures[DIFF_FUNCTION_MEASURES];
  struct diff_function *listed; /* functions that differ; largest change first,
				   then by name and hash */
  size_t listed_count;
};

/* Like diff_heap_make, for function counters.  Functions match by name, hash
   and the numbers of counters and sites.  */
bool diff_counters_make (struct diff_functions *diff,
			 const struct profile_pair *pair,
			 const struct pair_options *options);

/* Like diff_heap_make, for samples of functions, or of functions in calling
   contexts if the profiles distinguish these.  Also return false and set *ERR
   if the two sample different things.  */
bool diff_samples_make (struct diff_functions *diff,
			const struct profile_pair *pair,
			const struct pair_options *options,
			struct profile_error *err);

/* Shared by both: make room for COUNT functions; add ENTRY, to the list only if
   IS_LISTED; sort the list after the last one; release.  */
bool diff_functions_init (struct diff_functions *diff, size_t count);
void diff_functions_add (struct diff_functions *diff,
			 const struct diff_function *entry, bool is_listed);
void diff_functions_sort (struct diff_functions *diff);
void diff_functions_release (struct diff_functions *diff);

/* Return the name of a measure of counters.  */
const char *diff_counter_measure_name (int measure);

/* ---- Printing.  */

/* Write NUMBER to TEXT of DIFF_NUMBER_BYTES, with its sign if IS_SIGNED and
   with commas if IS_GROUPED, and return TEXT.  */
#define DIFF_NUMBER_BYTES 64
const char *diff_number_text (char *text, diff_number number, bool is_signed,
			      bool is_grouped);

/* A comparison to print.  */
struct diff_report
{
  const struct profile_pair *pair;
  const struct pair_options *options;
  enum context_measure sort;
  size_t top;				 /* entries of each list; 0: all */
  const struct diff_heap *heap;		 /* NULL: neither profile has a heap */
  const struct diff_functions *counters; /* NULL: neither has counters */
  const struct diff_functions *samples;	 /* NULL: neither has samples */
};

/* Print REPORT.  Return false if memory is exhausted.  */
bool diff_print_text (const struct diff_report *report);
bool diff_print_json (const struct diff_report *report);

/* Make *LIST of the sites of REPORT that grew, and of the limits in CASES that
   are exceeded.  REPORT and CASES must outlive it, and so must NAMES, which is
   set.  Return false if memory is exhausted; release *LIST in any case.  */
bool diff_find (struct finding_list *list, const struct diff_report *report,
		const struct limit_cases *cases, struct heap_report names[2]);

/* Write the heap comparison of REPORT, with all contexts that differ in any
   measure, as an HTML page to the file PATH.  On failure print an error and
   return false.  */
bool diff_write_html (const struct diff_report *report, const char *path);

#endif /* HEAPPROF_DIFF_H */
