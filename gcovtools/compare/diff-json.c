/* Differences between two profiles as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later

   Numbers are printed in full, up to 128 bits, which jansson's integers cannot
   hold.  */

#include "diff.h"
#include "function-name.h"
#include "heap-json.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Version of the form described in heapprof-gcov-diff(1).  */
#define JSON_FORM_VERSION 1

/* Print BEFORE, and NUMBER as the value of KEY.  */
static void
print_number (const char *before, const char *key, diff_number number)
{
  char text[DIFF_NUMBER_BYTES];
  printf ("%s\"%s\":%s", before, key,
	  diff_number_text (text, number, false, false));
}

/* Like print_number, but print null unless IS_KNOWN.  */
static void
print_known (const char *before, const char *key, diff_number number,
	     bool is_known)
{
  if (is_known)
    print_number (before, key, number);
  else
    printf ("%s\"%s\":null", before, key);
}

/* Print the number of places with each status as the value of KEY.  */
static void
print_places (const char *key, const uint64_t counts[DIFF_STATUSES])
{
  printf ("\"%s\":{", key);
  for (int status = 0; status < DIFF_STATUSES; status++)
    print_number (status == 0 ? "" : ",", diff_status_name (status),
		  counts[status]);
  putchar ('}');
}

/* Print BEFORE, and MEASURE as the value of KEY, up to its closing brace;
   IS_KNOWN tells which of its two sums are known.  */
static void
print_measure (const char *before, const char *key,
	       const struct diff_measure *measure, const bool is_known[2])
{
  const diff_number *totals = measure->totals;
  bool are_both = is_known[DIFF_A] && is_known[DIFF_B];
  printf ("%s\"%s\":{", before, key);
  print_known ("", "a", totals[DIFF_A], is_known[DIFF_A]);
  print_known (",", "b", totals[DIFF_B], is_known[DIFF_B]);
  print_known (",", "change", totals[DIFF_B] - totals[DIFF_A], are_both);
  for (int status = DIFF_ADDED; status < DIFF_UNCHANGED; status++)
    print_known (",", diff_status_name (status), measure->parts[status],
		 are_both);
}

static size_t
shown (const struct diff_report *report, size_t count)
{
  return report->top > 0 && report->top < count ? report->top : count;
}

/* ---- Heap.  */

static bool
print_frames (const struct heap_report *names, uint32_t context)
{
  const struct heap_profile *profile = names->profile;
  const char *before = ",\"frames\":[";
  while (context != 0)
    {
      if (!json_print (before,
		       heap_json_frame (names,
					heap_profile_context_frame (profile,
								    context))))
	return false;
      before = ",";
      context = heap_profile_context_caller (profile, context);
    }
  puts ("]}");
  return true;
}

static bool
print_context (const struct diff_report *report,
	       const struct diff_context *entry)
{
  static const char *const sides[2] = { ",\"a\":", ",\"b\":" };
  const struct matched_context *matched = entry->matched;
  printf ("{\"status\":\"%s\",\"change\":{", diff_status_name (entry->status));
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    print_known (i == 0 ? "" : ",", context_measure_name (i),
		 (diff_number) context_measure (matched->infos[DIFF_B], i)
		   - context_measure (matched->infos[DIFF_A], i),
		 diff_context_has (report->heap, matched, i));
  putchar ('}');
  for (int side = 0; side < 2; side++)
    if (!json_print (sides[side],
		     matched->infos[side] != NULL
		       ? heap_json_info (matched->infos[side],
					 &report->heap->known[side])
		       : json_null ()))
      return false;
  uint32_t context;
  struct heap_report names
    = diff_heap_names (report->heap, report->pair, report->options, matched,
		       &context);
  printf (",\"site\":%" PRIu32,
	  heap_report_depth (names.profile, context,
			     allocation_wrappers_site (&names.wrappers,
						       context)));
  return print_frames (&names, context);
}

