/* Advice as SARIF 2.1.0, the format of static analysis results.
   SPDX-License-Identifier: GPL-3.0-or-later

   Files below the base folder have relative URIs, so that they are found in
   another copy of the source.  Each result has a location, since GitHub
   requires one: the line, or without a known file, the profile.  The calling
   context is a code flow, from the outermost frame to the allocation.  */

#include "advise.h"
#include "file-uri.h"
#include "frame-text.h"
#include "function-id.h"
#include "function-name.h"
#include "heap-json.h"
#include <config.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE_ID "SRCROOT"
#define SCHEMA                                                                 \
  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"        \
  "sarif-schema-2.1.0.json"

/* What a result is about, so that it is found again in another run.  */
struct fingerprint
{
  uint64_t identity;
  size_t number; /* of the advice */
  size_t before; /* advice with the same identity */
};

struct sarif
{
  const struct advice_list *advice;
  const struct advise_print *print;
  char *base; /* malloced: absolute path of the base folder */
  struct fingerprint *fingerprints; /* malloced, by number of advice */
};

static bool
set (json_t *object, const char *key, json_t *value)
{
  return json_object_set_new (object, key, value) == 0;
}

/* Return an object with VALUE at KEY; NULL if memory is exhausted, also if
   VALUE is NULL.  */
static json_t *
make_with (const char *key, json_t *value)
{
  json_t *object = json_object ();
  if (set (object, key, value))
    return object;
  json_decref (object);
  return NULL;
}

/* Return a message.  In messages, brackets before parentheses are a link.  */
static json_t *
make_message (const char *text)
{
  char *copy = NULL;
  struct advice_text made;
  if (!advice_text_start (&made, &copy))
    return NULL;
  for (; *text != '\0'; text++)
    {
      putc (*text, made.out);
      if (text[0] == ']' && text[1] == '(')
	putc (' ', made.out);
    }
  json_t *message = NULL;
  if (advice_text_end (&made))
    message = make_with ("text", json_plain_text (copy));
  free (copy);
  return message;
}

/* ---- Rules.  */

static json_t *
make_rule (enum advice_kind kind)
{
  const struct advice_kind_facts *facts = advice_kind_facts (kind);
  json_t *rule = make_with ("id", json_string (facts->name));
  json_t *properties
    = make_with ("tags", json_pack ("[ss]", "performance", "memory"));
  if (set (properties, "precision", json_string ("high"))
      && set (properties, "problem.severity",
	      json_string (facts->is_warning ? "warning" : "recommendation"))
      && set (rule, "shortDescription", make_message (facts->title))
      && set (rule, "fullDescription", make_message (facts->meaning))
      && set (rule, "help", make_message (facts->help))
      && set (rule, "defaultConfiguration",
	      make_with ("level",
			 json_string (facts->is_warning ? "warning" : "note"))))
    {
      if (set (rule, "properties", properties))
	return rule;
      properties = NULL;
    }
  json_decref (properties);
  json_decref (rule);
  return NULL;
}

static json_t *
make_tool (void)
{
  json_t *rules = json_array ();
  for (int kind = 0; kind < ADVICE_KINDS; kind++)
    if (json_array_append_new (rules, make_rule (kind)) != 0)
      {
	json_decref (rules);
	return NULL;
      }
  json_t *driver = make_with ("name", json_string ("heapprof-gcov advise"));
  if (set (driver, "version", json_string (PACKAGE_VERSION))
      && set (driver, "rules", rules))
    return make_with ("driver", driver);
  json_decref (driver);
  return NULL;
}

/* ---- Locations.  */

/* Return the location of FILE, LINE (0: unknown) in FUNCTION, a linkage name.
   Empty strings are unknown.  */
static json_t *
make_location (const struct sarif *sarif, const char *file, uint32_t line,
	       const char *function)
{
  json_t *location = json_object ();
  json_t *physical = json_object ();
  bool is_done = location != NULL && physical != NULL;
  if (*file != '\0')
    {
      bool is_relative;
      char *uri = file_uri_make (file, sarif->base, &is_relative);
      json_t *artifact
	= make_with ("uri", uri != NULL ? json_string (uri) : NULL);
      is_done = is_done && set (physical, "artifactLocation", artifact)
		&& (!is_relative
		    || set (artifact, "uriBaseId", json_string (BASE_ID)));
      free (uri);
    }
  if (is_done && *file != '\0' && line > 0)
    is_done
      = set (physical, "region", make_with ("startLine", json_integer (line)));
  if (is_done && *file != '\0')
    is_done = set (location, "physicalLocation", json_incref (physical));
  if (is_done && *function != '\0')
    {
      char *name = function_name_demangle (function, true);
      json_t *logical
	= make_with ("fullyQualifiedName",
		     name != NULL ? json_plain_text (name) : NULL);
      is_done = set (logical, "kind", json_string ("function"));
      json_t *list = json_array ();
      is_done = json_array_append_new (list, logical) == 0 && is_done
		&& set (location, "logicalLocations", list);
      free (name);
    }
  json_decref (physical);
  if (is_done)
    return location;
  json_decref (location);
  return NULL;
}

