/* The sites that have most of something, for short lists.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "main-sites.h"
#include "saturating.h"
#include <stdlib.h>

static const struct heap_frame *
frame_of (const struct main_site *site, const struct heap_report *report)
{
  return heap_profile_frame (report->profile, site->frame);
}

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* 0 if A and B look the same.  A frame without a line is only equal to
   itself.  */
static int
compare_lines (const struct main_site *a, const struct main_site *b,
	       const struct heap_report *report)
{
  const struct heap_frame *x = frame_of (a, report);
  const struct heap_frame *y = frame_of (b, report);
  int order = compare_numbers (x->function_guid, y->function_guid);
  order = order ? order : compare_numbers (x->function_name, y->function_name);
  order = order ? order : compare_numbers (x->module, y->module);
  order = order ? order : compare_numbers (x->file, y->file);
  order = order ? order : compare_numbers (x->line, y->line);
  return order || x->line != 0 ? order : compare_numbers (a->frame, b->frame);
}

static int
compare_sites (const void *element1, const void *element2, void *data)
{
  const struct main_site *a = element1;
  const struct main_site *b = element2;
  int order = compare_lines (a, b, data);
  return order ? order : compare_numbers (a->place, b->place);
}

static int
compare_weights (const void *element1, const void *element2)
{
  const struct main_site *a = element1;
  const struct main_site *b = element2;
  int order = compare_numbers (b->weight, a->weight);
  return order ? order : compare_numbers (a->place, b->place);
}

size_t
main_sites_sort (const struct heap_report *report, struct main_site *sites,
		 size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    sites[i].place = i;
  qsort_r (sites, count, sizeof *sites, compare_sites, (void *) report);
  for (size_t i = 0; i < count; i++)
    {
      struct main_site *last = kept > 0 ? &sites[kept - 1] : NULL;
      if (last == NULL || compare_lines (last, &sites[i], report) != 0)
	{
	  sites[kept++] = sites[i];
	  continue;
	}
      last->contexts += sites[i].contexts;
      last->weight = saturating_add (last->weight, sites[i].weight);
      last->blocks = saturating_add (last->blocks, sites[i].blocks);
    }
  qsort (sites, kept, sizeof *sites, compare_weights);
  return kept;
}
