/* The model behind `show': selected contexts, sorted and grouped by site.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-report.h"
#include "heap-spread.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

double
report_density (const struct memory_info *info)
{
  if (info->size_bytes.total <= info->uncounted_bytes)
    return 0;
  return (double) info->access_count.total
	 / (double) (info->size_bytes.total - info->uncounted_bytes);
}

double
report_mean_lifetime_ns (const struct memory_info *info)
{
  if (info->alloc_count == 0)
    return 0;
  return (double) info->lifetime_ns.total / (double) info->alloc_count;
}

uint64_t
report_lost_count (const struct memory_info *info)
{
  return saturating_add (info->lost_count, info->indirect_count);
}

uint64_t
report_lost_bytes (const struct memory_info *info)
{
  return saturating_add (info->lost_bytes, info->indirect_bytes);
}

double
report_sort_key (const struct memory_info *info, enum report_sort sort)
{
  switch (sort)
    {
    case SORT_ACCESSES:
      return (double) info->access_count.total;
    case SORT_COUNT:
      return (double) info->alloc_count + (double) info->unfinished_count;
    case SORT_LIFETIME:
      return report_mean_lifetime_ns (info);
    case SORT_DENSITY:
      return report_density (info);
    case SORT_LIVE:
      return (double) info->live_bytes + (double) info->unfinished_bytes;
    case SORT_PEAK:
      return (double) info->peak_bytes;
    case SORT_TEMPORARY:
      return (double) info->temporary_count;
    case SORT_LOST:
      return (double) report_lost_bytes (info);
    case SORT_BYTES:
    default:
      return (double) info->size_bytes.total + (double) info->unfinished_bytes;
    }
}

const char *
report_sort_name (enum report_sort sort)
{
  static const char *const names[] = { [SORT_BYTES] = "bytes",
				       [SORT_ACCESSES] = "accesses",
				       [SORT_COUNT] = "blocks",
				       [SORT_LIFETIME] = "mean lifetime",
				       [SORT_DENSITY] = "accesses per byte",
				       [SORT_LIVE] = "bytes live at the end",
				       [SORT_PEAK] = "bytes live at the peak",
				       [SORT_TEMPORARY] = "temporary blocks",
				       [SORT_LOST] = "bytes lost" };
  return names[sort];
}

bool
report_length_is_open (const struct heap_report *report)
{
  const struct heap_totals *totals = heap_profile_totals (report->profile);
  return totals->duration_ns == 0 || totals->incomplete_runs > 0
	 || totals->running_runs > 0 || totals->unknown_runs > 0;
}

double
report_run_length_ns (const struct heap_report *report)
{
  const struct heap_totals *totals = heap_profile_totals (report->profile);
  return placement_run_ns (totals->runs, totals->duration_ns,
			   report->total.lifetime_ns.max);
}

const char *
report_mark_name (unsigned int mark)
{
  switch (mark)
    {
    case REPORT_HOT:
      return placement_class_name (PLACEMENT_HOT);
    case REPORT_COLD:
      return placement_class_name (PLACEMENT_COLD);
    case REPORT_TEMPORARY:
      return placement_class_name (PLACEMENT_TEMPORARY);
    case REPORT_LEAK:
      return "leak";
    case REPORT_KILLED:
      return "live when killed";
    case REPORT_AT_EXIT:
      return "live at exit";
    case REPORT_UNCERTAIN:
      return "uncertain";
    default:
      return "live";
    }
}

const char *
report_mark_meaning (unsigned int mark)
{
  switch (mark)
    {
    case REPORT_HOT:
      return "most accessed for the memory they occupy, together 90% of "
	     "accesses";
    case REPORT_COLD:
      return "least accessed for the memory they occupy, together 3% of "
	     "accesses; live for at least 10% of a run";
    case REPORT_TEMPORARY:
      return "freed within 1% of a run and before 64 KiB more are allocated";
    case REPORT_LEAK:
      return "the program had no pointer left to these blocks";
    case REPORT_KILLED:
      return "at least 10% of the blocks were live when the process was killed";
    case REPORT_AT_EXIT:
      return "at least 10% of the blocks were never freed; pointers to them "
	     "were not looked for";
    case REPORT_UNCERTAIN:
      return "too few samples have most of the accesses to tell how hot these "
	     "blocks are";
    default:
      return "at least 10% of the blocks were live while the process ran";
    }
}

bool
heap_report_is_filtered (const struct heap_report *report)
{
  return profile_filter_is_set (&report->options.filter);
}

/* Return true if COUNT of ALL blocks are a share worth a mark.  */
static bool
is_share (uint64_t count, double all)
{
  return count > 0 && (double) count * 100 >= REPORT_LIVE_SHARE * all;
}

