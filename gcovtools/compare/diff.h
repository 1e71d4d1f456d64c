/* What changed from one profile to another.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each place, a calling context or a function, is in the first profile, A, in
   the second, B, or in both, and each quantity's change from A to B is the
   sum of what added, removed and changed places make of it.  Sums have 128
   bits, so that this is exact.  */

#ifndef HEAPPROF_DIFF_H
#define HEAPPROF_DIFF_H

#include "context-match.h"
#include "counter-profile.h"
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

/* The name of STATUS.  */
const char *diff_status_name (enum diff_status status);

/* A quantity: totals[DIFF_B] - totals[DIFF_A]
   == parts[DIFF_ADDED] + parts[DIFF_REMOVED] + parts[DIFF_CHANGED].  */
struct diff_measure
{
  diff_number totals[2];
  diff_number parts[DIFF_STATUSES]; /* change by places of each status; those
				       removed have a negative one */
};

/* Enter a place of STATUS that has VALUES, by side.  */
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
  diff_number change; /* of the quantity that sorts */
};

struct diff_heap
{
  struct context_match match;
  uint64_t counts[DIFF_STATUSES]; /* of contexts */
  struct diff_measure measures[CONTEXT_MEASURES];
  struct heap_known known[2];
  bool is_known[CONTEXT_MEASURES]; /* in both profiles: what can be compared */
  bool *is_chosen;	       /* by the options, of each context of MATCH */
  struct diff_context *listed; /* those that differ in the quantity that
				  sorts; greatest change first */
  size_t listed_count;
};

/* Compare the heap profiles of PAIR; a profile without is empty.  A context is
   chosen if the filter of OPTIONS takes it in either profile.  False if memory
   is exhausted; release *DIFF in any case.  */
bool diff_heap_make (struct diff_heap *diff, const struct profile_pair *pair,
		     const struct pair_options *options,
		     enum context_measure sort);
/* Have both profiles of PAIR MEASURE?  If not, print which has not.  */
bool diff_heap_check_known (const struct diff_heap *diff,
			    const struct profile_pair *pair,
			    enum context_measure measure);
void diff_heap_release (struct diff_heap *diff);

/* Do the infos of MATCHED differ in any measure that both profiles have?  */
enum diff_status diff_context_status (const struct diff_heap *diff,
				      const struct matched_context *matched);

/* Has the profile SIDE MEASURE, of which DIFF tells?  */
bool diff_heap_has (const struct diff_heap *diff, int side, int measure);

/* ---- Functions, by their counters or their samples.  */

/* Counters and the values of each kind; or what is sampled.  */
#define DIFF_FUNCTION_MEASURES 4

struct diff_function
{
  const char *name;	/* of counters, the linkage name */
  char *title;		/* malloced: NAME of samples; else NULL */
  uint64_t hash;	/* of counters; else 0 */
  uint32_t place_count; /* counters; of samples, locations and targets */
  uint32_t changed_places;
  enum diff_status status;
  uint64_t sums[DIFF_FUNCTION_MEASURES][2];
  diff_number change; /* of the first measure's sum */
};

struct diff_functions
{
  uint64_t counts[DIFF_STATUSES]; /* of functions */
  struct diff_measure measures[DIFF_FUNCTION_MEASURES];
  struct diff_function *listed; /* that differ; greatest change first, then by
				   name and hash */
  size_t listed_count;
};

/* The same for the counters of functions, which are told apart by name, hash
   and the numbers of what they count.  */
bool diff_counters_make (struct diff_functions *diff,
			 const struct profile_pair *pair,
			 const struct pair_options *options);

/* The same for samples, of functions and of their calling contexts if these are
   told apart.  False and *ERR also if the two sample different things.  */
bool diff_samples_make (struct diff_functions *diff,
			const struct profile_pair *pair,
			const struct pair_options *options,
			struct profile_error *err);

/* Of both: make room for COUNT functions; enter ENTRY, which the list has only
   if IS_LISTED; put the list in order when all are entered; release.  */
bool diff_functions_init (struct diff_functions *diff, size_t count);
void diff_functions_add (struct diff_functions *diff,
			 const struct diff_function *entry, bool is_listed);
void diff_functions_sort (struct diff_functions *diff);
void diff_functions_release (struct diff_functions *diff);

/* The name of a measure of counters.  */
const char *diff_counter_measure_name (int measure);

/* ---- Printing.  */

/* NUMBER as text, with its sign if SIGNED, and with commas if GROUPED, in TEXT,
   which has DIFF_NUMBER_BYTES and is returned.  */
#define DIFF_NUMBER_BYTES 64
const char *diff_number_text (char *text, diff_number number, bool is_signed,
			      bool is_grouped);

/* What is printed of a comparison.  */
struct diff_report
{
  const struct profile_pair *pair;
  const struct pair_options *options;
  enum context_measure sort;
  size_t top;				 /* entries of each list; 0: all */
  const struct diff_heap *heap;		 /* NULL: neither profile has any */
  const struct diff_functions *counters; /* likewise */
  const struct diff_functions *samples;	 /* likewise */
};

/* Print REPORT.  False if memory is exhausted.  */
bool diff_print_text (const struct diff_report *report);
bool diff_print_json (const struct diff_report *report);

/* Write the comparison of heaps in REPORT as an HTML page to the file PATH,
   with all contexts that differ in any measure.  False if that fails, which was
   printed.  */
bool diff_write_html (const struct diff_report *report, const char *path);

#endif /* HEAPPROF_DIFF_H */
