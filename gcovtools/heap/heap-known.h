/* What a heap profile knows, and what it has as 0 because nobody measured it.
   SPDX-License-Identifier: GPL-3.0-or-later

   Formats differ in what they have room for, and some programs run without
   counters of accesses.  A memory-info block has 0 then, which must not be
   printed as if it were a number.  */

#ifndef HEAPPROF_HEAP_KNOWN_H
#define HEAPPROF_HEAP_KNOWN_H

#include "heap-profile.h"
#include <stdbool.h>

/* What is known of the blocks of a profile.  */
struct heap_known
{
  bool has_blocks; /* there are any; else all is known: nothing */
  bool has_runs;   /* its runs, and which blocks were never freed:
		      LLVM's formats do not tell */
  bool has_accesses;
  bool has_density;
  bool has_lifetime_density;
  bool has_utilization;
};

/* What is known in a profile whose blocks sum up to TOTAL.  */
struct heap_known heap_known_of (const struct heap_totals *totals,
				 const struct memory_info *total);

/* The same of PROFILE; NULL: nothing.  */
struct heap_known heap_known_of_profile (const struct heap_profile *profile);

/* Are sums over the blocks of INFO known, but for their size, if there are such
   sums at all?  They are not if the only blocks are those of killed runs.  */
bool heap_known_has_sums (const struct memory_info *info);

/* Are the least and the greatest of RANGE, of INFO, known?  Formats may have
   the sum alone.  */
bool heap_known_has_bounds (const struct memory_info *info,
			    const struct memory_info_range *range);

/* Are times and CPUs of INFO known?  */
bool heap_known_has_times (const struct memory_info *info);

#endif /* HEAPPROF_HEAP_KNOWN_H */
