/* Which fields of a heap profile are known, as opposed to 0 because they were
   not measured.
   SPDX-License-Identifier: GPL-3.0-or-later

   Some formats cannot store all fields, and some programs run without access
   counters.  A memory-info block has 0 then, which must not be printed as a
   value.  */

#ifndef HEAPPROF_HEAP_KNOWN_H
#define HEAPPROF_HEAP_KNOWN_H

#include "heap-profile.h"
#include <stdbool.h>

/* What is known about the blocks of a profile.  */
struct heap_known
{
  bool has_blocks; /* there are blocks; if not, all sums are known to be 0 */
  bool has_runs; /* runs, and blocks never freed, are known; LLVM's formats have
		    neither */
  bool has_leaks;	   /* which live blocks were lost */
  bool has_moments;	   /* what was live at the peak, and temporary blocks */
  bool has_lifetime_bytes; /* lifetimes in bytes allocated meanwhile */
  bool has_samples;	 /* some blocks are samples, so numbers are estimates */
  uint64_t sample_bytes; /* on average for each sample; 0: all blocks */
  bool has_accesses;
  bool has_density;
  bool has_lifetime_density;
  bool has_utilization;
};

/* Return what is known in a profile whose blocks sum up to TOTAL.  */
struct heap_known heap_known_of (const struct heap_totals *totals,
				 const struct memory_info *total);

/* Like heap_known_of, for PROFILE; NULL: an empty profile.  */
struct heap_known heap_known_of_profile (const struct heap_profile *profile);

/* Return true if sums over the blocks of INFO other than sizes are known,
   provided the profile has them at all.  They are unknown if INFO has only
   blocks of killed runs.  */
bool heap_known_has_sums (const struct memory_info *info);

/* Return true if accesses to blocks of INFO are known, of the profile that
   KNOWN is about.  */
bool heap_known_counts (const struct heap_known *known,
			const struct memory_info *info);

/* Return true if the minimum and maximum of RANGE, part of INFO, are known.
   Some formats have only the sum.  */
bool heap_known_has_bounds (const struct memory_info *info,
			    const struct memory_info_range *range);

/* Return true if times and CPUs of INFO are known.  */
bool heap_known_has_times (const struct memory_info *info);

#endif /* HEAPPROF_HEAP_KNOWN_H */
