/* The heap over time, and its marks, as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show-times.h"
#include "heap-json.h"
#include "heap-moments.h"
#include <stddef.h>
#include <string.h>

/* Return the numbers at OFFSET in the samples of TIMELINE.  */
static json_t *
samples_json (const struct heap_timeline *timeline, size_t offset)
{
  json_t *array = json_array ();
  for (uint32_t i = 0; i < timeline->count && array != NULL; i++)
    {
      uint64_t value;
      memcpy (&value, (const char *) &timeline->samples[i] + offset,
	      sizeof value);
      if (value > INT64_MAX)
	value = INT64_MAX;
      if (json_array_append_new (array, json_number (value)) != 0)
	{
	  json_decref (array);
	  return NULL;
	}
    }
  return array;
}

static json_t *
timeline_mark_json (const struct heap_timeline_mark *mark)
{
  json_t *object = json_object ();
  if (object != NULL
      && json_object_set_new (object, "label", json_text (mark->label)) == 0
      && json_set_number (object, "time_ns", mark->time_ns)
      && json_set_number (object, "bytes", mark->bytes))
    return object;
  json_decref (object);
  return NULL;
}

static json_t *
timeline_marks_json (const struct heap_timeline *timeline)
{
  json_t *array = json_array ();
  for (uint32_t i = 0; i < timeline->mark_count && array != NULL; i++)
    if (json_array_append_new (array, timeline_mark_json (&timeline->marks[i]))
	!= 0)
      {
	json_decref (array);
	return NULL;
      }
  return array;
}

static json_t *
timeline_json (const struct heap_timeline *timeline)
{
  json_t *object = json_object ();
  if (object != NULL
      && json_set_number (object, "peak_bytes", timeline->peak_bytes)
      && json_set_number (object, "peak_ns", timeline->peak_ns)
      && json_set_number (object, "end_ns", timeline->end_ns)
      && json_set_number (object, "interval_ns",
			  UINT64_C (1) << timeline->shift)
      && json_object_set_new (object, "max",
			      samples_json (timeline,
					    offsetof (struct heap_sample, max)))
	   == 0
      && json_object_set_new (object, "end",
			      samples_json (timeline,
					    offsetof (struct heap_sample, end)))
	   == 0
      && json_object_set_new (object, "mean",
			      samples_json (timeline,
					    offsetof (struct heap_sample,
						      mean)))
	   == 0
      && json_object_set_new (object, "marks", timeline_marks_json (timeline))
	   == 0)
    return object;
  json_decref (object);
  return NULL;
}

static json_t *
mark_json (const struct heap_mark *mark)
{
  json_t *object = json_object ();
  if (object != NULL
      && json_object_set_new (object, "label", json_text (mark->label)) == 0
      && json_set_number (object, "count", mark->count)
      && json_set_number (object, "first_ns", mark->first_ns)
      && json_set_number (object, "blocks", mark->blocks)
      && json_set_number (object, "bytes", mark->bytes))
    return object;
  json_decref (object);
  return NULL;
}

bool
show_times_json (const struct heap_report *report, FILE *out)
{
  const struct heap_details *details
    = heap_profile_read_details (report->profile);
  fputs (",\n\"timelines\":[", out);
  for (uint32_t i = 0; i < heap_details_timeline_count (details); i++)
    if (!json_write (out, i > 0 ? ",\n" : "\n",
		     timeline_json (heap_details_timeline_at (details, i))))
      return false;
  fputs ("],\n\"marks\":[", out);
  for (uint32_t i = 0; i < heap_details_mark_count (details); i++)
    if (!json_write (out, i > 0 ? ",\n" : "\n",
		     mark_json (heap_details_mark_at (details, i))))
      return false;
  putc (']', out);
  return true;
}
