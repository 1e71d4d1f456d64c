/* Findings: what a command reports about lines of source.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "findings.h"
#include "function-id.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct finding *
finding_list_add (struct finding_list *list)
{
  if (list->count == list->capacity)
    {
      size_t capacity = list->capacity * 2 + 8;
      struct finding *more = realloc (list->list, capacity * sizeof *more);
      if (more == NULL)
	return NULL;
      list->list = more;
      list->capacity = capacity;
    }
  struct finding *finding = &list->list[list->count++];
  *finding = (struct finding){ .file = "", .function = "" };
  return finding;
}

void
finding_list_release (struct finding_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    {
      free (list->list[i].message);
      json_decref (list->list[i].properties);
    }
  free (list->list);
  json_decref (list->properties);
}

uint64_t
finding_identity (const char *rule, const struct heap_profile *profile,
		  uint32_t id, const char *function)
{
  const struct heap_frame *frame
    = id != 0 ? heap_profile_frame (profile, id) : NULL;
  uint64_t guid
    = frame != NULL ? frame->function_guid : function_canonical_guid (function);
  char *text;
  int bytes = asprintf (&text, "%s %" PRIx64 " %" PRIu32, rule, guid,
			frame != NULL ? frame->line_offset : 0);
  if (bytes < 0)
    return 0;
  uint64_t identity = function_guid (text, (size_t) bytes);
  free (text);
  return identity;
}

/* ---- Findings with the same identity.  */

struct fingerprint
{
  uint64_t identity;
  size_t number; /* of the finding */
};

static int
compare_fingerprints (const void *a, const void *b)
{
  const struct fingerprint *x = a;
  const struct fingerprint *y = b;
  if (x->identity != y->identity)
    return x->identity < y->identity ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

size_t *
finding_list_repeats (const struct finding_list *list)
{
  struct fingerprint *prints = calloc (list->count + 1, sizeof *prints);
  size_t *repeats = calloc (list->count + 1, sizeof *repeats);
  if (prints == NULL || repeats == NULL)
    {
      free (prints);
      free (repeats);
      return NULL;
    }
  for (size_t i = 0; i < list->count; i++)
    prints[i] = (struct fingerprint){ list->list[i].identity, i };
  qsort (prints, list->count, sizeof *prints, compare_fingerprints);
  for (size_t i = 1; i < list->count; i++)
    if (prints[i].identity == prints[i - 1].identity)
      repeats[prints[i].number] = repeats[prints[i - 1].number] + 1;
  free (prints);
  return repeats;
}
