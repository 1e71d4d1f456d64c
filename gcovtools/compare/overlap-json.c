/* Overlap of two profiles as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "overlap.h"
#include "function-name.h"
#include "heap-json.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Version of the form described in heapprof-gcov-overlap(1).  */
#define JSON_FORM_VERSION 1

/* Print BEFORE and VALUE, with PRECISION digits or, if that is 0, as an
   integer; null unless IS_KNOWN.  */
static void
print_value (const char *before, double value, int precision, bool is_known)
{
  if (!is_known)
    printf ("%snull", before);
  else if (precision > 0)
    printf ("%s%.*g", before, precision, value);
  else
    printf ("%s%.0f", before, value);
}

/* Significant digits of shares.  */
#define SHARE_DIGITS 12

static void
print_measure (const char *before, const char *name,
	       const struct overlap_measure *measure)
{
  bool is_known = overlap_measure_is_known (measure);
  printf ("%s\"%s\":{", before, name);
  print_value ("\"overlap\":", measure->overlap, SHARE_DIGITS, is_known);
  print_value (",\"mismatch\":", measure->mismatch, SHARE_DIGITS, is_known);
  print_value (",\"only_in_base\":", measure->only[OVERLAP_BASE], SHARE_DIGITS,
	       is_known);
  print_value (",\"only_in_test\":", measure->only[OVERLAP_TEST], SHARE_DIGITS,
	       is_known);
  print_value (",\"base_sum\":", measure->sums[OVERLAP_BASE], 0,
	       !measure->is_unknown[OVERLAP_BASE]);
  print_value (",\"test_sum\":", measure->sums[OVERLAP_TEST], 0,
	       !measure->is_unknown[OVERLAP_TEST]);
  putchar ('}');
}

static void
print_places (const char *name, const struct overlap_places *places)
{
  printf ("\"%s\":{\"common\":%" PRIu64 ",\"mismatched\":%" PRIu64
	  ",\"only_in_base\":%" PRIu64 ",\"only_in_test\":%" PRIu64 "}",
	  name, places->common, places->mismatched, places->only[OVERLAP_BASE],
	  places->only[OVERLAP_TEST]);
}

static void
print_counts (const struct overlap_measure *counts,
	      const struct overlap_measure *values)
{
  static const char *const names[COUNTER_VALUE_KINDS]
    = { "call_targets", "memop_sizes", "vtables" };
  print_measure (",", "counts", counts);
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    print_measure (",", names[kind], &values[kind]);
}

static bool
print_function (const struct counter_profile *profile,
		const struct overlap_function *listed, bool demangle)
{
  const char *name = counter_profile_name (profile, listed->function->name);
  char *demangled = function_name_demangle (name, true);
  bool is_done
    = demangled != NULL
      && json_print ("{\"name\":", json_text (demangle ? demangled : name));
  free (demangled);
  printf (",\"hash\":\"0x%016" PRIx64 "\",\"counters\":%" PRIu32,
	  listed->function->hash, listed->function->shape.counter_count);
  print_counts (&listed->counts, listed->values);
  putchar ('}');
  return is_done;
}

static bool
print_counters (const struct overlap_counters *overlap, bool demangle)
{
  fputs (",\n\"counters\":{", stdout);
  print_places ("functions", &overlap->functions);
  print_counts (&overlap->counts, overlap->values);
  fputs (",\n\"function_level\":[", stdout);
  for (size_t i = 0; i < overlap->listed_count; i++)
    {
      fputs (i == 0 ? "\n" : ",\n", stdout);
      if (!print_function (overlap->profiles[OVERLAP_TEST], &overlap->listed[i],
			   demangle))
	return false;
    }
  fputs ("]}", stdout);
  return true;
}

static void
print_heap (const struct overlap_heap *heap)
{
  fputs (",\n\"heap\":{", stdout);
  print_places ("contexts", &heap->contexts);
  print_measure (",", "allocations", &heap->measures[OVERLAP_ALLOCATIONS]);
  print_measure (",", "bytes", &heap->measures[OVERLAP_BYTES]);
  print_measure (",", "accesses", &heap->measures[OVERLAP_ACCESSES]);
  putchar ('}');
}

static void
print_sampled (const struct overlap_measure *measures)
{
  for (int i = 0; i < SAMPLE_MEASURES; i++)
    print_measure (",", sample_measure_name (i), &measures[i]);
}

static bool
print_samples (const struct overlap_samples *overlap)
{
  fputs (",\n\"samples\":{", stdout);
  print_places ("functions", &overlap->functions);
  print_sampled (overlap->measures);
  fputs (",\n\"function_level\":[", stdout);
  for (size_t i = 0; i < overlap->listed_count; i++)
    {
      if (!json_print (i == 0 ? "\n{\"name\":" : ",\n{\"name\":",
		       json_text (overlap->listed[i].title)))
	return false;
      print_sampled (overlap->listed[i].measures);
      putchar ('}');
    }
  fputs ("]}", stdout);
  return true;
}

bool
overlap_print_json (const struct overlap_report *report)
{
  printf ("{\"version\":%d", JSON_FORM_VERSION);
  if (!json_print (",\n\"base\":", json_text (report->paths[OVERLAP_BASE]))
      || !json_print (",\n\"test\":", json_text (report->paths[OVERLAP_TEST])))
    return false;
  if (report->heap != NULL)
    print_heap (report->heap);
  if ((report->counters != NULL
       && !print_counters (report->counters, report->demangle))
      || (report->samples != NULL && !print_samples (report->samples)))
    return false;
  puts ("}");
  return true;
}
