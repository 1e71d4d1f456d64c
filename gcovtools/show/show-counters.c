/* Function counters as text.
   SPDX-License-Identifier: GPL-3.0-or-later

   The lines are those of llvm-profdata show, so that the outputs can be
   compared, but functions are sorted by name.  */

#include "show-counters.h"
#include "counter-values.h"
#include "counter-summary.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool
is_shown (const struct counter_profile *counters,
	  const struct counter_function *function,
	  const struct counter_options *options)
{
  if (options->function == NULL)
    return options->all_functions;
  return pattern_list_matches (options->function,
			       counter_profile_name (counters, function->name));
}

static void
print_name (const struct counter_profile *counters, uint32_t name)
{
  write_text_bytes (counter_profile_name (counters, name),
		    counter_profile_name_bytes (counters, name), "", stdout);
}

/* Print the values of site INDEX of KIND.  */
static bool
print_site (const struct counter_profile *counters,
	    const struct counter_function *function,
	    enum counter_value_kind kind, uint32_t index)
{
  const struct counter_value_site *site = &function->sites[kind][index];
  struct counter_value *values = counter_site_sorted (site);
  if (values == NULL)
    return false;
  double total = 0;
  for (uint32_t i = 0; i < site->count; i++)
    total += (double) values[i].count;
  for (uint32_t i = 0; i < site->count; i++)
    {
      uint32_t name = kind == COUNTER_MEMOP_SIZE
			? UINT32_MAX
			: counter_profile_find_guid (counters, values[i].value);
      printf ("\t[ %2" PRIu32 ", ", index);
      if (kind == COUNTER_MEMOP_SIZE)
	printf ("%4" PRIu64, values[i].value);
      else if (name != UINT32_MAX)
	print_name (counters, name);
      else if (values[i].value == 0)
	fputs ("unknown", stdout);
      else
	printf ("0x%016" PRIx64, values[i].value);
      printf (", %10" PRIu64 " ] (%.2f%%)\n", values[i].count,
	      total > 0 ? (double) values[i].count / total * 100 : 0);
    }
  free (values);
  return true;
}

static bool
print_sites (const struct counter_profile *counters,
	     const struct counter_function *function,
	     enum counter_value_kind kind, const char *title)
{
  printf ("    %s:\n", title);
  for (uint32_t i = 0; i < function->shape.site_counts[kind]; i++)
    if (!print_site (counters, function, kind, i))
      return false;
  return true;
}

static void
print_counts (const struct counter_function *function)
{
  fputs ("    Block counts: [", stdout);
  for (uint32_t i = 0; i < function->shape.counter_count; i++)
    printf ("%s%" PRIu64, i > 0 ? ", " : "", function->counters[i]);
  puts ("]");
  if (function->shape.bitmap_bytes == 0)
    return;
  fputs ("    Bitmap bytes: [", stdout);
  for (uint32_t i = 0; i < function->shape.bitmap_bytes; i++)
    printf ("%s%u", i > 0 ? ", " : "", function->bitmap[i]);
  puts ("]");
}

static bool
print_function (const struct counter_profile *counters,
		const struct counter_function *function,
		const struct counter_options *options)
{
  const uint32_t *sites = function->shape.site_counts;
  fputs ("  ", stdout);
  print_name (counters, function->name);
  printf (":\n    Hash: 0x%016" PRIx64 "\n    Counters: %" PRIu32 "\n",
	  function->hash, function->shape.counter_count);
  if (function->shape.is_pseudo)
    puts (function->counters[0] == COUNTER_HOT ? "    Hot" : "    Warm");
  if (options->call_targets)
    printf ("    Indirect Call Site Count: %" PRIu32 "\n",
	    sites[COUNTER_CALL_TARGET]);
  if (options->memop_sizes && sites[COUNTER_MEMOP_SIZE] > 0)
    printf ("    Number of Memory Intrinsics Calls: %" PRIu32 "\n",
	    sites[COUNTER_MEMOP_SIZE]);
  if (options->counts)
    print_counts (function);
  return ((!options->call_targets
	   || print_sites (counters, function, COUNTER_CALL_TARGET,
			   "Indirect Target Results"))
	  && (!options->memop_sizes || sites[COUNTER_MEMOP_SIZE] == 0
	      || print_sites (counters, function, COUNTER_MEMOP_SIZE,
			      "Memory Intrinsic Size Results"))
	  && (!options->vtables || sites[COUNTER_VTABLE] == 0
	      || print_sites (counters, function, COUNTER_VTABLE,
			      "VTable Results")));
}

