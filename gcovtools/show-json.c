/* The report as JSON, one context after the other.
   SPDX-License-Identifier: GPL-3.0-or-later

   Contexts are written as they are made, so that a large profile is never in
   memory as JSON.  */

#include "show.h"
#include "function-name.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the form described in heapprof-gcov(1).  */
#define JSON_FORM_VERSION 1

#define DUMP_FLAGS (JSON_COMPACT | JSON_PRESERVE_ORDER)

/* TEXT as a JSON string.  File names may have bytes that are not UTF-8; each
   becomes a question mark.  NULL if memory is exhausted.  */
static json_t *
text_json (const char *text)
{
  json_t *string = json_string (text);
  if (string != NULL)
    return string;
  char *copy = strdup (text);
  if (copy == NULL)
    return NULL;
  for (char *c = copy; *c != '\0'; c++)
    if ((unsigned char) *c >= 128)
      *c = '?';
  string = json_string (copy);
  free (copy);
  return string;
}

/* JSON has signed numbers; a sum that saturated stays at their greatest.  */
static bool
set_number (json_t *object, const char *key, uint64_t value)
{
  if (value > INT64_MAX)
    value = INT64_MAX;
  return json_object_set_new (object, key, json_integer ((json_int_t) value))
	 == 0;
}

/* Set KEY unless TEXT is empty: then nothing is known.  */
static bool
set_text (json_t *object, const char *key, const char *text)
{
  return *text == '\0'
	 || json_object_set_new (object, key, text_json (text)) == 0;
}

static bool
set_range (json_t *object, const char *name,
	   const struct memory_info_range *range)
{
  char key[60];
  bool is_done;
  snprintf (key, sizeof key, "total_%s", name);
  is_done = set_number (object, key, range->total);
  snprintf (key, sizeof key, "min_%s", name);
  is_done = is_done && set_number (object, key, range->min);
  snprintf (key, sizeof key, "max_%s", name);
  return is_done && set_number (object, key, range->max);
}

static json_t *
info_json (const struct memory_info *info)
{
  json_t *object = json_object ();
  if (object != NULL && set_number (object, "alloc_count", info->alloc_count)
      && set_range (object, "access_count", &info->access_count)
      && set_range (object, "size", &info->size_bytes)
      && set_range (object, "lifetime_ns", &info->lifetime_ns)
      && set_range (object, "utilization_percent", &info->utilization_percent)
      && set_range (object, "access_density", &info->access_density)
      && set_range (object, "lifetime_access_density",
		    &info->lifetime_access_density)
      && set_number (object, "first_alloc_ns", info->first_alloc_ns)
      && set_number (object, "last_alloc_ns", info->last_alloc_ns)
      && set_number (object, "first_dealloc_ns", info->first_dealloc_ns)
      && set_number (object, "last_dealloc_ns", info->last_dealloc_ns)
      && set_number (object, "alloc_cpu", info->alloc_cpu)
      && set_number (object, "dealloc_cpu", info->dealloc_cpu)
      && set_number (object, "migrated_cpu", info->migrated_cpu)
      && set_number (object, "lifetime_overlaps", info->lifetime_overlaps)
      && set_number (object, "same_alloc_cpu", info->same_alloc_cpu)
      && set_number (object, "same_dealloc_cpu", info->same_dealloc_cpu)
      && set_number (object, "data_type_id", info->data_type_id)
      && set_number (object, "live_count", info->live_count)
      && set_number (object, "live_bytes", info->live_bytes)
      && set_number (object, "unfinished_count", info->unfinished_count)
      && set_number (object, "unfinished_bytes", info->unfinished_bytes))
    return object;
  json_decref (object);
  return NULL;
}

/* Add the names of FRAME's function.  */
static bool
set_function (json_t *object, const struct heap_report *report,
	      const struct heap_frame *frame)
{
  const char *linkage_name
    = heap_profile_string (report->profile, frame->function_name);
  char guid[32];
  snprintf (guid, sizeof guid, "0x%016" PRIx64, frame->function_guid);
  if (frame->function_guid != 0 && !set_text (object, "guid", guid))
    return false;
  if (!report->options.demangle)
    return set_text (object, "function", linkage_name);
  char *name = function_name_demangle (linkage_name, true);
  bool is_done = name != NULL && set_text (object, "function", name)
		 && set_text (object, "linkage_name", linkage_name);
  free (name);
  return is_done;
}

static json_t *
frame_json (const struct heap_report *report, uint32_t id)
{
  const struct heap_profile *profile = report->profile;
  const struct heap_frame *frame = heap_profile_frame (profile, id);
  json_t *object = json_object ();
  if (object != NULL && set_function (object, report, frame)
      && set_text (object, "file", heap_profile_string (profile, frame->file))
      && set_text (object, "module",
		   heap_profile_string (profile, frame->module))
      && set_number (object, "line", frame->line)
      && set_number (object, "column", frame->column)
      && set_number (object, "start_line", frame->start_line)
      && set_number (object, "line_offset", frame->line_offset)
      && set_number (object, "discriminator", frame->discriminator)
      && json_object_set_new (object, "inline",
			      json_boolean (frame->is_inline)) == 0)
    return object;
  json_decref (object);
  return NULL;
}

