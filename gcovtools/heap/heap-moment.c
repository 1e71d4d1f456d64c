/* The heap at one moment: what was live at the peak, at the end, or at a mark.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-moment.h"
#include "diagnostics.h"
#include "heap-moments.h"
#include "saturating.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Print that PATH has no data for AT, and what the marks are.  */
static bool
fail_unknown (const struct heap_details *details, const char *at,
	      const char *path)
{
  struct profile_error err;
  uint32_t count = heap_details_mark_count (details);
  if (strcmp (at, HEAP_MOMENT_PEAK) == 0)
    profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
		       "what was live at the peak is not in this profile");
  else if (strcmp (at, HEAP_MOMENT_END) == 0)
    profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
		       "what was live at the end is not in this profile");
  else if (strcmp (at, HEAP_MOMENT_LOST) == 0)
    profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
		       "lost blocks were not looked for in this profile");
  else if (count == 0)
    profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
		       "no mark '%s': this profile has none", at);
  else
    profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
		       "no mark '%s' (the first of %" PRIu32 " is '%s')", at,
		       count, heap_details_mark_at (details, 0)->label);
  diagnostics_error (&err);
  return false;
}

/* Make BLOCKS of BYTES all that is known about CONTEXT.  */
static void
keep_only (struct heap_profile *profile, uint32_t context, uint64_t blocks,
	   uint64_t bytes)
{
  const struct memory_info *before = heap_profile_info (profile, context);
  const struct memory_info info
    = { .unfinished_count = blocks,
	.unfinished_bytes = bytes,
	.data_type_id = before != NULL ? before->data_type_id : 0 };
  heap_profile_set_info (profile, context,
			 (blocks | bytes) != 0 ? &info : NULL);
}

/* Leave what was live AT the peak or the end, or lost.  */
static void
select_infos (struct heap_profile *profile, const char *at)
{
  bool at_peak = strcmp (at, HEAP_MOMENT_PEAK) == 0;
  bool is_lost = strcmp (at, HEAP_MOMENT_LOST) == 0;
  uint32_t count = heap_profile_context_count (profile);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info == NULL)
	continue;
      if (at_peak)
	keep_only (profile, i, info->peak_count, info->peak_bytes);
      else if (is_lost)
	keep_only (profile, i,
		   saturating_add (info->lost_count, info->indirect_count),
		   saturating_add (info->lost_bytes, info->indirect_bytes));
      else
	keep_only (profile, i,
		   saturating_add (info->live_count, info->unfinished_count),
		   saturating_add (info->live_bytes, info->unfinished_bytes));
    }
}

/* Blocks of a context at a mark.  */
struct marked_sum
{
  uint64_t blocks;
  uint64_t bytes;
};

static bool
select_mark (struct heap_profile *profile, uint32_t mark)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  uint32_t count = heap_profile_context_count (profile);
  struct marked_sum *sums = calloc ((size_t) count + 1, sizeof *sums);
  if (sums == NULL)
    {
      diagnostics_memory ();
      return false;
    }
  for (uint32_t i = 0; i < heap_details_marked_count (details); i++)
    {
      const struct heap_marked *marked = heap_details_marked_at (details, i);
      if (marked->mark == mark)
	sums[marked->context]
	  = (struct marked_sum){ marked->blocks, marked->bytes };
    }
  for (uint32_t i = 0; i < count; i++)
    if (heap_profile_info (profile, i) != NULL)
      keep_only (profile, i, sums[i].blocks, sums[i].bytes);
  free (sums);
  return true;
}

/* Return true if AT is the peak, the end, or lost blocks; set *RUNS to the
   number of runs in which that is known.  */
static bool
is_general (const char *at, const struct heap_totals *totals, uint64_t *runs)
{
  *runs = strcmp (at, HEAP_MOMENT_PEAK) == 0   ? totals->timed_runs
	  : strcmp (at, HEAP_MOMENT_LOST) == 0 ? totals->searched_runs
					       : totals->runs;
  return strcmp (at, HEAP_MOMENT_PEAK) == 0 || strcmp (at, HEAP_MOMENT_END) == 0
	 || strcmp (at, HEAP_MOMENT_LOST) == 0;
}

bool
heap_moment_select (struct heap_profile *profile, const char *at,
		    const char *path)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  struct heap_totals *totals = heap_profile_totals (profile);
  uint64_t runs;
  if (is_general (at, totals, &runs))
    {
      if (runs == 0)
	return fail_unknown (details, at, path);
      select_infos (profile, at);
    }
  else
    {
      uint32_t mark = heap_details_find_mark (details, at);
      if (mark == UINT32_MAX)
	return fail_unknown (details, at, path);
      if (!select_mark (profile, mark))
	return false;
    }
  /* Of no other moment.  */
  totals->timed_runs = totals->peak_sum = totals->searched_runs = 0;
  totals->counted_runs = totals->counted_bytes = 0;
  return true;
}
