/* How few of the greatest counts make up how much of all counts.
   SPDX-License-Identifier: GPL-3.0-or-later

   LLVM's summaries, of counters and of samples, say this for the same 16 parts
   of the sum, so that compilers know from which count on code is hot.  */

#ifndef HEAPPROF_SUMMARY_CUTOFFS_H
#define HEAPPROF_SUMMARY_CUTOFFS_H

#include <stddef.h>
#include <stdint.h>

#define SUMMARY_CUTOFFS 16

struct summary_cutoff
{
  uint64_t cutoff; /* millionths of the sum */
  uint64_t least;  /* of the greatest counts that make up so much;
		      0 if none is needed */
  uint64_t count;  /* how many these are */
};

/* Fill the SUMMARY_CUTOFFS records at CUTOFFS from the N COUNTS, which are
   sorted in place, and from their sum TOTAL, which stops at the greatest
   number.  */
void summary_cutoffs_find (struct summary_cutoff *cutoffs, uint64_t total,
			   uint64_t *counts, size_t n);

#endif /* HEAPPROF_SUMMARY_CUTOFFS_H */
