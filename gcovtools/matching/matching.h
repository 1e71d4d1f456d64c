/* What of a heap profile the compiler used: sums over remarks.
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
  uint64_t calls; /* remarks */
  uint64_t contexts;
  uint64_t allocations;
  uint64_t bytes;
};

/* Calls that were lost for one reason.  */
struct matching_reason
{
  const char *text; /* of a remark */
  bool is_matched;
  struct matching_sum sum;
};

struct matching
{
  const char *path;	       /* of the profile */
  size_t files;		       /* of remarks */
  size_t remarks;	       /* before those of other files were dropped */
  struct matching_sum profile; /* no calls */
  struct matching_sum matched;
  struct matching_sum unmatched; /* what the profile has beyond these; no
				    calls */
  struct matching_sum outcomes[REMARK_OUTCOMES];
  struct matching_sum hints[REMARK_OUTCOMES][REMARK_HINTS]; /* not of lost */
  struct matching_reason *reasons; /* malloced, most bytes first */
  size_t reason_count;
};

/* Add up REMARKS, which have been chosen, and PROFILE into *MATCHING.  False
   if memory cannot be had.  */
bool matching_make (struct matching *matching,
		    const struct heap_profile *profile,
		    const struct remarks *remarks);
void matching_release (struct matching *matching);

/* Print MATCHING on standard output.  False if memory cannot be had.  */
bool matching_print_text (const struct matching *matching);
bool matching_print_json (const struct matching *matching);

#endif /* HEAPPROF_MATCHING_H */
