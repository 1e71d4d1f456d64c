/* Advice as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advise.h"
#include "heap-json.h"
#include <stdio.h>

/* Version of the form described in heapprof-gcov-advise(1).  */
#define JSON_FORM_VERSION 1

static bool
set (json_t *object, const char *key, json_t *value)
{
  return json_object_set_new (object, key, value) == 0;
}

static json_t *
make_gain (const struct advice_gain *gain)
{
  json_t *object = json_object ();
  if (set (object, "unit", json_string (advice_unit_name (gain->unit)))
      && set (object, "amount", json_real (gain->amount))
      && set (object, "share_percent", json_real (gain->share_percent)))
    return object;
  json_decref (object);
  return NULL;
}

/* Return the frames from CONTEXT outwards.  */
static json_t *
make_frames (const struct heap_report *report, uint32_t context)
{
  const struct heap_profile *profile = report->profile;
  json_t *frames = json_array ();
  for (; context != 0; context = heap_profile_context_caller (profile, context))
    if (json_array_append_new (
	  frames,
	  heap_json_frame (report,
			   heap_profile_context_frame (profile, context)))
	!= 0)
      {
	json_decref (frames);
	return NULL;
      }
  return frames;
}

/* Return how many frames of ITEM's context are inside its site.  */
static uint64_t
depth_of (const struct heap_report *report, const struct advice *item)
{
  uint64_t depth = 0;
  for (uint32_t node = item->context; node != item->site && node != 0;
       node = heap_profile_context_caller (report->profile, node))
    depth++;
  return depth;
}

/* Set the site of ITEM and its context.  */
static bool
set_site (json_t *object, const struct advice_list *advice,
	  const struct advice *item)
{
  return json_set_text (object, "function", item->function)
	 && json_set_text (object, "file", item->file)
	 && (item->line == 0 || json_set_number (object, "line", item->line))
	 && set (object, "context", make_frames (advice->report, item->context))
	 && json_set_number (object, "site_depth",
			     depth_of (advice->report, item));
}

static bool
set_figures (json_t *object, const struct advice_list *advice,
	     const struct advice *item)
{
  const struct heap_report *report = advice->report;
  bool has_info = item->kind != ADVICE_PLACEMENT;
  return json_set_number (object, "contexts", item->contexts)
	 && json_set_number (object, "blocks", item->info.alloc_count)
	 && json_set_number (object, "bytes", item->info.size_bytes.total)
	 && set (object, "info",
		 has_info ? heap_json_info (&item->info, &report->known)
			  : json_null ())
	 && set (object, "mean_memory_bytes",
		 has_info ? json_real (item->memory_bytes) : json_null ())
	 && (item->type == NULL
	     || json_set_text (object, "type",
			       heap_profile_string (report->profile,
						    item->type->name)));
}

static json_t *
make_item (const struct advice_list *advice, const struct advice *item)
{
  json_t *object = json_object ();
  if (set (object, "kind", json_string (advice_kind_facts (item->kind)->name))
      && set (object, "gain", make_gain (&item->gain))
      && set_site (object, advice, item) && set_figures (object, advice, item)
      && set (object, "evidence", json_text (item->evidence))
      && set (object, "action", json_text (item->action)))
    return object;
  json_decref (object);
  return NULL;
}

static json_t *
make_items (const struct advice_list *advice, size_t shown)
{
  json_t *items = json_array ();
  for (size_t i = 0; i < shown; i++)
    if (json_array_append_new (items, make_item (advice, &advice->list[i]))
	!= 0)
      {
	json_decref (items);
	return NULL;
      }
  return items;
}

static json_t *
make_sentences (const struct advice_sentences *sentences)
{
  json_t *list = json_array ();
  for (size_t i = 0; i < sentences->count; i++)
    if (json_array_append_new (list, json_text (sentences->list[i])) != 0)
      {
	json_decref (list);
	return NULL;
      }
  return list;
}

bool
advise_print_json (const struct advice_list *advice,
		   const struct advise_print *print)
{
  size_t shown = advise_shown (advice, print);
  printf ("{\"version\":%d", JSON_FORM_VERSION);
  if (!json_print (",\n\"path\":", json_text (print->path))
      || !json_print (",\n\"totals\":", heap_json_totals (advice->report))
      || !json_print (",\n\"looked_through\":",
		      heap_json_looked_through (advice->report,
						&advice->report
						   ->looked_through))
      || !json_print (",\n\"mean_memory_bytes\":",
		      json_real (advice->memory_bytes))
      || !json_print (",\n\"advice\":", make_items (advice, shown)))
    return false;
  printf (",\n\"omitted\":%zu", advice->count - shown);
  bool is_done
    = json_print (",\n\"limits\":", make_sentences (&advice->limits))
      && json_print (",\n\"missing\":", make_sentences (&advice->missing));
  puts ("}");
  return is_done;
}
