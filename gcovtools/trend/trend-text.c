/* A trend as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "table.h"
#include "text-output.h"
#include "trend.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* With more runs, only the first and the last ones are listed.  */
#define MOST_LISTED 20

/* Cells of a site's picture; with more runs, each is several of them.  */
#define MOST_CELLS 40

/* ---- Runs.  */

static bool
add_number (struct table *table, diff_number number, bool is_signed)
{
  char text[DIFF_NUMBER_BYTES];
  return table_add (table, diff_number_text (text, number, is_signed, true));
}

/* Add VALUE: a dash if there is none, a question mark if it is unknown.  */
static bool
add_value (struct table *table, const struct trend_value *value)
{
  static const char *const words[]
    = { [TREND_ABSENT] = "-", [TREND_UNKNOWN] = "?" };
  return value->state == TREND_KNOWN ? add_number (table, value->number, false)
				     : table_add (table, words[value->state]);
}

/* Add the change from BEFORE, NULL if there is nothing before, to VALUE.  */
static bool
add_change (struct table *table, const struct trend_value *before,
	    const struct trend_value *value)
{
  if (before == NULL || before->state != TREND_KNOWN
      || value->state != TREND_KNOWN)
    return table_add (table, "");
  return add_number (table, (diff_number) value->number - before->number, true);
}

/* Add by how much a number with SPREAD may be off, if TREND has estimates.  */
static bool
add_margin (struct table *table, const struct trend *trend,
	    const struct heap_spread *spread, bool is_known)
{
  if (!trend_has_margins (trend))
    return true;
  const double margin = ceil (heap_spread_margin (spread));
  return is_known && isfinite (margin)
	   ? add_number (table, (diff_number) margin, false)
	   : table_add (table, "?");
}

static bool
add_run (struct table *table, const struct trend *trend, size_t number)
{
  const struct trend_run *run = &trend->runs[number];
  char text[NUMBER_TEXT_BYTES];
  return table_add (table, number_text (text, number + 1))
	 && add_number (table, run->sites, false)
	 && add_value (table, &run->total)
	 && add_margin (table, trend, &run->total.spread,
			run->total.state == TREND_KNOWN)
	 && add_change (table, number > 0 ? &run[-1].total : NULL, &run->total)
	 && table_add (table, run->label);
}

static bool
print_runs (const struct trend *trend)
{
  const char *const name = context_measure_name (trend->options.measure);
  const struct table_column columns[] = { { "run", false },
					  { "sites", false },
					  { name, false },
					  { "change", false },
					  { "label", true } };
  const struct table_column estimated[]
    = { { "run", false }, { "sites", false },  { name, false },
	{ "±", false },	  { "change", false }, { "label", true } };
  struct table *table
    = trend_has_margins (trend)
	? table_new (estimated, sizeof estimated / sizeof *estimated)
	: table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL;
  size_t hidden
    = trend->run_count > MOST_LISTED ? trend->run_count - MOST_LISTED : 0;
  for (size_t i = 0; i < trend->run_count && is_done; i++)
    if (hidden == 0 || i < MOST_LISTED / 2
	|| i >= trend->run_count - MOST_LISTED / 2)
      is_done = add_run (table, trend, i);
  if (is_done)
    table_print (table);
  table_free (table);
  if (hidden > 0)
    printf ("  (%zu runs between are not listed; --json and --csv have all)\n",
	    hidden);
  return is_done;
}

/* ---- Sites.  */

/* Return the character for VALUE of a site whose greatest number is MOST.  */
static char
cell_of (const struct trend_value *value, uint64_t most)
{
  switch (value->state)
    {
    case TREND_ABSENT:
      return '.';
    case TREND_UNKNOWN:
      return '?';
    case TREND_KNOWN:
    default:
      if (value->number == 0)
	return '0';
      return (char) ('0'
		     + (int) (((unsigned __int128) value->number * 9 + most - 1)
			      / most));
    }
}

/* Return the value for the runs from FIRST up to END of SITE: the greatest
   number.  */
static struct trend_value
greatest (const struct trend_site *site, size_t first, size_t end)
{
  struct trend_value found = site->values[first];
  for (size_t i = first + 1; i < end; i++)
    {
      const struct trend_value *value = &site->values[i];
      if (value->state == TREND_KNOWN
	    ? found.state != TREND_KNOWN || value->number > found.number
	    : found.state == TREND_ABSENT)
	found = *value;
    }
  return found;
}

static bool
add_site (struct table *table, const struct trend *trend,
	  const struct trend_site *site)
{
  char cells[MOST_CELLS + 1];
  size_t runs = trend->run_count;
  size_t count = runs < MOST_CELLS ? runs : MOST_CELLS;
  for (size_t i = 0; i < count; i++)
    {
      struct trend_value value
	= greatest (site, i * runs / count, (i + 1) * runs / count);
      cells[i] = cell_of (&value, site->most);
    }
  cells[count] = '\0';
  return (site->is_known ? add_number (table, site->growth, true)
			 : table_add (table, "?"))
	 && add_margin (table, trend, &site->growth_spread, site->is_known)
	 && add_value (table, &site->values[0])
	 && add_value (table, &site->values[runs - 1])
	 && (site->is_known ? add_number (table, site->most, false)
			    : table_add (table, "?"))
	 && add_number (table, site->runs, false) && table_add (table, cells)
	 && table_add (table, site->text);
}

static bool
print_sites (const struct trend *trend, size_t count)
{
  static const struct table_column columns[]
    = { { "growth", false }, { "first", false }, { "last", false },
	{ "most", false },   { "runs", false },	 { "trend", true },
	{ "site", true } };
  static const struct table_column estimated[]
    = { { "growth", false }, { "±", false },	{ "first", false },
	{ "last", false },   { "most", false }, { "runs", false },
	{ "trend", true },   { "site", true } };
  struct table *table
    = trend_has_margins (trend)
	? table_new (estimated, sizeof estimated / sizeof *estimated)
	: table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL;
  for (size_t i = 0; i < count && is_done; i++)
    is_done = add_site (table, trend, &trend->sites[i]);
  if (is_done)
    table_print (table);
  table_free (table);
  return is_done;
}

bool
trend_print_text (const struct trend *trend, size_t top)
{
  size_t count = top > 0 && top < trend->site_count ? top : trend->site_count;
  printf ("Trend of %s over %zu profiles, by site%s\n\n",
	  context_measure_name (trend->options.measure), trend->run_count,
	  profile_filter_is_set (&trend->options.filter)
	    ? " (selected contexts only)"
	    : "");
  if (!print_runs (trend))
    return false;
  if (count > 0)
    {
      puts ("\nIn a trend, each character is a profile, or several: 9 is the "
	    "site's most,\n0 is none; a dot: the profile does not have the "
	    "site; ?: unknown.");
      if (trend->looked_through != NULL && *trend->looked_through != '\0')
	{
	  print_text (trend->looked_through);
	  putchar ('\n');
	}
      putchar ('\n');
      if (!print_sites (trend, count))
	return false;
    }
  if (count < trend->site_count)
    printf ("  %zu more sites (--top=0 shows all)\n",
	    trend->site_count - count);
  return true;
}
