/* A trend as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-json.h"
#include "trend.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Version of the form described in heapprof-gcov-trend(1).  */
#define JSON_FORM_VERSION 1

/* Print BEFORE, and VALUE: null if there is none or it is unknown.  */
static void
print_value (const char *before, const struct trend_value *value)
{
  fputs (before, stdout);
  if (value->state == TREND_KNOWN)
    printf ("%" PRIu64, value->number);
  else
    fputs ("null", stdout);
}

/* Print as KEY by how much a number with SPREAD may be off, if it is an
   estimate, and if there is a limit.  */
static void
print_margin (const char *key, const struct heap_spread *spread,
	      bool is_estimated)
{
  const double margin = ceil (heap_spread_margin (spread));
  if (is_estimated && isfinite (margin))
    printf (",\"%s\":%.0f", key, margin);
}

static bool
print_run (const struct trend_run *run)
{
  if (!json_print ("{\"label\":", json_text (run->label))
      || !json_print (",\"path\":", json_text (run->path)))
    return false;
  print_value (",\"total\":", &run->total);
  printf (",\"sites\":%" PRIu64, run->sites);
  print_margin ("margin", &run->total.spread,
		run->is_estimated && run->total.state == TREND_KNOWN);
  putchar ('}');
  return true;
}

/* Print the numbers of the runs in which SITE is unknown.  */
static void
print_unknown (const struct trend *trend, const struct trend_site *site)
{
  const char *before = "";
  fputs (",\"unknown\":[", stdout);
  for (size_t i = 0; i < trend->run_count; i++)
    if (site->values[i].state == TREND_UNKNOWN)
      {
	printf ("%s%zu", before, i);
	before = ",";
      }
  putchar (']');
}

static bool
print_site (const struct trend *trend, const struct trend_site *site)
{
  char growth[DIFF_NUMBER_BYTES] = "null";
  if (!json_print ("{\"function\":", json_text (site->function))
      || !json_print (",\"file\":", *site->file != '\0' ? json_text (site->file)
							: json_null ())
      || !json_print (",\"line\":", site->line > 0 ? json_integer (site->line)
						   : json_null ()))
    return false;
  if (site->is_known)
    diff_number_text (growth, site->growth, false, false);
  printf (",\"growth\":%s", growth);
  print_margin ("growth_margin", &site->growth_spread,
		site->is_known && trend_has_margins (trend));
  print_value (",\"most\":",
	       &(struct trend_value){ .state = site->is_known ? TREND_KNOWN
							      : TREND_UNKNOWN,
				      .number = site->most });
  for (size_t i = 0; i < trend->run_count; i++)
    print_value (i == 0 ? ",\"values\":[" : ",", &site->values[i]);
  putchar (']');
  print_unknown (trend, site);
  putchar ('}');
  return true;
}

bool
trend_print_json (const struct trend *trend, size_t top)
{
  size_t count = top > 0 && top < trend->site_count ? top : trend->site_count;
  printf ("{\"version\":%d,\"value\":\"%s\",\n\"runs\":[\n", JSON_FORM_VERSION,
	  context_measure_name (trend->options.measure));
  for (size_t i = 0; i < trend->run_count; i++)
    {
      fputs (i == 0 ? "" : ",\n", stdout);
      if (!print_run (&trend->runs[i]))
	return false;
    }
  putchar (']');
  if (!json_print (",\n\"looked_through\":",
		   trend->looked_through_json != NULL
		     ? json_incref (trend->looked_through_json)
		     : json_array ()))
    return false;
  printf (",\n\"site_count\":%zu,\n\"sites\":[", trend->site_count);
  for (size_t i = 0; i < count; i++)
    {
      fputs (i == 0 ? "\n" : ",\n", stdout);
      if (!print_site (trend, &trend->sites[i]))
	return false;
    }
  puts ("]}");
  return true;
}
