/* Function counters as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions are written one after another.  Counts are unsigned 64-bit numbers,
   which jansson's signed integers cannot hold, so jansson is used only for
   strings.  */

#include "show-counters.h"
#include "counter-values.h"
#include "counter-summary.h"
#include "heap-json.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
print_name (const struct counter_profile *counters, uint32_t name)
{
  return json_print ("", json_text_bytes (counter_profile_name (counters, name),
					  counter_profile_name_bytes (counters,
								      name)));
}

static void
print_flags (unsigned int flags)
{
  static const struct
  {
    unsigned int flag;
    const char *name;
  } names[] = { { COUNTER_IR, "ir" },
		{ COUNTER_CONTEXT_SENSITIVE, "context_sensitive" },
		{ COUNTER_ENTRY_FIRST, "entry_first" },
		{ COUNTER_LOOP_ENTRIES, "loop_entries" },
		{ COUNTER_SINGLE_BYTE, "single_byte_coverage" },
		{ COUNTER_ENTRY_ONLY, "function_entry_only" },
		{ COUNTER_TEMPORAL, "temporal_traces" } };
  const char *separator = "";
  fputs ("\"flags\":[", stdout);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (flags & names[i].flag)
      {
	printf ("%s\"%s\"", separator, names[i].name);
	separator = ",";
      }
  putchar (']');
}

static bool
print_summary (const struct counter_profile *counters, bool context_sensitive)
{
  struct counter_summary summary;
  if (!counter_summary_make (&summary, counters, context_sensitive, false))
    return false;
  printf (",\n\"%s\":{\"functions\":%" PRIu64 ",\"counters\":%" PRIu64
	  ",\"max_first_count\":%" PRIu64 ",\"max_count\":%" PRIu64
	  ",\"max_inner_count\":%" PRIu64 ",\"total_count\":%" PRIu64
	  ",\"cutoffs\":[",
	  context_sensitive ? "context_sensitive_summary" : "summary",
	  summary.function_count, summary.counter_count, summary.greatest_first,
	  summary.greatest, summary.greatest_inner, summary.total);
  for (int i = 0; i < SUMMARY_CUTOFFS; i++)
    printf ("%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", i > 0 ? "," : "",
	    summary.cutoffs[i].cutoff, summary.cutoffs[i].least,
	    summary.cutoffs[i].count);
  fputs ("]}", stdout);
  return true;
}

/* Print VALUE of a site of KIND.  */
static bool
print_value (const struct counter_profile *counters,
	     enum counter_value_kind kind, const struct counter_value *value)
{
  if (kind == COUNTER_MEMOP_SIZE)
    {
      printf ("{\"size\":%" PRIu64 ",\"count\":%" PRIu64 "}", value->value,
	      value->count);
      return true;
    }
  uint32_t name = counter_profile_find_guid (counters, value->value);
  printf ("{\"guid\":\"0x%016" PRIx64 "\"", value->value);
  if (name != UINT32_MAX)
    {
      fputs (",\"name\":", stdout);
      if (!print_name (counters, name))
	return false;
    }
  printf (",\"count\":%" PRIu64 "}", value->count);
  return true;
}

static bool
print_sites (const struct counter_profile *counters,
	     const struct counter_function *function,
	     enum counter_value_kind kind, const char *key)
{
  if (function->shape.site_counts[kind] == 0)
    return true;
  printf (",\"%s\":[", key);
  for (uint32_t i = 0; i < function->shape.site_counts[kind]; i++)
    {
      const struct counter_value_site *site = &function->sites[kind][i];
      struct counter_value *values = counter_site_sorted (site);
      bool is_done = values != NULL;
      fputs (i > 0 ? ",[" : "[", stdout);
      for (uint32_t k = 0; is_done && k < site->count; k++)
	{
	  if (k > 0)
	    putchar (',');
	  is_done = print_value (counters, kind, &values[k]);
	}
      putchar (']');
      free (values);
      if (!is_done)
	return false;
    }
  putchar (']');
  return true;
}

