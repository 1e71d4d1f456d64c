/* JSON for parts of heap profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_JSON_H
#define HEAPPROF_HEAP_JSON_H

#include "heap-known.h"
#include "heap-report.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Return TEXT as a JSON string for programs: unchanged except that each byte of
   invalid UTF-8 becomes \xHH.  NULL if memory is exhausted.  */
json_t *json_text (const char *text);
json_t *json_text_bytes (const char *text, size_t n);

/* Like json_text, for pages and viewers, which display strings as they are:
   escaped as in plain-text.h.  */
json_t *json_plain_text (const char *text);

/* Like json_plain_text, for lines of source: keeps ends of lines and tabs.  */
json_t *json_source_text (const char *text);

/* Return VALUE.  JSON integers are signed: larger values, which have saturated,
   become INT64_MAX.  */
json_t *json_number (uint64_t value);

/* Set KEY to json_number (VALUE).  */
bool json_set_number (json_t *object, const char *key, uint64_t value);

/* Set KEY to TEXT, unless that is empty, which means unknown.  */
bool json_set_text (json_t *object, const char *key, const char *text);

/* Set KEY to VALUE if IS_KNOWN, else to null.  */
bool json_set_known (json_t *object, const char *key, uint64_t value,
		     bool is_known);

/* Return all fields of INFO as JSON; fields that the profile, described by
   KNOWN, does not have are null.  NULL if memory is exhausted.  */
json_t *heap_json_info (const struct memory_info *info,
			const struct heap_known *known);

/* Return runs and sums of REPORT's profile as JSON; NULL if memory is
   exhausted.  */
json_t *heap_json_totals (const struct heap_report *report);

/* Return frame ID of REPORT's profile as JSON; NULL if memory is exhausted.  */
json_t *heap_json_frame (const struct heap_report *report, uint32_t id);

/* The same as text, for frames that are written many times.  */
struct heap_json_frames
{
  const struct heap_report *report;
  char **texts; /* by frame; NULL: not made yet */
};

/* Begin FRAMES for REPORT.  Return false if memory is exhausted.  Release it in
   both cases.  */
bool heap_json_frames_begin (struct heap_json_frames *frames,
			     const struct heap_report *report);
void heap_json_frames_release (struct heap_json_frames *frames);

/* Write BEFORE and frame ID to OUT.  Return false if memory is exhausted. Write
   errors show when OUT is closed.  */
bool heap_json_frames_write (struct heap_json_frames *frames, FILE *out,
			     const char *before, uint32_t id);

/* Return USES, of REPORT's profile, as a JSON array; NULL if memory is
   exhausted.  */
json_t *heap_json_looked_through (const struct heap_report *report,
				  const struct wrapper_uses *uses);

/* Write BEFORE and VALUE to OUT and release VALUE.  Characters that are not
   plain (plain-text.h) become JSON escapes.  Return false if VALUE is NULL or
   memory is exhausted.  Write errors show when OUT is closed.  */
bool json_write (FILE *out, const char *before, json_t *value);

/* Like json_write, to standard output.  */
bool json_print (const char *before, json_t *value);

#endif /* HEAPPROF_HEAP_JSON_H */