/* Return true unless accesses are estimates and do not tell whether the class
   of INFO in REPORT's profile is ITS_CLASS.  */
static bool
class_is_certain (const struct heap_report *report,
		  const struct memory_info *info,
		  enum placement_class its_class)
{
  const uint64_t rate = report->known.sample_bytes;
  if (!report->known.has_samples
      || (its_class != PLACEMENT_HOT && its_class != PLACEMENT_COLD))
    return true;
  /* A sample with accesses proves that there are some; that there are no more
     needs many samples.  */
  return (its_class == PLACEMENT_HOT || heap_spread_tells_density (info, rate))
	 && placement_class_is_certain (&report->placement, info,
					heap_spread_density_share (info, rate));
}

/* Return the marks of INFO in REPORT's profile.  */
static unsigned int
marks_of (const struct heap_report *report, const struct memory_info *info)
{
  const struct heap_totals *totals = heap_profile_totals (report->profile);
  static const unsigned int class_marks[PLACEMENT_CLASSES]
    = { [PLACEMENT_HOT] = REPORT_HOT,
	[PLACEMENT_COLD] = REPORT_COLD,
	[PLACEMENT_TEMPORARY] = REPORT_TEMPORARY };
  /* At one moment, everything is live.  */
  if (report->options.at != NULL)
    return 0;
  const enum placement_class its_class
    = placement_class_of (&report->placement, info);
  unsigned int marks = class_is_certain (report, info, its_class)
			 ? class_marks[its_class]
			 : REPORT_UNCERTAIN;
  if (report_lost_count (info) > 0)
    marks |= REPORT_LEAK;
  else if (totals->searched_runs == 0
	   && is_share (info->live_count, (double) info->alloc_count))
    marks |= REPORT_AT_EXIT;
  if (is_share (info->unfinished_count,
		(double) info->alloc_count + (double) info->unfinished_count))
    marks |= totals->incomplete_runs > 0 ? REPORT_KILLED : REPORT_LIVE;
  if (heap_known_counts (&report->known, info)
      && !heap_spread_tells_density (info, report->known.sample_bytes))
    marks |= REPORT_UNCERTAIN;
  return marks;
}

uint32_t
heap_report_depth (const struct heap_profile *profile, uint32_t context,
		   uint32_t node)
{
  uint32_t depth = 0;
  while (context != node)
    {
      depth++;
      context = heap_profile_context_caller (profile, context);
    }
  return depth;
}

/* Return the bytes of INFO that MARK refers to.  */
static uint64_t
bytes_marked (const struct memory_info *info, unsigned int mark)
{
  switch (mark)
    {
    case REPORT_LEAK:
      return report_lost_bytes (info);
    case REPORT_AT_EXIT:
      return info->live_bytes;
    case REPORT_KILLED:
    case REPORT_LIVE:
      return info->unfinished_bytes;
    default:
      return info->size_bytes.total;
    }
}

static void
count_marks (struct heap_report *report, const struct report_entry *entry)
{
  for (unsigned int mark = REPORT_HOT; mark < REPORT_MARKS_END; mark <<= 1)
    if ((entry->marks & mark) != 0)
      {
	report->marked_contexts[mark]++;
	report->marked_bytes[mark] += bytes_marked (&entry->info, mark);
      }
}

static const struct memory_info *
context_info (const void *data, size_t index)
{
  return heap_profile_info (data, (uint32_t) index);
}

/* Sum up the complete profile.  */
static void
sum_profile (struct heap_report *report)
{
  uint32_t count = heap_profile_context_count (report->profile);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (report->profile, i);
      if (info == NULL)
	continue;
      memory_info_add (&report->total, info);
      report->total_contexts++;
    }
  /* The sum of blocks of many types has no type.  */
  report->total.data_type_id = 0;
  report->known
    = heap_known_of (heap_profile_totals (report->profile), &report->total);
}

