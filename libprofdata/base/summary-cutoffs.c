/* Which share of all counts the greatest counts make up.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "summary-cutoffs.h"
#include "saturating.h"
#include <stdlib.h>

#define MILLION 1000000

static const uint32_t parts[SUMMARY_CUTOFFS]
  = { 10000,  100000, 200000, 300000, 400000, 500000, 600000, 700000,
      800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999 };

static int
compare_falling (const void *element1, const void *element2)
{
  uint64_t a = *(const uint64_t *) element1;
  uint64_t b = *(const uint64_t *) element2;
  return (a < b) - (a > b);
}

void
summary_cutoffs_find (struct summary_cutoff *cutoffs, uint64_t total,
		      uint64_t *counts, size_t n)
{
  size_t seen = 0;
  uint64_t sum = 0;
  uint64_t least = 0;
  qsort (counts, n, sizeof *counts, compare_falling);
  for (int i = 0; i < SUMMARY_CUTOFFS; i++)
    {
      uint64_t wanted = (unsigned __int128) total * parts[i] / MILLION;
      while (sum < wanted && seen < n)
	{
	  least = counts[seen];
	  for (; seen < n && counts[seen] == least; seen++)
	    sum = saturating_add (sum, least);
	}
      cutoffs[i] = (struct summary_cutoff){ parts[i], least, seen };
    }
}
