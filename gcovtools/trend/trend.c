/* How allocation sites develop over many profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "trend.h"
#include "frame-text.h"
#include "heap-json.h"
#include "plain-frame.h"
#include <stdlib.h>
#include <string.h>

bool
trend_make (struct trend *trend, size_t count,
	    const struct trend_options *options)
{
  *trend = (struct trend){ .options = *options,
			   .runs = calloc (count + 1, sizeof *trend->runs),
			   .run_count = count,
			   .common = heap_profile_new () };
  return trend->runs != NULL && trend->common != NULL;
}

void
trend_release (struct trend *trend)
{
  for (size_t i = 0; i < trend->run_count && trend->runs != NULL; i++)
    free (trend->runs[i].label);
  for (size_t i = 0; i < trend->site_count; i++)
    {
      free (trend->sites[i].values);
      free (trend->sites[i].text);
      free (trend->sites[i].function);
      free (trend->sites[i].file);
    }
  free (trend->runs);
  free (trend->sites);
  free (trend->looked_through);
  json_decref (trend->looked_through_json);
  wrapper_names_release (&trend->found);
  heap_profile_free (trend->common);
}

/* Make room for site NUMBER.  */
static bool
make_room (struct trend *trend, size_t number)
{
  if (number < trend->site_count)
    return true;
  if (number >= trend->capacity)
    {
      size_t capacity = 2 * number + 32;
      struct trend_site *sites
	= realloc (trend->sites, capacity * sizeof *sites);
      if (sites == NULL)
	return false;
      trend->sites = sites;
      trend->capacity = capacity;
    }
  memset (trend->sites + trend->site_count, 0,
	  (number + 1 - trend->site_count) * sizeof *trend->sites);
  trend->site_count = number + 1;
  return true;
}

/* Describe frame ID of REPORT in SITE, which is new.  */
static bool
begin_site (const struct trend *trend, struct trend_site *site,
	    const struct heap_report *report, uint32_t id)
{
  const struct heap_frame *frame = heap_profile_frame (report->profile, id);
  site->values = calloc (trend->run_count, sizeof *site->values);
  site->text = site_text (report, id);
  site->function = frame_name_text (report, frame, false);
  site->file = strdup (heap_profile_string (report->profile, frame->file));
  site->line = frame->line;
  return site->values != NULL && site->text != NULL && site->function != NULL
	 && site->file != NULL;
}

/* Return the site of frame ID of REPORT; NULL if memory is exhausted.  */
static struct trend_site *
find_site (struct trend *trend, const struct heap_report *report, uint32_t id)
{
  uint32_t number = plain_frame_enter (trend->common, report->profile, id);
  if (number == UINT32_MAX || !make_room (trend, number))
    return NULL;
  struct trend_site *site = &trend->sites[number];
  if (site->values == NULL && !begin_site (trend, site, report, id))
    return NULL;
  return site;
}

/* Add NUMBER with SPREAD, unless it is unknown, to VALUE.  */
static void
add_value (struct trend_value *value, bool is_known, uint64_t number,
	   const struct heap_spread *spread)
{
  if (!is_known || value->state == TREND_UNKNOWN)
    {
      *value = (struct trend_value){ .state = TREND_UNKNOWN };
      return;
    }
  value->state = TREND_KNOWN;
  if (__builtin_add_overflow (value->number, number, &value->number))
    value->number = UINT64_MAX;
  heap_spread_add (&value->spread, spread);
}

/* Add INFO of a context with its site at NODE to the site and the total of RUN,
   which is number NUMBER. Return false if memory is exhausted.  */
static bool
add_context (struct trend *trend, size_t number,
	     const struct heap_report *report, uint32_t node,
	     const struct memory_info *info)
{
  enum context_measure measure = trend->options.measure;
  struct trend_run *run = &trend->runs[number];
  uint32_t id = heap_profile_context_frame (report->profile, node);
  struct trend_site *site = find_site (trend, report, id);
  if (site == NULL)
    return false;
  run->has_samples = run->has_samples || heap_spread_has_samples (info);
  bool is_known = context_measure_has (&report->known, info, measure);
  uint64_t value = context_measure (info, measure);
  const struct heap_spread spread
    = context_measure_spread (&report->known, info, measure);
  if (site->values[number].state == TREND_ABSENT)
    {
      site->runs++;
      run->sites++;
    }
  add_value (&site->values[number], is_known, value, &spread);
  add_value (&run->total, is_known, value, &spread);
  return true;
}

