/* Which share of all counts the greatest counts make up.
   SPDX-License-Identifier: GPL-3.0-or-later

   LLVM's summaries of counters and of samples have this for the same 16
   cutoffs, so that compilers know from which count on code is hot.  */

#ifndef HEAPPROF_SUMMARY_CUTOFFS_H
#define HEAPPROF_SUMMARY_CUTOFFS_H

#include <stddef.h>
#include <stdint.h>

#define SUMMARY_CUTOFFS 16

struct summary_cutoff
{
  uint64_t cutoff; /* millionths of the sum */
  uint64_t least;  /* smallest of the greatest counts that together reach the
		      cutoff; 0 if none is needed */
  uint64_t count;  /* number of these counts */
};

/* Fill the SUMMARY_CUTOFFS records at CUTOFFS from the N COUNTS, which are
   sorted in place, and their saturated sum TOTAL.  */
void summary_cutoffs_find (struct summary_cutoff *cutoffs, uint64_t total,
			   uint64_t *counts, size_t n);

#endif /* HEAPPROF_SUMMARY_CUTOFFS_H */
