/* Findings as SARIF 2.1.0, the format of static analysis results.
   SPDX-License-Identifier: GPL-3.0-or-later

   Files below the base folder have relative URIs, so that they are found in
   another copy of the source.  Each result has a location, since GitHub
   requires one: the line, or without a known file, the profile.  The calling
   context is a code flow, from the outermost frame to the allocation.  */

#include "file-uri.h"
#include "findings.h"
#include "frame-text.h"
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

struct sarif
{
  const struct finding_list *list;
  char *base;	   /* malloced: absolute path of the base folder */
  size_t *repeats; /* malloced, by number of the finding */
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
  /* A space in front of each parenthesis, at most.  */
  char *copy = malloc (2 * strlen (text) + 1);
  if (copy == NULL)
    return NULL;
  char *end = copy;
  for (; *text != '\0'; text++)
    {
      *end++ = *text;
      if (text[0] == ']' && text[1] == '(')
	*end++ = ' ';
    }
  *end = '\0';
  json_t *message = make_with ("text", json_plain_text (copy));
  free (copy);
  return message;
}

static json_t *
make_level (enum finding_level level)
{
  static const char *const names[] = { [FINDING_NOTE] = "note",
				       [FINDING_WARNING] = "warning",
				       [FINDING_ERROR] = "error" };
  return json_string (names[level]);
}

/* ---- Rules.  */

static json_t *
make_rule (const struct finding_rule *facts)
{
  static const char *const severities[] = { [FINDING_NOTE] = "recommendation",
					    [FINDING_WARNING] = "warning",
					    [FINDING_ERROR] = "error" };
  json_t *rule = make_with ("id", json_string (facts->id));
  json_t *properties
    = make_with ("tags", json_pack ("[ss]", "performance", "memory"));
  if (set (properties, "precision", json_string ("high"))
      && set (properties, "problem.severity",
	      json_string (severities[facts->level]))
      && set (rule, "shortDescription", make_message (facts->title))
      && set (rule, "fullDescription", make_message (facts->meaning))
      && set (rule, "help", make_message (facts->help))
      && set (rule, "defaultConfiguration",
	      make_with ("level", make_level (facts->level))))
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
make_tool (const struct finding_list *list)
{
  json_t *rules = json_array ();
  for (size_t i = 0; i < list->rule_count; i++)
    if (json_array_append_new (rules, make_rule (&list->rules[i])) != 0)
      {
	json_decref (rules);
	return NULL;
      }
  json_t *driver = make_with ("name", json_string (list->tool));
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
make_locations (const struct sarif *sarif, const struct finding *item)
{
  bool has_file = *item->file != '\0';
  json_t *list = json_array ();
  if (json_array_append_new (list, make_location (sarif,
						  has_file ? item->file
							   : sarif->list->path,
						  has_file ? item->line : 0,
						  item->function))
      == 0)
    return list;
  json_decref (list);
  return NULL;
}

/* Return the step of a code flow to frame ID of REPORT, at the depth LEVEL.  */
static json_t *
make_step (const struct sarif *sarif, const struct heap_report *report,
	   uint32_t id, uint64_t level)
{
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

/* Append the frames of ITEM's context in files to STEPS, from main inwards.  */
static bool
add_steps (const struct sarif *sarif, json_t *steps, const struct finding *item)
{
  const struct heap_report *report = item->report;
  if (item->context == 0)
    return true;
  const struct heap_profile *profile = report->profile;
  uint32_t context = item->context;
  uint32_t count = depth_of (report, context);
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
	= json_array_append_new (steps, make_step (sarif, report, frames[i], i))
	  == 0;
  free (frames);
  return is_done;
}

/* Set the code flow of ITEM, if its context has files.  */
static bool
set_flow (const struct sarif *sarif, json_t *result, const struct finding *item)
{
  json_t *steps = json_array ();
  if (!add_steps (sarif, steps, item))
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

static bool
set_fingerprint (const struct sarif *sarif, json_t *result, size_t number)
{
  char text[64];
  snprintf (text, sizeof text, "%016" PRIx64 ":%zu",
	    sarif->list->list[number].identity, sarif->repeats[number] + 1);
  return set (result, "partialFingerprints",
	      make_with (sarif->list->identity_name, json_string (text)));
}

static json_t *
make_result (const struct sarif *sarif, size_t number)
{
  const struct finding *item = &sarif->list->list[number];
  json_t *result
    = make_with ("ruleId", json_string (sarif->list->rules[item->rule].id));
  if (json_set_number (result, "ruleIndex", item->rule)
      && set (result, "level", make_level (item->level))
      && set (result, "message", make_message (item->message))
      && set (result, "locations", make_locations (sarif, item))
      && set_flow (sarif, result, item)
      && set_fingerprint (sarif, result, number)
      && set (result, "rank", json_real (item->rank > 100 ? 100 : item->rank))
      && (item->properties == NULL
	  || set (result, "properties", json_incref (item->properties))))
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

static bool
write_results (const struct sarif *sarif, FILE *out)
{
  fputs (",\n\"results\":[", out);
  for (size_t i = 0; i < sarif->list->count; i++)
    if (!json_write (out, i == 0 ? "\n" : ",\n", make_result (sarif, i)))
      return false;
  fputs ("]", out);
  return true;
}

bool
finding_write_sarif (const struct finding_list *list, FILE *out)
{
  struct sarif sarif = { .list = list,
			 .base = file_uri_folder (list->base),
			 .repeats = finding_list_repeats (list) };
  fputs ("{\"$schema\":\"" SCHEMA "\",\n\"version\":\"2.1.0\",\n\"runs\":[{",
	 out);
  bool is_done
    = sarif.base != NULL && sarif.repeats != NULL
      && json_write (out, "\"tool\":", make_tool (list))
      && json_write (out, ",\n\"originalUriBaseIds\":", make_bases (&sarif))
      && (list->properties == NULL
	  || json_write (out,
			 ",\n\"properties\":", json_incref (list->properties)))
      && write_results (&sarif, out);
  fputs ("}]}\n", out);
  free (sarif.repeats);
  free (sarif.base);
  return is_done;
}
