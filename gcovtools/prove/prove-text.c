/* Variants of a program compared, as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "prove.h"
#include "table.h"
#include "text-output.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *
value_text (char *text, enum prove_measure measure, double value)
{
  switch (measure)
    {
    case PROVE_TIME:
    case PROVE_WALL:
      return time_text (text, value);
    case PROVE_RSS:
      return bytes_text (text, value);
    default:
      return number_text (text, (uint64_t) llround (value));
    }
}

/* Return true if all values of A and B are equal.  */
static bool
are_equal (const struct prove_result *a, const struct prove_result *b)
{
  for (size_t i = 0; i < a->count; i++)
    if (a->values[i] != a->values[0] || b->values[i] != a->values[0])
      return false;
  return true;
}

/* What the measurements say about RESULT, compared with BASE.  */
static const char *
verdict (const struct prove_result *result, const struct prove_result *base)
{
  const struct ratio_interval *ratio = &result->ratio;
  if (result == base)
    return "base";
  if (are_equal (result, base)
      || (ratio->has_bounds && ratio->low == 1 && ratio->high == 1))
    return "equal";
  if (!ratio->has_bounds)
    return "-";
  return ratio->high < 1 ? "lower" : ratio->low > 1 ? "higher" : "unclear";
}

/* Add the cells that compare RESULT with BASE.  */
static bool
add_ratio (struct table *table, const struct prove_result *result,
	   const struct prove_result *base)
{
  const struct ratio_interval *ratio = &result->ratio;
  char number[NUMBER_TEXT_BYTES] = "-";
  char bounds[2 * NUMBER_TEXT_BYTES] = "-";
  if (result == base)
    number[0] = bounds[0] = '\0';
  else if (ratio->is_known)
    snprintf (number, sizeof number, "%.3f", ratio->ratio);
  if (result != base && ratio->has_bounds)
    snprintf (bounds, sizeof bounds, "%.3f to %.3f", ratio->low, ratio->high);
  return table_add (table, number) && table_add (table, bounds)
	 && table_add (table, verdict (result, base));
}

/* Add the rows of MEASURE: the variants in which it was measured.  */
static bool
add_measure (struct table *table, const struct prove *prove,
	     enum prove_measure measure)
{
  const char *title = prove_measure_name (measure);
  for (size_t i = 0; i < prove->variant_count; i++)
    {
      char number[NUMBER_TEXT_BYTES];
      const struct prove_variant *variant = &prove->variants[i];
      const struct prove_result *result = &variant->results[measure];
      if (result->count == 0)
	continue;
      if (!table_add (table, title) || !table_add (table, variant->name)
	  || !table_add (table, value_text (number, measure, result->median))
	  || !add_ratio (table, result,
			 &prove->variants[variant->base].results[measure]))
	return false;
      title = "";
    }
  return true;
}

static void
print_output (const struct prove *prove)
{
  if (prove->output == PROVE_OUTPUT_SAME)
    printf ("Same exit status (%d) and standard output (%" PRIu64
	    " bytes) in all runs.\n",
	    prove->exit_status, prove->output_bytes);
  else
    printf ("Same exit status (%d) in all runs; standard output %s.\n",
	    prove->exit_status,
	    prove->output == PROVE_OUTPUT_VARIES
	      ? "varies from run to run and was not compared"
	      : "was not compared");
}

/* Say in which phase pages were counted.  */
static void
print_phase (const struct page_phase *phase)
{
  if (phase->begin == NULL)
    return;
  fputs ("Pages are counted from \"", stdout);
  print_text (phase->begin);
  fputs (phase->end != NULL ? "\" to \"" : "\" on", stdout);
  if (phase->end != NULL)
    {
      print_text (phase->end);
      fputs ("\"", stdout);
    }
  puts (".");
}

static void
print_heading (const struct prove *prove)
{
  printf ("%zu round%s, after %zu to warm up; seed %" PRIu64, prove->rounds,
	  prove->rounds == 1 ? "" : "s", prove->warm_up, prove->seed);
  if (!isnan (prove->load))
    printf ("; load average %.2f on %ld processor%s", prove->load,
	    prove->processors, prove->processors == 1 ? "" : "s");
  puts (".");
  print_output (prove);
  if (prove->has_pages)
    print_phase (&prove->phase);
  if (prove->has_simulation)
    {
      fputs ("Simulated caches: D1 ", stdout);
      print_text (prove->caches.d1);
      fputs (", LL ", stdout);
      print_text (prove->caches.ll);
      puts (".");
    }
  putchar ('\n');
}

/* Say which variants the ratios relate to.  */
static void
print_bases (const struct prove *prove)
{
  fputs ("\nRatios are to ", stdout);
  const char *between = "";
  for (size_t i = 0; i < prove->variant_count; i++)
    if (prove->variants[i].base == i)
      {
	fputs (between, stdout);
	print_text (prove->variants[i].name);
	between = "; to ";
      }
  puts (", by pairs of runs in the same round.");
}

bool
prove_print_text (const struct prove *prove)
{
  static const struct table_column columns[]
    = { { "measure", true }, { "variant", true },	{ "median", false },
	{ "ratio", false },  { "95% interval", false }, { "result", true } };
  struct table *table = table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL;
  for (int measure = 0; measure < PROVE_MEASURES && is_done; measure++)
    is_done = add_measure (table, prove, measure);
  if (is_done)
    {
      print_heading (prove);
      table_print (table);
      print_bases (prove);
    }
  table_free (table);
  return is_done;
}
