/* Remarks of the compiler plugin on the outcome of each allocation call.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "remarks.h"
#include "file-content.h"
#include "saturating.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REMARKS_VERSION 1

static const char *const outcome_names[REMARK_OUTCOMES]
  = { "hinted", "cloned", "lost" };
static const char *const hint_names[REMARK_HINTS]
  = { "cold", "notcold", "hot", "token", "ambiguous" };

const char *
remark_outcome_name (enum remark_outcome outcome)
{
  return outcome_names[outcome];
}

const char *
remark_hint_name (enum remark_hint hint)
{
  return hint_names[hint];
}

/* ---- One remark.  */

/* The remark being read and its position.  */
struct line
{
  json_t *object;
  const char *path;
  uint64_t offset; /* of the line in the file */
  size_t number;   /* counted from 1 */
  uint64_t left;   /* remarks left in the section */
  struct profile_error *err;
};

/* Fail with CAUSE followed by WHAT.  */
static bool
fail (const struct line *line, const char *cause, const char *what)
{
  return profile_error_set (line->err, line->path, line->offset,
			    "line %zu: %s%s", line->number, cause, what);
}

/* Set *TEXT to the string at KEY; NULL if it is absent.  */
static bool
take_text (const struct line *line, const char *key, const char **text)
{
  json_t *value = json_object_get (line->object, key);
  *text = json_string_value (value);
  return (value == NULL || *text != NULL || fail (line, "not a string: ", key));
}

/* Set *TEXT to the string at KEY.  Fail if it is absent.  */
static bool
need_text (const struct line *line, const char *key, const char **text)
{
  return (take_text (line, key, text)
	  && (*text != NULL || fail (line, "missing ", key)));
}

/* Set *NUMBER to the number at KEY; 0 if it is absent and not NEEDED.  */
static bool
take_number (const struct line *line, const char *key, bool needed,
	     uint64_t *number)
{
  json_t *value = json_object_get (line->object, key);
  *number = json_integer_value (value);
  if (value == NULL)
    return !needed || fail (line, "missing ", key);
  return ((json_is_integer (value) && json_integer_value (value) >= 0)
	  || fail (line, "expected a non-negative number: ", key));
}

/* Return the index of TEXT in the COUNT NAMES, COUNT if it is not there.  */
static size_t
find_name (const char *text, const char *const *names, size_t count)
{
  size_t i = 0;
  while (i < count && strcmp (text, names[i]) != 0)
    i++;
  return i;
}

static bool
take_outcome (const struct line *line, struct remark *remark)
{
  const char *outcome;
  const char *hint;
  if (!need_text (line, "outcome", &outcome))
    return false;
  remark->outcome = find_name (outcome, outcome_names, REMARK_OUTCOMES);
  if (remark->outcome == REMARK_OUTCOMES)
    return fail (line, "unknown outcome ", outcome);
  remark->hint = REMARK_HINTS;
  if (remark->outcome == REMARK_LOST)
    return need_text (line, "reason", &remark->reason);
  if (!need_text (line, "hint", &hint))
    return false;
  remark->hint = find_name (hint, hint_names, REMARK_HINTS);
  if (remark->hint == REMARK_HINTS)
    return fail (line, "unknown hint ", hint);
  return (remark->hint != REMARK_AMBIGUOUS
	  || take_text (line, "reason", &remark->reason));
}

/* Set the CALL of REMARK.  ALLOCATOR may be NULL.  */
static bool
take_call (const struct line *line, struct remark *remark,
	   const char *allocator)
{
  const char *function;
  uint64_t place;
  uint64_t column;
  json_t *inlined = json_object_get (line->object, "inlined_into");
  if (!need_text (line, "function", &function)
      || !take_number (line, "line", true, &place)
      || !take_number (line, "column", false, &column))
    return false;
  if (inlined != NULL && !json_is_array (inlined))
    return fail (line, "not a list: ", "inlined_into");
  char *chain = inlined ? json_dumps (inlined, JSON_COMPACT) : NULL;
  if (asprintf (&remark->call, "%s\n%" PRIu64 "\n%" PRIu64 "\n%s\n%s", function,
		place, column, allocator ? allocator : "",
		chain && json_array_size (inlined) > 0 ? chain : "")
      < 0)
    remark->call = NULL;
  free (chain);
  return (remark->call != NULL
	  || profile_error_set_memory (line->err, line->path));
}

/* Fill REMARK from LINE.  Free its members even on failure.  */
static bool
take_remark (const struct line *line, struct remark *remark)
{
  const char *unit;
  const char *allocator;
  uint64_t version;
  remark->object = line->object;
  if (!json_is_object (line->object))
    return fail (line, "not an object", "");
  if (!take_number (line, "version", false, &version))
    return false;
  if (version != REMARKS_VERSION && json_object_get (line->object, "version"))
    return fail (line, "unsupported version", "");
  remark->is_matched = json_object_get (line->object, "allocator") != NULL;
  return (need_text (line, "unit", &unit)
	  && take_text (line, "allocator", &allocator)
	  && take_call (line, remark, allocator) && take_outcome (line, remark)
	  && (remark->is_matched || remark->outcome == REMARK_LOST
	      || fail (line, "missing allocator", ""))
	  && take_number (line, "contexts", false, &remark->contexts)
	  && take_number (line, "count", true, &remark->count)
	  && take_number (line, "bytes", true, &remark->bytes));
}