/* Find the wrappers of REPORT's profile.  */
static bool
find_wrappers (struct trend *trend, struct heap_report *report)
{
  struct wrapper_options options = trend->options.wrappers;
  options.known = &trend->found;
  options.only_known = trend->looked_through != NULL;
  return allocation_wrappers_make (&report->wrappers, report->profile, &options)
	 && wrapper_names_add (&trend->found, &report->wrappers)
	 && wrapper_uses_start (&report->looked_through, &report->wrappers);
}

/* Keep what was looked through in REPORT, unless it is known from another
   profile.  */
static bool
keep_looked_through (struct trend *trend, struct heap_report *report)
{
  wrapper_uses_end (&report->looked_through, &report->wrappers);
  if (trend->looked_through != NULL)
    return true;
  trend->looked_through = looked_through_text (report, &report->looked_through);
  trend->looked_through_json
    = heap_json_looked_through (report, &report->looked_through);
  return trend->looked_through != NULL && trend->looked_through_json != NULL;
}

/* Add to VALUE, the sum of MEASURE over a profile that has no sample, what
   there may be all the same.  */
static void
add_nothing (struct trend_value *value, const struct heap_known *known,
	     enum context_measure measure)
{
  const struct heap_spread spread
    = context_measure_spread_of_nothing (known, measure);
  heap_spread_add (&value->spread, &spread);
}

bool
trend_add (struct trend *trend, size_t number, struct heap_profile *profile)
{
  struct heap_report report = { .profile = profile,
				.options.demangle = trend->options.demangle,
				.known = heap_known_of_profile (profile) };
  struct context_chooser chooser;
  uint32_t count = heap_profile_context_count (profile);
  bool is_done
    = context_chooser_make (&chooser, profile, &trend->options.filter)
      && find_wrappers (trend, &report);
  add_value (&trend->runs[number].total,
	     context_measure_is_known (&report.known, trend->options.measure),
	     0, &(struct heap_spread){ 0, 0 });
  trend->runs[number].is_estimated
    = context_measure_is_estimated (&report.known, trend->options.measure);
  for (uint32_t i = 0; i < count && is_done; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info == NULL || !context_chooser_takes (&chooser, i, info))
	continue;
      uint32_t node = allocation_wrappers_site (&report.wrappers, i);
      wrapper_uses_add (&report.looked_through, &report.wrappers, i, node,
			info);
      is_done = add_context (trend, number, &report, node, info);
    }
  if (!trend->runs[number].has_samples)
    add_nothing (&trend->runs[number].total, &report.known,
		 trend->options.measure);
  is_done = is_done && keep_looked_through (trend, &report);
  context_chooser_release (&chooser);
  wrapper_uses_release (&report.looked_through);
  allocation_wrappers_release (&report.wrappers);
  return is_done;
}

/* Find the growth of SITE: a profile without it has nothing of it.  */
static void
find_growth (const struct trend *trend, struct trend_site *site)
{
  diff_number first = 0;
  diff_number last = 0;
  struct heap_spread spreads[2] = { { 0, 0 }, { 0, 0 } };
  for (size_t i = 0; i < trend->run_count; i++)
    {
      const struct trend_value *value = &site->values[i];
      if (trend->runs[i].total.state == TREND_UNKNOWN
	  || value->state == TREND_UNKNOWN)
	continue;
      if (!site->is_known)
	{
	  first = value->number;
	  spreads[0] = value->spread;
	}
      else
	spreads[1] = value->spread;
      site->is_known = true;
      last = value->number;
      if (value->number > site->most)
	site->most = value->number;
    }
  site->growth = last - first;
  site->growth_spread = spreads[0];
  heap_spread_add (&site->growth_spread, &spreads[1]);
}

/* More growth first, then the greatest number, then by name.  */
static int
compare_sites (const void *a, const void *b)
{
  const struct trend_site *x = a;
  const struct trend_site *y = b;
  if (x->growth != y->growth)
    return x->growth > y->growth ? -1 : 1;
  if (x->most != y->most)
    return x->most > y->most ? -1 : 1;
  int order = strcmp (x->text, y->text);
  if (order == 0)
    order = strcmp (x->file, y->file);
  return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

void
trend_finish (struct trend *trend)
{
  size_t count = 0;
  for (size_t i = 0; i < trend->site_count; i++)
    if (trend->sites[i].values != NULL)
      trend->sites[count++] = trend->sites[i];
  trend->site_count = count;
  for (size_t i = 0; i < count; i++)
    find_growth (trend, &trend->sites[i]);
  if (count > 0)
    qsort (trend->sites, count, sizeof *trend->sites, compare_sites);
}

bool
trend_has_margins (const struct trend *trend)
{
  for (size_t i = 0; i < trend->run_count; i++)
    if (trend->runs[i].is_estimated)
      return true;
  return false;
}