static bool
print_function (const struct counter_profile *counters,
		const struct counter_function *function)
{
  fputs ("{\"name\":", stdout);
  if (!print_name (counters, function->name))
    return false;
  printf (",\"guid\":\"0x%016" PRIx64 "\",\"hash\":\"0x%016" PRIx64
	  "\",\"counts\":[",
	  counter_profile_name_guid (counters, function->name), function->hash);
  for (uint32_t i = 0; i < function->shape.counter_count; i++)
    printf ("%s%" PRIu64, i > 0 ? "," : "", function->counters[i]);
  putchar (']');
  if (function->shape.bitmap_bytes > 0)
    {
      fputs (",\"bitmap\":[", stdout);
      for (uint32_t i = 0; i < function->shape.bitmap_bytes; i++)
	printf ("%s%u", i > 0 ? "," : "", function->bitmap[i]);
      putchar (']');
    }
  bool is_done
    = print_sites (counters, function, COUNTER_CALL_TARGET, "call_targets")
      && print_sites (counters, function, COUNTER_MEMOP_SIZE, "memop_sizes")
      && print_sites (counters, function, COUNTER_VTABLE, "vtables");
  putchar ('}');
  return is_done;
}

static bool
is_shown (const struct counter_profile *counters,
	  const struct counter_function *function,
	  const struct counter_options *options)
{
  return (options->function == NULL
	  || pattern_list_matches (options->function,
				   counter_profile_name (counters,
							 function->name)));
}

static bool
print_functions (const struct counter_profile *counters,
		 const struct counter_options *options)
{
  uint32_t *order = counter_profile_order (counters);
  bool is_done = order != NULL;
  const char *separator = "\n";
  fputs (",\n\"functions\":[", stdout);
  for (uint32_t i = 0; is_done && i < counter_profile_function_count (counters);
       i++)
    {
      const struct counter_function *function
	= counter_profile_function (counters, order[i]);
      if (!is_shown (counters, function, options))
	continue;
      fputs (separator, stdout);
      separator = ",\n";
      is_done = print_function (counters, function);
    }
  putchar (']');
  free (order);
  return is_done;
}

static bool
print_vtables (const struct counter_profile *counters)
{
  const char *separator = "";
  fputs (",\n\"vtable_names\":[", stdout);
  for (uint32_t i = 0; i < counter_profile_name_count (counters); i++)
    {
      if (!counter_profile_is_vtable (counters, i))
	continue;
      fputs (separator, stdout);
      separator = ",";
      if (!print_name (counters, i))
	return false;
    }
  putchar (']');
  return true;
}

static void
print_binary_ids (const struct counter_profile *counters)
{
  fputs (",\n\"binary_ids\":[", stdout);
  for (uint32_t i = 0; i < counter_profile_binary_id_count (counters); i++)
    {
      size_t n;
      const uint8_t *id = counter_profile_binary_id (counters, i, &n);
      fputs (i > 0 ? ",\"" : "\"", stdout);
      for (size_t k = 0; k < n; k++)
	printf ("%02x", id[k]);
      putchar ('"');
    }
  putchar (']');
}

static bool
print_traces (const struct counter_profile *counters)
{
  uint32_t *order = counter_profile_trace_order (counters);
  if (order == NULL)
    return false;
  printf (",\n\"trace_stream\":%" PRIu64 ",\n\"traces\":[",
	  counter_profile_stream (counters));
  for (uint32_t i = 0; i < counter_profile_trace_count (counters); i++)
    {
      const struct counter_trace *trace
	= counter_profile_trace (counters, order[i]);
      printf ("%s{\"weight\":%" PRIu64 ",\"guids\":[", i > 0 ? ",\n" : "\n",
	      trace->weight);
      for (size_t k = 0; k < trace->count; k++)
	printf ("%s\"0x%016" PRIx64 "\"", k > 0 ? "," : "", trace->guids[k]);
      fputs ("]}", stdout);
    }
  putchar (']');
  free (order);
  return true;
}

bool
show_counters_json (const struct counter_profile *counters,
		    const struct counter_options *options)
{
  unsigned int flags = counter_profile_flags (counters);
  putchar ('{');
  print_flags (flags);
  if (!print_summary (counters, false)
      || ((flags & COUNTER_CONTEXT_SENSITIVE)
	  && !print_summary (counters, true))
      || !print_functions (counters, options) || !print_vtables (counters))
    return false;
  print_binary_ids (counters);
  if ((flags & COUNTER_TEMPORAL) && !print_traces (counters))
    return false;
  putchar ('}');
  return true;
}