/* Print the functions selected by OPTIONS; set *SHOWN to their number.  */
static bool
print_functions (const struct counter_profile *counters,
		 const struct counter_options *options, uint32_t *shown)
{
  uint32_t *order = counter_profile_order (counters);
  if (order == NULL)
    return false;
  *shown = 0;
  bool is_done = true;
  for (uint32_t i = 0; is_done && i < counter_profile_function_count (counters);
       i++)
    {
      const struct counter_function *function
	= counter_profile_function (counters, order[i]);
      if (!is_shown (counters, function, options))
	continue;
      if ((*shown)++ == 0)
	puts ("Counters:");
      is_done = print_function (counters, function, options);
    }
  free (order);
  return is_done;
}

static void
print_level (unsigned int flags)
{
  if (!(flags & COUNTER_IR))
    {
      puts ("Instrumentation level: Front-end");
      return;
    }
  printf ("Instrumentation level: IR%s%s%s%s  entry_first = %d\n",
	  flags & COUNTER_CONTEXT_SENSITIVE ? ", context sensitive" : "",
	  flags & COUNTER_SINGLE_BYTE ? ", single-byte coverage" : "",
	  flags & COUNTER_ENTRY_ONLY ? ", function entries only" : "",
	  flags & COUNTER_LOOP_ENTRIES ? ", loop entries" : "",
	  (flags & COUNTER_ENTRY_FIRST) != 0);
}

static void
print_cutoffs (const struct counter_summary *summary)
{
  printf ("Total number of blocks: %" PRIu64 "\nTotal count: %" PRIu64
	  "\nDetailed summary:\n",
	  summary->counter_count, summary->total);
  for (int i = 0; i < SUMMARY_CUTOFFS; i++)
    printf ("%" PRIu64 " blocks with count >= %" PRIu64 " account for %.6g "
	    "percentage of the total counts.\n",
	    summary->cutoffs[i].count, summary->cutoffs[i].least,
	    (double) summary->cutoffs[i].cutoff / 10000);
}

static bool
print_summary (const struct counter_profile *counters, bool context_sensitive,
	       const struct counter_options *options)
{
  struct counter_summary summary;
  if (!counter_summary_make (&summary, counters, context_sensitive, false))
    return false;
  if (context_sensitive)
    puts ("Context sensitive functions:");
  printf ("Total functions: %" PRIu64 "\nMaximum function count: %" PRIu64
	  "\nMaximum internal block count: %" PRIu64 "\n",
	  summary.function_count, summary.greatest_first,
	  summary.greatest_inner);
  if (options->detailed_summary)
    print_cutoffs (&summary);
  return true;
}

static void
print_binary_ids (const struct counter_profile *counters)
{
  puts ("Binary IDs:");
  for (uint32_t i = 0; i < counter_profile_binary_id_count (counters); i++)
    {
      size_t n;
      const uint8_t *id = counter_profile_binary_id (counters, i, &n);
      for (size_t k = 0; k < n; k++)
	printf ("%02x", id[k]);
      putchar ('\n');
    }
}

static bool
print_traces (const struct counter_profile *counters)
{
  uint32_t *order = counter_profile_trace_order (counters);
  if (order == NULL)
    return false;
  uint32_t count = counter_profile_trace_count (counters);
  printf ("Temporal Profile Traces (samples=%" PRIu32 " seen=%" PRIu64 "):\n",
	  count, counter_profile_stream (counters));
  for (uint32_t i = 0; i < count; i++)
    {
      const struct counter_trace *trace
	= counter_profile_trace (counters, order[i]);
      printf ("  Temporal Profile Trace %" PRIu32 " (weight=%" PRIu64
	      " count=%zu):\n",
	      i, trace->weight, trace->count);
      for (size_t k = 0; k < trace->count; k++)
	{
	  uint32_t name = counter_profile_find_guid (counters, trace->guids[k]);
	  fputs ("    ", stdout);
	  if (name != UINT32_MAX)
	    print_name (counters, name);
	  else
	    printf ("0x%016" PRIx64, trace->guids[k]);
	  putchar ('\n');
	}
    }
  free (order);
  return true;
}

bool
show_counters_text (const struct counter_profile *counters,
		    const struct counter_options *options)
{
  unsigned int flags = counter_profile_flags (counters);
  uint32_t shown;
  if (!print_functions (counters, options, &shown))
    return false;
  print_level (flags);
  if (options->all_functions || options->function != NULL)
    printf ("Functions shown: %" PRIu32 "\n", shown);
  if (!print_summary (counters, false, options)
      || ((flags & COUNTER_CONTEXT_SENSITIVE)
	  && !print_summary (counters, true, options)))
    return false;
  if (options->binary_ids)
    print_binary_ids (counters);
  return !options->traces || print_traces (counters);
}
