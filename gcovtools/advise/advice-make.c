/* Making advice: all rules, then what is large enough, sorted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice-make.h"
#include "advice-limits.h"
#include <stdlib.h>
#include <string.h>

/* Return the bytes of the cache lines that a block of SIZE may touch, which
   starts at a multiple of 16.  */
static double
line_bytes (uint64_t size)
{
  return (double) ((size + ADVICE_LINE_BYTES - 1 - ADVICE_MALLOC_ALIGNMENT)
		     / ADVICE_LINE_BYTES
		   + 1)
	 * ADVICE_LINE_BYTES;
}

/* Return when a block of INFO was allocated or released last.  Those that were
   never released count as released at the end of the run.  */
static uint64_t
last_event_ns (const struct memory_info *info)
{
  if (info->live_count == 0 || !heap_known_has_bounds (info, &info->lifetime_ns)
      || info->lifetime_ns.min > info->last_dealloc_ns)
    return info->last_dealloc_ns;
  return info->last_dealloc_ns - info->lifetime_ns.min;
}

/* Find the times of the first and the last event.  */
static void
find_events (struct advice_list *advice)
{
  const struct heap_profile *profile = advice->report->profile;
  uint64_t first_ns = UINT64_MAX;
  uint64_t last_ns = 0;
  if (heap_profile_read_totals (profile)->runs != 1)
    return;
  for (uint32_t i = 0; i < heap_profile_context_count (profile); i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info == NULL || !heap_known_has_times (info))
	continue;
      if (info->first_alloc_ns < first_ns)
	first_ns = info->first_alloc_ns;
      if (last_event_ns (info) > last_ns)
	last_ns = last_event_ns (info);
    }
  if (last_ns <= first_ns)
    return;
  advice->first_ns = first_ns;
  advice->last_ns = last_ns;
}

/* Sum up the memory of the complete profile by class.  */
static void
sum_memory (struct advice_list *advice)
{
  const struct heap_report *report = advice->report;
  const struct heap_totals *totals = heap_profile_totals (report->profile);
  double runs = totals->runs > 0 ? (double) totals->runs : 1;
  uint32_t count = heap_profile_context_count (report->profile);
  advice->runs = runs;
  advice->run_ns = report_run_length_ns (report) * runs;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (report->profile, i);
      if (info == NULL)
	continue;
      enum placement_class class = placement_class_of (&report->placement,
						       info);
      double bytes = advice_memory_bytes (advice, info);
      advice->memory_bytes += bytes;
      advice->class_bytes[class] += bytes;
      advice->class_accesses[class] += (double) info->access_count.total;
      if (info->alloc_count == 0)
	continue;
      uint64_t size = info->size_bytes.total / info->alloc_count;
      if (size < ADVICE_PAGE_BYTES)
	advice->small_bytes[class] += bytes;
      if (class == PLACEMENT_HOT)
	advice->hot_line_bytes
	  += advice_memory_blocks (advice, info) * line_bytes (size);
    }
}

/* Larger shares first, then by kind and place.  */
static int
compare_advice (const void *a, const void *b)
{
  const struct advice *x = a;
  const struct advice *y = b;
  if (x->gain.share_percent != y->gain.share_percent)
    return x->gain.share_percent > y->gain.share_percent ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  int order = strcmp (x->file, y->file);
  if (order == 0)
    order = (x->line > y->line) - (x->line < y->line);
  if (order == 0)
    order = strcmp (x->function, y->function);
  return order != 0 ? order
		    : (x->context > y->context) - (x->context < y->context);
}

/* Return the least amount of UNIT that matters.  */
static double
least_amount (enum advice_unit unit)
{
  switch (unit)
    {
    case ADVICE_ALLOCATIONS:
    case ADVICE_ACCESSES:
      return ADVICE_LEAST_BLOCKS;
    default:
      return ADVICE_LEAST_BYTES;
    }
}

/* Return the amount that ITEM is about.  What is never released is there at the
   end, however short the time was that the mean over the run counts it.  */
static double
amount_of (const struct advice *item)
{
  switch (item->kind)
    {
    case ADVICE_LEAK:
      return (double) item->info.lost_bytes;
    case ADVICE_GROWING:
      return (double) item->info.live_bytes;
    default:
      return item->gain.amount;
    }
}

/* Return true if ITEM is large enough and its kind is wanted.  */
static bool
is_wanted (struct advice_list *advice, const struct advice *item)
{
  const struct advice_gain *gain = &item->gain;
  if (!advice->options.kinds[item->kind] || gain->amount <= 0)
    return false;
  if (advice->options.min_share_percent == 0
      || (gain->share_percent >= advice->options.min_share_percent
	  && amount_of (item) >= least_amount (gain->unit)))
    return true;
  if (gain->share_percent > advice->best_dropped.share_percent)
    advice->best_dropped = *gain;
  return false;
}

/* Drop what is not wanted or too small, and sort the rest.  */
static void
choose (struct advice_list *advice)
{
  size_t kept = 0;
  for (size_t i = 0; i < advice->count; i++)
    if (is_wanted (advice, &advice->list[i]))
      advice->list[kept++] = advice->list[i];
    else
      advice_free_item (&advice->list[i]);
  advice->count = kept;
  if (kept > 1)
    qsort (advice->list, kept, sizeof *advice->list, compare_advice);
}

bool
advice_make (struct advice_list *advice, const struct heap_report *report,
	     const struct advice_options *options)
{
  *advice = (struct advice_list){ .report = report, .options = *options };
  sum_memory (advice);
  find_events (advice);
  if (!advice_sites_make (&advice->sites, report) || !advice_add_sites (advice)
      || !advice_add_types (advice)
      || (options->remarks == NULL && !advice_add_groups (advice))
      || (options->remarks != NULL && !advice_add_remarks (advice)))
    return false;
  choose (advice);
  return advice_add_limits (advice);
}
