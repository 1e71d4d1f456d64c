/* Differences between two profiles as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diff.h"
#include "frame-text.h"
#include "function-name.h"
#include "table.h"
#include "terminal.h"
#include "text-output.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
diff_status_name (enum diff_status status)
{
  static const char *const names[DIFF_STATUSES]
    = { [DIFF_ADDED] = "added",
	[DIFF_REMOVED] = "removed",
	[DIFF_CHANGED] = "changed",
	[DIFF_UNCHANGED] = "unchanged" };
  return names[status];
}

const char *
diff_number_text (char *text, diff_number number, bool is_signed,
		  bool is_grouped)
{
  char reversed[DIFF_NUMBER_BYTES];
  size_t n = 0;
  size_t digits = 0;
  unsigned __int128 rest
    = number < 0 ? -(unsigned __int128) number : (unsigned __int128) number;
  do
    {
      if (is_grouped && digits > 0 && digits % 3 == 0)
	reversed[n++] = ',';
      reversed[n++] = (char) ('0' + (int) (rest % 10));
      rest /= 10;
      digits++;
    }
  while (rest != 0);
  if (number < 0 || (is_signed && number > 0))
    reversed[n++] = number < 0 ? '-' : '+';
  for (size_t i = 0; i < n; i++)
    text[i] = reversed[n - 1 - i];
  text[n] = '\0';
  return text;
}

/* Add NUMBER to TABLE.  */
static bool
add_number (struct table *table, diff_number number, bool is_signed)
{
  char text[DIFF_NUMBER_BYTES];
  return table_add (table, diff_number_text (text, number, is_signed, true));
}

/* Format a number of nanoseconds in a readable unit.  */
static const char *
time_number_text (char *text, diff_number ns, bool is_signed)
{
  char number[NUMBER_TEXT_BYTES];
  const char *sign = ns < 0 ? "-" : is_signed && ns > 0 ? "+" : "";
  time_text (number, (double) (ns < 0 ? -ns : ns));
  snprintf (text, DIFF_NUMBER_BYTES, "%s%s", sign, number);
  return text;
}

/* A table of quantities to print.  */
struct measure_rows
{
  const struct diff_measure *measures;
  int count;
  const char *(*name_of) (int);
  const struct diff_heap *heap; /* the heaps compared; NULL: functions */
};

/* Add NUMBER, a value of quantity MEASURE, or a dash if it is unknown.  */
static bool
add_measured (struct table *table, const struct measure_rows *rows, int measure,
	      diff_number number, bool is_signed, bool is_known)
{
  char text[DIFF_NUMBER_BYTES];
  if (!is_known)
    return table_add (table, "-");
  if (rows->heap != NULL && measure == CONTEXT_LIFETIME)
    return table_add (table, time_number_text (text, number, is_signed));
  return add_number (table, number, is_signed);
}

/* True if changes are estimates.  */
static bool
has_margins (const struct measure_rows *rows)
{
  return rows->heap != NULL && diff_has_margin (rows->heap, CONTEXT_BYTES);
}

/* Add by how much the change of the total may be off, or a dash if that is not
   known or there is no limit.  */
static bool
add_total_margin (struct table *table, const struct measure_rows *rows,
		  int measure)
{
  const double margin
    = ceil (heap_spread_margin (&rows->heap->spreads[measure]));
  const bool is_known = rows->heap->is_known[measure]
			&& diff_has_margin (rows->heap, measure)
			&& isfinite (margin);
  return add_measured (table, rows, measure,
		       is_known ? (diff_number) margin : 0, false, is_known);
}

/* Add the row of MEASURE.  */
static bool
add_measure (struct table *table, const struct measure_rows *rows, int measure)
{
  const diff_number *totals = rows->measures[measure].totals;
  const diff_number *parts = rows->measures[measure].parts;
  const diff_number changes[]
    = { totals[DIFF_B] - totals[DIFF_A], parts[DIFF_ADDED], parts[DIFF_REMOVED],
	parts[DIFF_CHANGED] };
  bool is_known = rows->heap == NULL || rows->heap->is_known[measure];
  bool is_done = true;
  for (int side = 0; side < 2 && is_done; side++)
    is_done
      = add_measured (table, rows, measure, totals[side], false,
		      is_known || diff_heap_has (rows->heap, side, measure));
  for (size_t i = 0; i < sizeof changes / sizeof *changes && is_done; i++)
    {
      is_done = add_measured (table, rows, measure, changes[i], true, is_known);
      if (i == 0 && is_done && has_margins (rows))
	is_done = add_total_margin (table, rows, measure);
    }
  return is_done && table_add (table, rows->name_of (measure));
}

