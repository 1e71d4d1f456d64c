/* LLVM's summary of the contexts in a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "memprof-summary.h"
#include <stdlib.h>

/* LLVM's thresholds: a context is cold if it has fewer accesses per byte and
   second (times 100), and its blocks live longer.  */
#define COLD_DENSITY 0.05f
#define COLD_LIFETIME_MS 200000.0f

/* In single precision, as in LLVM.  */
static bool
is_cold (const struct memory_info *info)
{
  float count = (float) memory_info_get (info, MEMORY_INFO_ALLOC_COUNT);
  float density
    = (float) memory_info_get (info, MEMORY_INFO_TOTAL_LIFETIME_ACCESS_DENSITY);
  float lifetime = (float) memory_info_get (info, MEMORY_INFO_TOTAL_LIFETIME);
  return density / count / 100 < COLD_DENSITY
	 && lifetime / count >= COLD_LIFETIME_MS;
}

static void
add_context (struct memprof_summary *summary, const struct memory_info *info)
{
  uint64_t bytes = memory_info_get (info, MEMORY_INFO_TOTAL_SIZE);
  uint64_t *greatest = &summary->greatest_warm_bytes;
  summary->contexts++;
  if (is_cold (info))
    {
      summary->cold_contexts++;
      greatest = &summary->greatest_cold_bytes;
    }
  if (bytes > *greatest)
    *greatest = bytes;
}

bool
memprof_summary_make (struct memprof_summary *summary,
		      const struct llvm_records *records)
{
  *summary = (struct memprof_summary){ 0 };
  bool *is_seen
    = calloc (llvm_records_stack_count (records) + 1, sizeof *is_seen);
  if (!is_seen)
    return false;
  size_t count = llvm_records_count (records);
  for (size_t i = 0; i < count; i++)
    {
      const struct llvm_record *record = llvm_records_get (records, i);
      for (size_t j = 0; j < record->alloc_site_count; j++)
	{
	  /* It is in the record of each function that was inlined into the
	     allocation.  */
	  const struct llvm_alloc_site *site = &record->alloc_sites[j];
	  if (is_seen[site->stack])
	    continue;
	  is_seen[site->stack] = true;
	  struct memory_info room;
	  add_context (summary, info_place_read_short (site->info, &room));
	}
    }
  free (is_seen);
  return true;
}
