/* Use of a heap profile by the compiler: sums over remarks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MATCHING_H
#define HEAPPROF_MATCHING_H

#include "heap-profile.h"
#include "remarks.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct matching_sum
{
  uint64_t calls; /* number of remarks */
  uint64_t contexts;
  uint64_t allocations;
  uint64_t bytes;
};

/* Calls that were lost, or whose hint is ambiguous, for the same reason.  */
struct matching_reason
{
  const char *text; /* owned by a remark */
  enum remark_outcome outcome;
  bool is_matched;
  struct matching_sum sum;
};

/* Allocations in functions that no remark is about.  */
enum matching_absent
{
  MATCHING_ABSENT_LIBRARY, /* in another module than the program */
  MATCHING_ABSENT_UNIT,
  MATCHING_ABSENTS
};

struct matching
{
  const char *path;	/* of the profile */
  size_t files;		/* number of remarks files */
  size_t remarks;	/* number of remarks before duplicates were dropped */
  uint64_t token_calls; /* that set a context token */
  struct matching_sum profile; /* no calls */
  struct matching_sum matched;
  struct matching_sum libraries; /* not matched, but placed by tokens; no
				    calls */
  struct matching_sum placed;	 /* hinted, cloned or in libraries, and not
				    ambiguous */
  struct matching_sum unmatched; /* the rest of the profile; no calls */
  struct matching_sum absent[MATCHING_ABSENTS]; /* of UNMATCHED; no calls */
  uint32_t absent_context[MATCHING_ABSENTS];	/* with most bytes of these */
  struct matching_sum outcomes[REMARK_OUTCOMES];
  struct matching_sum hints[REMARK_OUTCOMES]
			   [REMARK_HINTS]; /* not for lost calls */
  struct matching_reason *reasons;	   /* malloced, most bytes first */
  size_t reason_count;
};

/* Add up REMARKS, without duplicates, and PROFILE in *MATCHING.  Return false
   if memory is exhausted.  */
bool matching_make (struct matching *matching,
		    const struct heap_profile *profile,
		    const struct remarks *remarks);
void matching_release (struct matching *matching);

/* Return why the allocations of ABSENT are not matched.  */
const char *matching_absent_reason (enum matching_absent absent);

/* Print MATCHING on standard output.  Return false if memory is exhausted.  */
bool matching_print_text (const struct matching *matching);
bool matching_print_json (const struct matching *matching);

#endif /* HEAPPROF_MATCHING_H */