/* Print ROWS, without those that are all zero except the first.  */
static bool
print_measures (const struct measure_rows *rows)
{
  static const struct table_column columns[]
    = { { "A", false },	    { "B", false },	  { "change", false },
	{ "added", false }, { "removed", false }, { "changed", false },
	{ "of", true } };
  static const struct table_column estimated[]
    = { { "A", false },	      { "B", false },	  { "change", false },
	{ "±", false },	      { "added", false }, { "removed", false },
	{ "changed", false }, { "of", true } };
  struct table *table
    = has_margins (rows)
	? table_new (estimated, sizeof estimated / sizeof *estimated)
	: table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL;
  for (int i = 0; i < rows->count && is_done; i++)
    {
      const diff_number *totals = rows->measures[i].totals;
      if (i > 0 && totals[DIFF_A] == 0 && totals[DIFF_B] == 0)
	continue;
      is_done = add_measure (table, rows, i);
    }
  if (is_done)
    table_print (table);
  table_free (table);
  return is_done;
}

/* Print TITLE and the number of places, called WHAT, with each status.  */
static void
print_places (const char *title, const char *what,
	      const uint64_t counts[DIFF_STATUSES])
{
  const char *separator = ": ";
  printf ("\n%s%s%s\n  %s", terminal_colour (TERMINAL_BOLD), title,
	  terminal_colour (TERMINAL_PLAIN), what);
  for (int status = 0; status < DIFF_STATUSES; status++)
    {
      printf ("%s%" PRIu64 " %s", separator, counts[status],
	      diff_status_name (status));
      separator = ", ";
    }
  puts ("\n");
}

/* If filters are used, print that sums cover everything.  */
static void
print_scope (bool is_filtered, const char *what)
{
  if (is_filtered)
    printf ("\n"
	    "  These totals cover all %s; those below are the selected ones.\n",
	    what);
}

/* Return how many of COUNT entries --top allows.  */
static size_t
shown (const struct diff_report *report, size_t count)
{
  return report->top > 0 && report->top < count ? report->top : count;
}

static void
print_rest (size_t count, const char *what)
{
  if (count > 0)
    printf ("\n"
	    "  %zu more %s (--top=0 shows all)\n",
	    count, what);
}

/* ---- Heap.  */

static const char *
heap_measure_name (int measure)
{
  switch (measure)
    {
    case CONTEXT_LIFETIME:
      return "lifetime of all blocks";
    case CONTEXT_LIVE_BLOCKS:
      return "blocks never freed";
    case CONTEXT_LIVE_BYTES:
      return "bytes never freed";
    case CONTEXT_PEAK:
      return "bytes live at the peak";
    case CONTEXT_TEMPORARY:
      return "temporary blocks";
    case CONTEXT_LOST_BLOCKS:
      return "blocks lost";
    case CONTEXT_LOST_BYTES:
      return "bytes lost";
    default:
      return context_measure_name (measure);
    }
}

/* Print how MEASURE of MATCHED changed.  */
static void
print_change (const struct diff_heap *heap,
	      const struct matched_context *matched, int measure)
{
  uint64_t a = context_measure (matched->infos[DIFF_A], measure);
  uint64_t b = context_measure (matched->infos[DIFF_B], measure);
  char text[3][DIFF_NUMBER_BYTES];
  bool is_time = measure == CONTEXT_LIFETIME;
  const diff_number numbers[] = { (diff_number) b - a, a, b };
  for (int i = 0; i < 3; i++)
    if (is_time)
      time_number_text (text[i], numbers[i], i == 0);
    else
      diff_number_text (text[i], numbers[i], i == 0, true);
  printf ("%s %s", heap_measure_name (measure), text[0]);
  if (diff_has_margin (heap, measure))
    {
      const double margin = diff_context_margin (heap, matched, measure);
      printf (" ± %s", diff_number_text (text[0], (diff_number) ceil (margin),
					 false, true));
    }
  printf (" (%s to %s)", text[1], text[2]);
}

/* Print ENTRY, which is number NUMBER.  */
static bool
print_context (const struct diff_report *report,
	       const struct diff_context *entry, size_t number)
{
  const struct matched_context *matched = entry->matched;
  uint32_t context;
  struct heap_report names
    = diff_heap_names (report->heap, report->pair, report->options, matched,
		       &context);
  printf ("\n%s#%zu  %s%s: ", terminal_colour (TERMINAL_BOLD), number,
	  diff_status_name (entry->status), terminal_colour (TERMINAL_PLAIN));
  if (diff_context_has (report->heap, matched, (int) report->sort))
    print_change (report->heap, matched, report->sort);
  else
    printf ("%s unknown", heap_measure_name ((int) report->sort));
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    if (i != (int) report->sort && diff_context_has (report->heap, matched, i)
	&& context_measure (matched->infos[DIFF_A], i)
	     != context_measure (matched->infos[DIFF_B], i))
      {
	fputs (",\n     ", stdout);
	print_change (report->heap, matched, i);
      }
  putchar ('\n');
  return print_calling_context (&names, context);
}

