/* The JSON form of speedscope, a viewer of profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

     { "$schema": URL, "name": TITLE, "exporter": ..., "activeProfileIndex": 0,
       "shared": { "frames": [ { "name", "file", "line", "col" } ] },
       "profiles": [ { "type": "sampled", "name", "unit", "startValue",
		       "endValue", "samples": [ [ frame, outermost first ] ],
		       "weights": [ number ] } ] }  */

#include "export.h"
#include "heap-json.h"
#include <inttypes.h>
#include <stdlib.h>

static json_t *
frame_json (const struct export_input *input, uint32_t id)
{
  const struct heap_profile *profile = input->report->profile;
  const struct heap_frame *frame = heap_profile_frame (profile, id);
  const char *file
    = heap_profile_string (profile,
			   frame->file != 0 ? frame->file : frame->module);
  json_t *object = json_object ();
  if (object != NULL
      && json_object_set_new (object, "name",
			      json_plain_text (frame_names_text (input->names,
								 id)))
	   == 0
      && (*file == '\0'
	  || json_object_set_new (object, "file", json_plain_text (file)) == 0)
      && (frame->line == 0 || json_set_number (object, "line", frame->line))
      && (frame->column == 0 || json_set_number (object, "col", frame->column)))
    return object;
  json_decref (object);
  return NULL;
}

static bool
write_frames (const struct export_input *input, FILE *out)
{
  uint32_t count = heap_profile_frame_count (input->report->profile);
  fputs (",\n\"shared\":{\"frames\":[", out);
  for (uint32_t id = 0; id < count; id++)
    if (!json_write (out, id == 0 ? "\n" : ",\n", frame_json (input, id)))
      return false;
  fputs ("\n]}", out);
  return true;
}

/* Return speedscope's name for the unit of VALUE.  */
static const char *
unit_of (enum context_measure value)
{
  switch (value)
    {
    case CONTEXT_BYTES:
    case CONTEXT_LIVE_BYTES:
    case CONTEXT_PEAK:
    case CONTEXT_LOST_BYTES:
      return "bytes";
    case CONTEXT_LIFETIME:
      return "nanoseconds";
    default:
      return "none";
    }
}

static bool
write_samples (const struct export_input *input, FILE *out)
{
  const struct heap_report *report = input->report;
  const char *separator = "\n";
  for (size_t i = 0; i < report->context_count; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      size_t count;
      uint32_t *frames = export_frames (input, entry, &count);
      if (frames == NULL)
	return false;
      fprintf (out, "%s[", separator);
      for (size_t j = count; j-- > 0;)
	fprintf (out, "%" PRIu32 "%s", frames[j], j > 0 ? "," : "");
      putc (']', out);
      separator = ",\n";
      free (frames);
    }
  return true;
}

/* Write the numbers, and return their sum.  */
static uint64_t
write_weights (const struct export_input *input, FILE *out)
{
  const struct heap_report *report = input->report;
  uint64_t sum = 0;
  for (size_t i = 0; i < report->context_count; i++)
    {
      uint64_t value
	= context_measure (&report->contexts[i].info, input->value);
      fprintf (out, "%s%" PRIu64, i > 0 ? "," : "", value);
      if (__builtin_add_overflow (sum, value, &sum))
	sum = UINT64_MAX;
    }
  return sum;
}

/* Write the name of the program and of the profile's source.  */
static bool
write_title (const struct export_input *input, FILE *out)
{
  char *title;
  if (input->module == 0)
    return json_write (out, ",\n\"name\":", json_plain_text (input->title));
  if (asprintf (&title, "%s (%s)", input->program, input->title) < 0)
    return false;
  bool is_done = json_write (out, ",\n\"name\":", json_plain_text (title));
  free (title);
  return is_done;
}

bool
export_speedscope (const struct export_input *input, FILE *out)
{
  fputs ("{\"$schema\":"
	 "\"https://www.speedscope.app/file-format-schema.json\"",
	 out);
  if (!write_title (input, out))
    return false;
  char margins[EXPORT_MARGINS_BYTES];
  const bool has_margins = export_margins (input, margins);
  fprintf (out,
	   ",\n\"exporter\":\"heapprof-gcov%s%s\",\"activeProfileIndex\":0",
	   has_margins ? ", " : "", has_margins ? margins : "");
  if (!write_frames (input, out))
    return false;
  fprintf (out,
	   ",\n\"profiles\":[{\"type\":\"sampled\",\"name\":\"%s\","
	   "\"unit\":\"%s\",\"samples\":[",
	   context_measure_name (input->value), unit_of (input->value));
  if (!write_samples (input, out))
    return false;
  fputs ("\n],\n\"weights\":[", out);
  uint64_t sum = write_weights (input, out);
  fprintf (out, "],\n\"startValue\":0,\"endValue\":%" PRIu64 "}]}\n", sum);
  return true;
}
