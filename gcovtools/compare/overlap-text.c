/* Overlap of two profiles as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "overlap.h"
#include "function-name.h"
#include "table.h"
#include "terminal.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct table_column columns[] = { { "overlap", false },
					       { "mismatch", false },
					       { "only in base", false },
					       { "only in test", false },
					       { "sum of base", false },
					       { "sum of test", false },
					       { "of", true } };

/* Print the table of the COUNT MEASURES with NAMES, without those that are all
   zero except the first.  */
static bool
print_measures (const struct overlap_measure *measures,
		const char *const *names, size_t count)
{
  struct table *table = table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL;
  for (size_t i = 0; i < count && is_done; i++)
    {
      const struct overlap_measure *measure = &measures[i];
      if (i > 0 && measure->sums[0] < 1 && measure->sums[1] < 1)
	continue;
      const double shares[]
	= { measure->overlap, measure->mismatch, measure->only[OVERLAP_BASE],
	    measure->only[OVERLAP_TEST] };
      char text[NUMBER_TEXT_BYTES];
      bool is_known = overlap_measure_is_known (measure);
      for (size_t k = 0; k < sizeof shares / sizeof *shares && is_done; k++)
	{
	  snprintf (text, sizeof text, "%.3f%%", 100 * shares[k]);
	  is_done = table_add (table, is_known ? text : "-");
	}
      for (int side = 0; side < 2 && is_done; side++)
	{
	  snprintf (text, sizeof text, "%.0f", measure->sums[side]);
	  is_done = table_add (table, measure->is_unknown[side] ? "-" : text);
	}
      is_done = is_done && table_add (table, names[i]);
    }
  if (is_done)
    table_print (table);
  table_free (table);
  return is_done;
}

static void
print_places (const char *what, const struct overlap_places *places)
{
  printf ("  %s: %" PRIu64 " in both, %" PRIu64 " only in base, %" PRIu64
	  " only in test",
	  what, places->common, places->only[OVERLAP_BASE],
	  places->only[OVERLAP_TEST]);
  if (places->mismatched > 0)
    printf (", %" PRIu64 " cannot be compared", places->mismatched);
  puts ("\n");
}

static void
print_title (const char *title)
{
  printf ("\n%s%s%s\n", terminal_colour (TERMINAL_BOLD), title,
	  terminal_colour (TERMINAL_PLAIN));
}

static const char *const counter_names[1 + COUNTER_VALUE_KINDS]
  = { "counters", "call targets", "memop sizes", "vtables" };

/* Print COUNTS and VALUES in one table.  */
static bool
print_counts (const struct overlap_measure *counts,
	      const struct overlap_measure *values)
{
  struct overlap_measure all[1 + COUNTER_VALUE_KINDS] = { *counts };
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    all[1 + kind] = values[kind];
  return print_measures (all, counter_names, sizeof all / sizeof *all);
}

static bool
print_function (const struct counter_profile *profile,
		const struct overlap_function *listed, bool demangle)
{
  const char *name = counter_profile_name (profile, listed->function->name);
  char *demangled = NULL;
  if (demangle)
    {
      demangled = function_name_demangle (name, true);
      if (demangled == NULL)
	return false;
    }
  fputs ("\n  ", stdout);
  print_text (demangled != NULL ? demangled : name);
  printf (" (hash 0x%016" PRIx64 ", %" PRIu32 " counters)\n",
	  listed->function->hash, listed->function->shape.counter_count);
  free (demangled);
  return print_counts (&listed->counts, listed->values);
}

static bool
print_counters (const struct overlap_counters *overlap, bool demangle)
{
  print_title ("Function counters");
  print_places ("functions", &overlap->functions);
  if (!print_counts (&overlap->counts, overlap->values))
    return false;
  for (size_t i = 0; i < overlap->listed_count; i++)
    if (!print_function (overlap->profiles[OVERLAP_TEST], &overlap->listed[i],
			 demangle))
      return false;
  return true;
}

/* Print the table of the sample MEASURES.  */
static bool
print_sampled (const struct overlap_measure *measures)
{
  const char *names[SAMPLE_MEASURES];
  for (int i = 0; i < SAMPLE_MEASURES; i++)
    names[i] = sample_measure_title (i);
  return print_measures (measures, names, SAMPLE_MEASURES);
}

static bool
print_samples (const struct overlap_samples *overlap)
{
  print_title ("Function samples");
  print_places ("functions", &overlap->functions);
  if (!print_sampled (overlap->measures))
    return false;
  for (size_t i = 0; i < overlap->listed_count; i++)
    {
      fputs ("\n  ", stdout);
      print_text (overlap->listed[i].title);
      putchar ('\n');
      if (!print_sampled (overlap->listed[i].measures))
	return false;
    }
  return true;
}

bool
overlap_print_text (const struct overlap_report *report)
{
  static const char *const heap_names[OVERLAP_HEAP_MEASURES]
    = { "allocations", "bytes", "accesses" };
  fputs ("Overlap of ", stdout);
  print_text (report->paths[OVERLAP_TEST]);
  fputs (" (test) with ", stdout);
  print_text (report->paths[OVERLAP_BASE]);
  puts (" (base)");
  if (report->heap != NULL)
    {
      print_title ("Heap");
      print_places ("calling contexts", &report->heap->contexts);
      if (!print_measures (report->heap->measures, heap_names,
			   OVERLAP_HEAP_MEASURES))
	return false;
    }
  return ((report->counters == NULL
	   || print_counters (report->counters, report->demangle))
	  && (report->samples == NULL || print_samples (report->samples)));
}