/* Fill the contexts of REPORT with those that CHOOSER includes.  */
static void
choose_contexts (struct heap_report *report, struct context_chooser *chooser)
{
  uint32_t count = heap_profile_context_count (report->profile);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (report->profile, i);
      if (info == NULL || !context_chooser_takes (chooser, i, info))
	continue;
      struct report_entry *entry = &report->contexts[report->context_count++];
      entry->info = *info;
      entry->context = i;
      entry->marks = marks_of (report, info);
      entry->sort_key = report_sort_key (info, report->options.sort);
      entry->site_node = allocation_wrappers_site (&report->wrappers, i);
      entry->site
	= heap_profile_context_frame (report->profile, entry->site_node);
      wrapper_uses_add (&report->looked_through, &report->wrappers, i,
			entry->site_node, info);
      count_marks (report, entry);
      memory_info_add (&report->chosen, info);
    }
  report->chosen.data_type_id = 0;
  report->chosen_contexts = report->context_count;
  wrapper_uses_end (&report->looked_through, &report->wrappers);
}

/* Larger keys first; equal keys in the order of the profile.  */
static int
compare_keys (const struct report_entry *x, const struct report_entry *y)
{
  if (x->sort_key != y->sort_key)
    return x->sort_key > y->sort_key ? -1 : 1;
  return x->context < y->context ? -1 : x->context > y->context;
}

static int
compare_entries (const void *a, const void *b)
{
  return compare_keys (a, b);
}

static int
compare_by_site (const void *a, const void *b)
{
  const struct report_entry *x = a;
  const struct report_entry *y = b;
  if (x->site != y->site)
    return x->site < y->site ? -1 : 1;
  return compare_keys (x, y);
}

static int
compare_sites (const void *a, const void *b)
{
  const struct report_site *x = a;
  const struct report_site *y = b;
  return compare_keys (&x->sum, &y->sum);
}

/* Group the contexts, which are sorted by site, into sites.  */
static void
make_sites (struct heap_report *report)
{
  for (size_t i = 0; i < report->context_count; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      struct report_site *site = &report->sites[report->site_count];
      if (i == 0 || entry->site != entry[-1].site)
	{
	  site->first = i;
	  site->sum.site = entry->site;
	  site->sum.site_node = entry->site_node;
	  site->sum.context = entry->context;
	  report->site_count++;
	}
      else
	site--;
      site->count++;
      site->sum.marks |= entry->marks;
      memory_info_add (&site->sum.info, &entry->info);
    }
  for (size_t i = 0; i < report->site_count; i++)
    {
      struct report_entry *sum = &report->sites[i].sum;
      sum->sort_key = report_sort_key (&sum->info, report->options.sort);
    }
}

bool
heap_report_make (struct heap_report *report, struct heap_profile *profile,
		  const struct report_options *options)
{
  memset (report, 0, sizeof *report);
  report->profile = profile;
  report->options = *options;
  sum_profile (report);
  const struct heap_totals *totals = heap_profile_totals (profile);
  size_t room = report->total_contexts + 1;
  struct context_chooser chooser;
  report->contexts = calloc (room, sizeof *report->contexts);
  report->sites = calloc (room, sizeof *report->sites);
  bool is_done
    = context_chooser_make (&chooser, profile, &report->options.filter)
      && report->contexts != NULL && report->sites != NULL
      && allocation_wrappers_make (&report->wrappers, profile,
				   &report->options.wrappers)
      && wrapper_uses_start (&report->looked_through, &report->wrappers)
      && placement_rules_make (&report->placement, totals, context_info,
			       profile, heap_profile_context_count (profile));
  if (is_done)
    {
      choose_contexts (report, &chooser);
      qsort (report->contexts, report->context_count, sizeof *report->contexts,
	     compare_by_site);
      make_sites (report);
      qsort (report->sites, report->site_count, sizeof *report->sites,
	     compare_sites);
    }
  else
    heap_report_release (report);
  context_chooser_release (&chooser);
  return is_done;
}

void
heap_report_flatten (struct heap_report *report)
{
  qsort (report->contexts, report->context_count, sizeof *report->contexts,
	 compare_entries);
  report->site_count = 0;
  if (report->options.top > 0 && report->context_count > report->options.top)
    report->context_count = report->options.top;
}

void
heap_report_release (struct heap_report *report)
{
  free (report->contexts);
  free (report->sites);
  wrapper_uses_release (&report->looked_through);
  allocation_wrappers_release (&report->wrappers);
  report->contexts = NULL;
  report->sites = NULL;
  report->context_count = 0;
  report->site_count = 0;
}