static json_t *
make_locations (const struct sarif *sarif, const struct advice *item)
{
  bool has_file = *item->file != '\0';
  json_t *list = json_array ();
  if (json_array_append_new (list, make_location (sarif,
						  has_file ? item->file
							   : sarif->print->path,
						  has_file ? item->line : 0,
						  item->function))
      == 0)
    return list;
  json_decref (list);
  return NULL;
}

/* Return the step of a code flow to frame ID, at the depth LEVEL.  */
static json_t *
make_step (const struct sarif *sarif, uint32_t id, uint64_t level)
{
  const struct heap_report *report = sarif->advice->report;
  const struct heap_frame *frame = heap_profile_frame (report->profile, id);
  char *text = site_text (report, id);
  json_t *location
    = make_location (sarif, heap_profile_string (report->profile, frame->file),
		     frame->line,
		     heap_profile_string (report->profile,
					  frame->function_name));
  if (text == NULL || !set (location, "message", make_message (text)))
    {
      json_decref (location);
      location = NULL;
    }
  free (text);
  json_t *step = make_with ("location", location);
  if (json_set_number (step, "nestingLevel", level))
    return step;
  json_decref (step);
  return NULL;
}

/* Return the number of frames from CONTEXT out to main, or all.  */
static uint32_t
depth_of (const struct heap_report *report, uint32_t context)
{
  uint32_t count = 0;
  for (; context != 0;
       context = heap_profile_context_caller (report->profile, context))
    {
      count++;
      if (strcmp (linkage_name_of (report, context), "main") == 0)
	break;
    }
  return count;
}

/* Append the frames of CONTEXT in files to STEPS, from main inwards.  */
static bool
add_steps (const struct sarif *sarif, json_t *steps, uint32_t context)
{
  const struct heap_profile *profile = sarif->advice->report->profile;
  uint32_t count = depth_of (sarif->advice->report, context);
  uint32_t *frames = calloc ((size_t) count + 1, sizeof *frames);
  bool is_done = frames != NULL;
  for (uint32_t i = count; is_done && i > 0; i--)
    {
      frames[i - 1] = heap_profile_context_frame (profile, context);
      context = heap_profile_context_caller (profile, context);
    }
  for (uint32_t i = 0; is_done && i < count; i++)
    if (heap_profile_frame (profile, frames[i])->file != 0)
      is_done
	= json_array_append_new (steps, make_step (sarif, frames[i], i)) == 0;
  free (frames);
  return is_done;
}

/* Set the code flow of ITEM, if its context has files.  */
static bool
set_flow (const struct sarif *sarif, json_t *result, const struct advice *item)
{
  json_t *steps = json_array ();
  if (!add_steps (sarif, steps, item->context))
    {
      json_decref (steps);
      return false;
    }
  if (json_array_size (steps) == 0)
    {
      json_decref (steps);
      return true;
    }
  json_t *threads = json_array ();
  json_t *flows = json_array ();
  if (json_array_append_new (threads, make_with ("locations", steps)) == 0
      && json_array_append_new (flows, make_with ("threadFlows",
						  json_incref (threads)))
	   == 0)
    {
      json_decref (threads);
      return set (result, "codeFlows", flows);
    }
  json_decref (threads);
  json_decref (flows);
  return false;
}

/* ---- Results.  */

/* Return a number for what ITEM is about, which stays if lines above it
   move.  */
static uint64_t
identity_of (const struct advice_list *advice, const struct advice *item)
{
  char *text;
  uint32_t offset
    = item->frame != 0
	? heap_profile_frame (advice->report->profile, item->frame)->line_offset
	: 0;
  uint64_t guid = item->frame != 0
		    ? heap_profile_frame (advice->report->profile, item->frame)
			->function_guid
		    : function_canonical_guid (item->function);
  int bytes = asprintf (&text, "%s %" PRIx64 " %" PRIu32,
			advice_kind_facts (item->kind)->name, guid, offset);
  if (bytes < 0)
    return 0;
  uint64_t identity = function_guid (text, (size_t) bytes);
  free (text);
  return identity;
}