static json_t *
frames_json (const struct heap_report *report,
	     const struct report_entry *entry)
{
  json_t *array = json_array ();
  uint32_t context = entry->context;
  while (context != 0 && array != NULL)
    {
      uint32_t frame = heap_profile_context_frame (report->profile, context);
      if (json_array_append_new (array, frame_json (report, frame)) != 0)
	{
	  json_decref (array);
	  return NULL;
	}
      context = heap_profile_context_caller (report->profile, context);
    }
  return array;
}

/* How many frames the innermost one of the site is away from the innermost.  */
static uint64_t
site_depth (const struct heap_report *report, const struct report_entry *entry)
{
  uint64_t depth = 0;
  uint32_t context = entry->context;
  while (context != 0
	 && heap_profile_context_frame (report->profile, context)
	      != entry->site)
    {
      depth++;
      context = heap_profile_context_caller (report->profile, context);
    }
  return depth;
}

static json_t *
marks_json (unsigned int marks)
{
  static const unsigned int values[]
    = { REPORT_HOT, REPORT_COLD, REPORT_LEAK };
  char text[REPORT_MARKS_TEXT_BYTES];
  json_t *array = json_array ();
  for (size_t i = 0; i < sizeof values / sizeof *values && array != NULL; i++)
    if ((marks & values[i]) != 0
	&& json_array_append_new (array,
				  json_string (marks_text (text, values[i])))
	     != 0)
      {
	json_decref (array);
	return NULL;
      }
  return array;
}

/* Set the histogram of accesses, if the context has one.  */
static bool
set_histogram (json_t *object, const struct heap_profile *profile,
	       uint32_t context)
{
  const struct heap_histogram *histogram
    = heap_details_histogram (heap_profile_read_details (profile), context);
  if (histogram == NULL)
    return true;
  json_t *array = json_array ();
  for (uint32_t i = 0; i < histogram->count && array != NULL; i++)
    if (json_array_append_new (array, json_integer (
					(json_int_t) histogram->counts[i]))
	!= 0)
      {
	json_decref (array);
	return false;
      }
  return json_object_set_new (object, "histogram", array) == 0;
}

static json_t *
context_json (const struct heap_report *report,
	      const struct report_entry *entry)
{
  json_t *object = json_object ();
  if (object != NULL
      && json_object_set_new (object, "marks", marks_json (entry->marks)) == 0
      && set_number (object, "site", site_depth (report, entry))
      && json_object_set_new (object, "frames", frames_json (report, entry))
	   == 0
      && json_object_set_new (object, "info", info_json (&entry->info)) == 0
      && set_histogram (object, report->profile, entry->context))
    return object;
  json_decref (object);
  return NULL;
}

static json_t *
totals_json (const struct heap_report *report)
{
  const struct heap_profile_totals *totals
    = heap_profile_totals (report->profile);
  json_t *object = json_object ();
  if (object != NULL && set_number (object, "runs", totals->runs)
      && set_number (object, "incomplete_runs", totals->incomplete_runs)
      && set_number (object, "dropped_contexts", totals->dropped_contexts)
      && set_number (object, "truncated_contexts", totals->truncated_contexts)
      && set_number (object, "unprofiled_allocations",
		     totals->unprofiled_allocations)
      && set_number (object, "foreign_frees", totals->foreign_frees)
      && set_number (object, "ended_walks", totals->ended_walks)
      && set_number (object, "folded_contexts", totals->folded_contexts)
      && set_number (object, "pruned_contexts", totals->pruned_contexts)
      && set_number (object, "duration_ns", totals->duration_ns)
      && set_number (object, "contexts", report->total_contexts)
      && json_object_set_new (object, "info", info_json (&report->total)) == 0)
    return object;
  json_decref (object);
  return NULL;
}

/* Print VALUE, which it releases, after BEFORE.  False if it is NULL.  An
   error of writing shows when standard output is closed.  */
static bool
print_json (const char *before, json_t *value)
{
  if (value == NULL)
    return false;
  fputs (before, stdout);
  char *text = json_dumps (value, DUMP_FLAGS);
  json_decref (value);
  if (text == NULL)
    return false;
  fputs (text, stdout);
  free (text);
  return true;
}

bool
show_json (const struct heap_report *report,
	   const struct counter_profile *counters,
	   const struct counter_options *options)
{
  printf ("{\"version\":%d,\n\"totals\":", JSON_FORM_VERSION);
  if (!print_json ("", totals_json (report)))
    return false;
  fputs (",\n\"contexts\":[", stdout);
  for (size_t i = 0; i < report->context_count; i++)
    if (!print_json (i == 0 ? "\n" : ",\n",
		     context_json (report, &report->contexts[i])))
      return false;
  fputs ("\n]", stdout);
  if (counters != NULL)
    {
      fputs (",\n\"counters\":", stdout);
      if (!show_counters_json (counters, options))
	return false;
    }
  puts ("}");
  return true;
}
