/* Parts of heap profiles as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_JSON_H
#define HEAPPROF_HEAP_JSON_H

#include "heap-known.h"
#include "heap-report.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* TEXT as a JSON string, for programs: it has the characters that TEXT has, but
   for bytes that are no UTF-8, of which each becomes \xHH.  NULL if memory is
   exhausted.  */
json_t *json_text (const char *text);
json_t *json_text_bytes (const char *text, size_t n);

/* The same for pages and viewers, which show strings as they are: TEXT as
   plain-text.h has it.  */
json_t *json_plain_text (const char *text);

/* The same of the lines of a source file: their ends and tabs stay.  */
json_t *json_source_text (const char *text);

/* JSON has signed numbers; a sum that saturated stays at their greatest.  */
bool json_set_number (json_t *object, const char *key, uint64_t value);

/* Set KEY unless TEXT is empty: then nothing is known.  */
bool json_set_text (json_t *object, const char *key, const char *text);

/* The same, but null unless the value IS_KNOWN.  */
bool json_set_known (json_t *object, const char *key, uint64_t value,
		     bool is_known);

/* All fields of INFO, of a profile of which KNOWN tells; those that are not
   known are null.  NULL if memory is exhausted.  */
json_t *heap_json_info (const struct memory_info *info,
			const struct heap_known *known);

/* What the profile of REPORT says of its runs, and its sums, likewise.  */
json_t *heap_json_totals (const struct heap_report *report);

/* The frame ID of the profile of REPORT, likewise.  */
json_t *heap_json_frame (const struct heap_report *report, uint32_t id);

/* Write VALUE, which it releases, to OUT after BEFORE: in strings, characters
   that are not plain (plain-text.h) as JSON's escapes.  False if it is NULL. An
   error of writing shows when OUT is closed.  */
bool json_write (FILE *out, const char *before, json_t *value);

/* The same to standard output.  */
bool json_print (const char *before, json_t *value);

#endif /* HEAPPROF_HEAP_JSON_H */