/* Print which wrappers were looked through in either profile.  */
static bool
print_wrappers (const struct diff_report *report)
{
  struct heap_report names = pair_heap_report (NULL, report->options);
  struct wrapper_uses uses = { 0 };
  bool is_done
    = wrapper_uses_merge (&uses, &report->heap->looked_through[DIFF_A])
      && wrapper_uses_merge (&uses, &report->heap->looked_through[DIFF_B]);
  if (is_done && uses.count > 0)
    {
      putchar ('\n');
      is_done = print_looked_through (&names, &uses);
    }
  wrapper_uses_release (&uses);
  return is_done;
}

static bool
print_heap (const struct diff_report *report)
{
  const struct diff_heap *heap = report->heap;
  print_places ("Heap", "calling contexts", heap->counts);
  const struct measure_rows rows
    = { heap->measures, CONTEXT_MEASURES, heap_measure_name, heap };
  if (!print_measures (&rows))
    return false;
  print_scope (profile_filter_is_set (&report->options->filter), "contexts");
  size_t count = shown (report, heap->listed_count);
  if (count > 0 && !print_wrappers (report))
    return false;
  for (size_t i = 0; i < count; i++)
    if (!print_context (report, &heap->listed[i], i + 1))
      return false;
  print_rest (heap->listed_count - count, "calling contexts");
  return true;
}

/* ---- Functions.  */

/* How a family of functions is printed.  */
struct family
{
  const char *title;
  const char *places; /* what functions count */
  const char *(*measure_title) (int measure);
  bool demangle; /* whether names are linkage names to be demangled */
};

static const char *
counter_measure_title (int measure)
{
  static const char *const titles[DIFF_FUNCTION_MEASURES]
    = { "counts", "call targets", "memop sizes", "vtables" };
  return titles[measure];
}

static bool
add_name (struct table *table, const char *name, bool demangle)
{
  char *demangled
    = demangle ? function_name_demangle (name, true) : strdup (name);
  bool is_done = demangled != NULL && table_add (table, demangled);
  free (demangled);
  return is_done;
}

/* Print the COUNT functions LISTED.  */
static bool
print_listed (const struct family *family, const struct diff_function *listed,
	      size_t count)
{
  const struct table_column columns[]
    = { { "change", false },	   { "A", false }, { "B", false },
	{ family->places, false }, { "", true },   { "function", true } };
  struct table *table = table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL;
  for (size_t i = 0; i < count && is_done; i++)
    {
      const struct diff_function *entry = &listed[i];
      is_done = add_number (table, entry->change, true)
		&& add_number (table, entry->sums[0][DIFF_A], false)
		&& add_number (table, entry->sums[0][DIFF_B], false)
		&& add_number (table, entry->changed_places, false)
		&& table_add (table, diff_status_name (entry->status))
		&& add_name (table, entry->name, family->demangle);
    }
  if (is_done)
    table_print (table);
  table_free (table);
  return is_done;
}

static bool
print_functions (const struct diff_report *report, const struct family *family,
		 const struct diff_functions *functions)
{
  print_places (family->title, "functions", functions->counts);
  const struct measure_rows rows
    = { functions->measures, DIFF_FUNCTION_MEASURES, family->measure_title,
	NULL };
  if (!print_measures (&rows))
    return false;
  print_scope (report->options->function != NULL, "functions");
  size_t count = shown (report, functions->listed_count);
  if (count > 0)
    putchar ('\n');
  if (count > 0 && !print_listed (family, functions->listed, count))
    return false;
  print_rest (functions->listed_count - count, "functions");
  return true;
}

static bool
print_counters (const struct diff_report *report)
{
  const struct family family
    = { "Function counters", "counters", counter_measure_title,
	report->options->demangle };
  return print_functions (report, &family, report->counters);
}

static bool
print_samples (const struct diff_report *report)
{
  static const struct family family
    = { "Function samples", "places", sample_measure_title, false };
  return print_functions (report, &family, report->samples);
}

bool
diff_print_text (const struct diff_report *report)
{
  fputs ("Changes from ", stdout);
  print_text (report->pair->paths[DIFF_A]);
  fputs (" (A) to ", stdout);
  print_text (report->pair->paths[DIFF_B]);
  puts (" (B)");
  return ((report->heap == NULL || print_heap (report))
	  && (report->counters == NULL || print_counters (report))
	  && (report->samples == NULL || print_samples (report)));
}