/* ---- Files.  */

static void
free_remark (struct remark *remark)
{
  json_decref (remark->object);
  free (remark->call);
}

/* Return a new remark; NULL if memory is exhausted.  */
static struct remark *
add_remark (struct remarks *remarks)
{
  if (remarks->count == remarks->capacity)
    {
      size_t capacity = 2 * remarks->capacity + 64;
      struct remark *list = realloc (remarks->list, capacity * sizeof *list);
      if (list == NULL)
	return NULL;
      remarks->list = list;
      remarks->capacity = capacity;
    }
  struct remark *remark = &remarks->list[remarks->count++];
  *remark = (struct remark){ .unit = remarks->units };
  return remark;
}

/* Start the section with the header LINE, which is freed: a new unit
   follows.  */
static bool
take_header (struct remarks *remarks, struct line *line)
{
  const char *unit;
  uint64_t token_calls = 0;
  const bool is_done
    = need_text (line, "unit", &unit)
      && (line->left == 0 || fail (line, "incomplete section before it", ""))
      && take_number (line, "remarks", true, &line->left)
      && take_number (line, "token_calls", false, &token_calls);
  remarks->token_calls = saturating_add (remarks->token_calls, token_calls);
  remarks->units++;
  json_decref (line->object);
  return is_done;
}

/* Read the remark or header in LINE, the N bytes at TEXT.  */
static bool
read_line (struct remarks *remarks, struct line *line, const char *text,
	   size_t n)
{
  json_error_t error;
  if (n == 0)
    return true;
  line->object = json_loadb (text, n, JSON_REJECT_DUPLICATES, &error);
  if (line->object == NULL)
    return fail (line, "not JSON: ", error.text);
  if (json_object_get (line->object, "remarks") != NULL)
    return take_header (remarks, line);
  line->left -= line->left > 0;
  struct remark *remark = add_remark (remarks);
  if (remark != NULL)
    return take_remark (line, remark);
  json_decref (line->object);
  return profile_error_set_memory (line->err, line->path);
}

bool
remarks_read (struct remarks *remarks, const char *path,
	      struct profile_error *err)
{
  void *data;
  size_t size;
  if (!file_content_read (path, &data, &size, err))
    return false;
  const char *text = data;
  struct line line = { .path = path, .err = err };
  bool is_done = true;
  while (is_done && line.offset < size)
    {
      const char *start = text + line.offset;
      const char *end = memchr (start, '\n', size - line.offset);
      size_t n = end ? (size_t) (end - start) : size - line.offset;
      line.number++;
      is_done = read_line (remarks, &line, start, n);
      line.offset += n + (end != NULL);
    }
  if (is_done && line.left > 0)
    is_done = fail (&line, "incomplete section at the end", "");
  remarks->units++;
  remarks->files++;
  free (data);
  return is_done;
}

void
remarks_free (struct remarks *remarks)
{
  for (size_t i = 0; i < remarks->count; i++)
    free_remark (&remarks->list[i]);
  free (remarks->list);
}

/* ---- Duplicates: the same call in several units.  */

static int
compare_remarks (const void *element1, const void *element2)
{
  const struct remark *a = element1;
  const struct remark *b = element2;
  int order = strcmp (a->call, b->call);
  return order != 0 ? order : (a->unit > b->unit) - (a->unit < b->unit);
}

/* Remarks FIRST to END - 1: those of one call in one unit.  */
struct run
{
  size_t first;
  size_t end;
  uint64_t bytes;
  uint64_t lost_bytes;
};

static struct run
find_run (const struct remarks *remarks, size_t first)
{
  const struct remark *list = remarks->list;
  struct run run = { .first = first, .end = first };
  for (; (run.end < remarks->count
	  && compare_remarks (&list[first], &list[run.end]) == 0);
       run.end++)
    {
      const struct remark *remark = &list[run.end];
      run.bytes = saturating_add (run.bytes, remark->bytes);
      if (remark->outcome == REMARK_LOST)
	run.lost_bytes = saturating_add (run.lost_bytes, remark->bytes);
    }
  return run;
}

void
remarks_choose (struct remarks *remarks)
{
  struct remark *list = remarks->list;
  size_t kept = 0;
  if (remarks->count > 1)
    qsort (list, remarks->count, sizeof *list, compare_remarks);
  for (size_t i = 0; i < remarks->count;)
    {
      struct run best = find_run (remarks, i);
      size_t end = best.end;
      while (end < remarks->count && strcmp (list[i].call, list[end].call) == 0)
	{
	  struct run run = find_run (remarks, end);
	  if (run.bytes > best.bytes
	      || (run.bytes == best.bytes && run.lost_bytes > best.lost_bytes))
	    best = run;
	  end = run.end;
	}
      for (; i < end; i++)
	if (i >= best.first && i < best.end)
	  list[kept++] = list[i];
	else
	  free_remark (&list[i]);
    }
  remarks->count = kept;
}
