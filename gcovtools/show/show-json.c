/* The report as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later

   Contexts are written one by one, so the JSON form of a large profile is never
   in memory as a whole.  */

#include "show.h"
#include "heap-affinities.h"
#include "heap-json.h"
#include "show-modules.h"
#include "show-single-threads.h"
#include "show-threads.h"
#include "show-times.h"
#include "show-types.h"
#include <stdio.h>
#include <stdlib.h>

/* Version of the form described in heapprof-gcov-show(1).  */
#define JSON_FORM_VERSION 1

/* Write the frames of CONTEXT to OUT, the innermost one first.  */
static bool
write_frames (struct heap_json_frames *frames, uint32_t context, FILE *out)
{
  const struct heap_profile *profile = frames->report->profile;
  const char *before = "";
  for (; context != 0; context = heap_profile_context_caller (profile, context))
    {
      if (!heap_json_frames_write (frames, out, before,
				   heap_profile_context_frame (profile,
							       context)))
	return false;
      before = ",";
    }
  return true;
}

static json_t *
marks_json (unsigned int marks)
{
  json_t *array = json_array ();
  for (unsigned int mark = 1; mark < REPORT_MARKS_END && array != NULL;
       mark <<= 1)
    if ((marks & mark) != 0
	&& json_array_append_new (array, json_string (report_mark_name (mark)))
	     != 0)
      {
	json_decref (array);
	return NULL;
      }
  return array;
}

/* Write the access histogram if the context has one.  */
static bool
write_histogram (const struct heap_profile *profile, uint32_t context,
		 FILE *out)
{
  const struct heap_histogram *histogram
    = heap_details_histogram (heap_profile_read_details (profile), context);
  if (histogram == NULL)
    return true;
  json_t *array = json_array ();
  for (uint32_t i = 0; i < histogram->count && array != NULL; i++)
    if (json_array_append_new (array, json_number (histogram->counts[i])) != 0)
      {
	json_decref (array);
	return false;
      }
  return json_write (out, ",\"histogram\":", array);
}

/* Write an object with all of ENTRY.  */
static bool
write_context (struct heap_json_frames *frames,
	       const struct show_threads *threads,
	       const struct report_entry *entry, FILE *out)
{
  const struct heap_report *report = frames->report;
  const char *thread = threads->names[threads->starts.threads[entry->context]];
  if (!json_write (out, "{\"marks\":", marks_json (entry->marks))
      || !json_write (out, ",\"site\":",
		      json_number (heap_report_depth (report->profile,
						      entry->context,
						      entry->site_node)))
      || (*thread != '\0'
	  && !json_write (out, ",\"thread\":", json_text (thread))))
    return false;
  fputs (",\"frames\":[", out);
  if (!write_frames (frames, entry->context, out)
      || !json_write (out, "],\"info\":",
		      heap_json_info (&entry->info, &report->known))
      || !write_histogram (report->profile, entry->context, out))
    return false;
  putc ('}', out);
  return true;
}

static bool
write_contexts (const struct heap_report *report,
		const struct show_threads *threads, FILE *out)
{
  struct heap_json_frames frames;
  bool is_done = heap_json_frames_begin (&frames, report);
  fputs (",\n\"contexts\":[", out);
  for (size_t i = 0; i < report->context_count && is_done; i++)
    {
      fputs (i == 0 ? "\n" : ",\n", out);
      is_done = write_context (&frames, threads, &report->contexts[i], out);
    }
  fputs ("\n]", out);
  heap_json_frames_release (&frames);
  return is_done;
}

/* Write the affinities, if there are any, of contexts that are shown; these are
   identified by their numbers in the list.  */
static bool
write_affinities (const struct heap_report *report, FILE *out)
{
  const struct heap_details *details
    = heap_profile_read_details (report->profile);
  const uint32_t count = heap_details_affinity_count (details);
  const char *separator = ",\n\"affinities\":[\n";
  bool is_done = true;
  if (count == 0)
    return true;
  uint32_t *numbers
    = calloc (heap_profile_context_count (report->profile), sizeof *numbers);
  if (numbers == NULL)
    return false;
  for (size_t i = 0; i < report->context_count; i++)
    numbers[report->contexts[i].context] = (uint32_t) i + 1;
  for (uint32_t i = 0; i < count && is_done; i++)
    {
      const struct heap_affinity *affinity
	= heap_details_affinity_at (details, i);
      const uint32_t first = numbers[affinity->first];
      const uint32_t second = numbers[affinity->second];
      if (first == 0 || second == 0)
	continue;
      json_t *object = json_object ();
      is_done = object != NULL && json_set_number (object, "first", first - 1)
		&& json_set_number (object, "second", second - 1)
		&& json_set_number (object, "lines", affinity->lines);
      if (is_done)
	is_done = json_write (out, separator, object);
      else
	json_decref (object);
      separator = ",\n";
    }
  free (numbers);
  if (separator[2] == '\0')
    fputs ("\n]", out);
  return is_done;
}

bool
show_heap_json (const struct heap_report *report, FILE *out)
{
  struct show_threads threads;
  fprintf (out, "{\"version\":%d,\n\"totals\":", JSON_FORM_VERSION);
  bool is_done
    = show_threads_make (&threads, report, true)
      && json_write (out, "", heap_json_totals (report))
      && show_modules_json (report, out)
      && show_threads_json (&threads, report, out)
      && show_single_threads_json (report, out)
      && json_write (out, ",\n\"looked_through\":",
		     heap_json_looked_through (report, &report->looked_through))
      && write_contexts (report, &threads, out)
      && write_affinities (report, out) && show_times_json (report, out)
      && show_types_json (report, false, out);
  show_threads_release (&threads);
  return is_done;
}

bool
show_json (const struct heap_report *report,
	   const struct counter_profile *counters,
	   const struct counter_options *options)
{
  if (!show_heap_json (report, stdout))
    return false;
  if (counters != NULL)
    {
      fputs (",\n\"counters\":", stdout);
      if (!show_counters_json (counters, options))
	return false;
    }
  puts ("}");
  return true;
}