static int
compare_fingerprints (const void *a, const void *b)
{
  const struct fingerprint *x = a;
  const struct fingerprint *y = b;
  if (x->identity != y->identity)
    return x->identity < y->identity ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static int
compare_numbers (const void *a, const void *b)
{
  const struct fingerprint *x = a;
  const struct fingerprint *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

/* Make the fingerprints of the first COUNT pieces.  Return false if memory is
   exhausted.  */
static bool
make_fingerprints (struct sarif *sarif, size_t count)
{
  struct fingerprint *list = calloc (count + 1, sizeof *list);
  sarif->fingerprints = list;
  if (list == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      list[i].identity = identity_of (sarif->advice, &sarif->advice->list[i]);
      list[i].number = i;
    }
  qsort (list, count, sizeof *list, compare_fingerprints);
  for (size_t i = 1; i < count; i++)
    if (list[i].identity == list[i - 1].identity)
      list[i].before = list[i - 1].before + 1;
  qsort (list, count, sizeof *list, compare_numbers);
  return true;
}

static bool
set_fingerprint (const struct sarif *sarif, json_t *result, size_t number)
{
  const struct fingerprint *print = &sarif->fingerprints[number];
  char text[64];
  snprintf (text, sizeof text, "%016" PRIx64 ":%zu", print->identity,
	    print->before + 1);
  return set (result, "partialFingerprints",
	      make_with ("heapprofAdvice/v1", json_string (text)));
}

static bool
set_properties (json_t *result, const struct advice *item)
{
  json_t *properties
    = make_with ("unit", json_string (advice_unit_name (item->gain.unit)));
  if (set (properties, "amount", json_real (item->gain.amount))
      && set (properties, "sharePercent", json_real (item->gain.share_percent))
      && json_set_number (properties, "contexts", item->contexts)
      && json_set_number (properties, "blocks", item->info.alloc_count)
      && json_set_number (properties, "bytes", item->info.size_bytes.total))
    return set (result, "properties", properties);
  json_decref (properties);
  return false;
}

/* Return the message of ITEM: gain, figures, action.  */
static json_t *
make_result_message (const struct advice *item)
{
  char *text;
  if (asprintf (&text, "%s: up to %.1f%% of the %s. %s %s",
		advice_kind_facts (item->kind)->title, item->gain.share_percent,
		advice_unit_words (item->gain.unit), item->evidence,
		item->action)
      < 0)
    return NULL;
  json_t *message = make_message (text);
  free (text);
  return message;
}

static json_t *
make_result (const struct sarif *sarif, size_t number)
{
  const struct advice *item = &sarif->advice->list[number];
  const struct advice_kind_facts *facts = advice_kind_facts (item->kind);
  double rank = item->gain.share_percent;
  json_t *result = make_with ("ruleId", json_string (facts->name));
  if (json_set_number (result, "ruleIndex", item->kind)
      && set (result, "level",
	      json_string (facts->is_warning ? "warning" : "note"))
      && set (result, "message", make_result_message (item))
      && set (result, "locations", make_locations (sarif, item))
      && set_flow (sarif, result, item)
      && set_fingerprint (sarif, result, number)
      && set (result, "rank", json_real (rank > 100 ? 100 : rank))
      && set_properties (result, item))
    return result;
  json_decref (result);
  return NULL;
}

/* ---- The log.  */

static json_t *
make_bases (const struct sarif *sarif)
{
  char *uri = file_uri_of_folder (sarif->base);
  json_t *base = make_with ("uri", uri != NULL ? json_string (uri) : NULL);
  free (uri);
  return make_with (BASE_ID, base);
}

/* Return what is not about one place.  */
static json_t *
make_run_properties (const struct advice_list *advice)
{
  const struct advice_sentences *const lists[]
    = { &advice->limits, &advice->missing };
  static const char *const keys[] = { "limits", "missing" };
  json_t *properties = json_object ();
  for (int which = 0; which < 2; which++)
    {
      json_t *list = json_array ();
      bool is_done = true;
      for (size_t i = 0; i < lists[which]->count; i++)
	is_done
	  &= json_array_append_new (list,
				    json_plain_text (lists[which]->list[i]))
	     == 0;
      if (!set (properties, keys[which], list) || !is_done)
	{
	  json_decref (properties);
	  return NULL;
	}
    }
  return properties;
}

static bool
print_results (const struct sarif *sarif)
{
  size_t shown = advise_shown (sarif->advice, sarif->print);
  fputs (",\n\"results\":[", stdout);
  for (size_t i = 0; i < shown; i++)
    if (!json_print (i == 0 ? "\n" : ",\n", make_result (sarif, i)))
      return false;
  fputs ("]", stdout);
  return true;
}

bool
advise_print_sarif (const struct advice_list *advice,
		    const struct advise_print *print)
{
  struct sarif sarif = { .advice = advice,
			 .print = print,
			 .base = file_uri_folder (print->base) };
  fputs ("{\"$schema\":\"" SCHEMA "\",\n\"version\":\"2.1.0\",\n\"runs\":[{",
	 stdout);
  bool is_done
    = sarif.base != NULL
      && make_fingerprints (&sarif, advise_shown (advice, print))
      && json_print ("\"tool\":", make_tool ())
      && json_print (",\n\"originalUriBaseIds\":", make_bases (&sarif))
      && json_print (",\n\"properties\":", make_run_properties (advice))
      && print_results (&sarif);
  puts ("}]}");
  free (sarif.fingerprints);
  free (sarif.base);
  return is_done;
}