static bool
print_heap (const struct diff_report *report)
{
  const struct diff_heap *heap = report->heap;
  fputs (",\n\"heap\":{", stdout);
  print_places ("contexts", heap->counts);
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    {
      const bool is_known[2]
	= { diff_heap_has (heap, DIFF_A, i), diff_heap_has (heap, DIFF_B, i) };
      print_measure (i == 0 ? ",\n\"totals\":{" : ",", context_measure_name (i),
		     &heap->measures[i], is_known);
      const double margin = ceil (heap_spread_margin (&heap->spreads[i]));
      const bool has_margin
	= heap->is_known[i] && diff_has_margin (heap, i) && isfinite (margin);
      if (diff_has_margin (heap, CONTEXT_BYTES))
	print_known (",", "margin", has_margin ? (diff_number) margin : 0,
		     has_margin);
      putchar ('}');
    }
  fputs ("}", stdout);
  struct heap_report names = pair_heap_report (NULL, report->options);
  if (!json_print (",\n\"looked_through\":{\"a\":",
		   heap_json_looked_through (&names,
					     &heap->looked_through[DIFF_A]))
      || !json_print (",\"b\":",
		      heap_json_looked_through (&names,
						&heap->looked_through[DIFF_B])))
    return false;
  fputs ("},\n\"differences\":[\n", stdout);
  size_t count = shown (report, heap->listed_count);
  for (size_t i = 0; i < count; i++)
    {
      fputs (i == 0 ? "" : ",", stdout);
      if (!print_context (report, &heap->listed[i]))
	return false;
    }
  fputs ("]}", stdout);
  return true;
}

/* ---- Functions.  */

/* Print the sums of ENTRY for each measure, with names from NAME_OF.  */
static void
print_sums (const struct diff_function *entry, const char *(*name_of) (int) )
{
  for (int i = 0; i < DIFF_FUNCTION_MEASURES; i++)
    {
      printf (",\"%s\":{", name_of (i));
      print_number ("", "a", entry->sums[i][DIFF_A]);
      print_number (",", "b", entry->sums[i][DIFF_B]);
      putchar ('}');
    }
  print_number (",", "change", entry->change);
  puts ("}");
}

/* Print a function with counters.  */
static bool
print_counters_of (const struct diff_report *report,
		   const struct diff_function *entry)
{
  char *demangled = function_name_demangle (entry->name, true);
  bool is_done
    = demangled != NULL
      && json_print ("{\"name\":",
		     json_text (report->options->demangle ? demangled
							  : entry->name));
  free (demangled);
  printf (",\"status\":\"%s\",\"hash\":\"0x%016" PRIx64
	  "\",\"counters\":%" PRIu32 ",\"changed_counters\":%" PRIu32,
	  diff_status_name (entry->status), entry->hash, entry->place_count,
	  entry->changed_places);
  print_sums (entry, diff_counter_measure_name);
  return is_done;
}

/* Print a function with samples.  */
static bool
print_samples_of (const struct diff_report *report,
		  const struct diff_function *entry)
{
  (void) report;
  if (!json_print ("{\"name\":", json_text (entry->name)))
    return false;
  printf (",\"status\":\"%s\",\"places\":%" PRIu32
	  ",\"changed_places\":%" PRIu32,
	  diff_status_name (entry->status), entry->place_count,
	  entry->changed_places);
  print_sums (entry, sample_measure_name);
  return true;
}

typedef bool entry_printer (const struct diff_report *report,
			    const struct diff_function *entry);

/* Print FUNCTIONS as the value of KEY.  */
static bool
print_functions (const struct diff_report *report, const char *key,
		 const struct diff_functions *functions,
		 const char *(*name_of) (int), entry_printer *print_entry)
{
  printf (",\n\"%s\":{", key);
  print_places ("functions", functions->counts);
  static const bool are_known[2] = { true, true };
  for (int i = 0; i < DIFF_FUNCTION_MEASURES; i++)
    {
      print_measure (i == 0 ? ",\n\"totals\":{" : ",", name_of (i),
		     &functions->measures[i], are_known);
      putchar ('}');
    }
  fputs ("},\n\"differences\":[\n", stdout);
  size_t count = shown (report, functions->listed_count);
  for (size_t i = 0; i < count; i++)
    {
      fputs (i == 0 ? "" : ",", stdout);
      if (!print_entry (report, &functions->listed[i]))
	return false;
    }
  fputs ("]}", stdout);
  return true;
}

bool
diff_print_json (const struct diff_report *report)
{
  printf ("{\"version\":%d", JSON_FORM_VERSION);
  if (!json_print (",\n\"a\":", json_text (report->pair->paths[DIFF_A]))
      || !json_print (",\n\"b\":", json_text (report->pair->paths[DIFF_B]))
      || (report->heap != NULL && !print_heap (report))
      || (report->counters != NULL
	  && !print_functions (report, "counters", report->counters,
			       diff_counter_measure_name, print_counters_of))
      || (report->samples != NULL
	  && !print_functions (report, "samples", report->samples,
			       sample_measure_name, print_samples_of)))
    return false;
  puts ("}");
  return true;
}
