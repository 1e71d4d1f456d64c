/* Events other than samples, as printed by perf.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "perf-text.h"
#include "hex-number.h"
#include <string.h>

static void
advance (struct perf_text *text, size_t n)
{
  text->at += n;
  text->left -= n;
}

void
perf_text_skip_blanks (struct perf_text *text)
{
  while (text->left > 0 && (*text->at == ' ' || *text->at == '\t'))
    advance (text, 1);
}

bool
perf_text_skip (struct perf_text *text, const char *word)
{
  size_t n = strlen (word);
  if (text->left < n || memcmp (text->at, word, n) != 0)
    return false;
  advance (text, n);
  return true;
}

bool
perf_text_find (struct perf_text *text, const char *word)
{
  size_t n = strlen (word);
  const char *found = memmem (text->at, text->left, word, n);
  if (!found)
    return false;
  advance (text, (size_t) (found - text->at) + n);
  return true;
}

bool
perf_text_hex (struct perf_text *text, uint64_t *value)
{
  const char *at = text->at;
  if (!hex_number_take (&at, at + text->left, value))
    return false;
  advance (text, (size_t) (at - text->at));
  return true;
}

bool
perf_text_decimal (struct perf_text *text, int64_t *value)
{
  struct perf_text digits = *text;
  bool is_negative = perf_text_skip (&digits, "-");
  int64_t number = 0;
  size_t n = 0;
  for (; n < digits.left && text_is_digit (digits.at[n]); n++)
    if (__builtin_mul_overflow (number, 10, &number)
	|| __builtin_add_overflow (number, digits.at[n] - '0', &number))
      return false;
  if (n == 0)
    return false;
  advance (&digits, n);
  *text = digits;
  *value = is_negative ? -number : number;
  return true;
}

/* Read the number of a process.  */
static bool
take_pid (struct perf_text *text, int32_t *pid)
{
  int64_t value;
  if (!perf_text_decimal (text, &value) || value < INT32_MIN
      || value > INT32_MAX)
    return false;
  *pid = (int32_t) value;
  return true;
}

/* Read a build ID in angle brackets into ID, if there is one.  */
static void
take_build_id (struct perf_text *text, uint8_t *id,
	       struct perf_mapping *mapping)
{
  perf_text_skip_blanks (text);
  if (!perf_text_skip (text, "<"))
    return;
  size_t n = 0;
  for (; n < PERF_BUILD_ID_BYTES && text->left >= 2; n++, advance (text, 2))
    {
      uint64_t byte;
      if (!text_parse_number (text->at, 2, 16, &byte))
	break;
      id[n] = (uint8_t) byte;
    }
  mapping->build_id = id;
  mapping->build_id_bytes = n;
}

/* Read "r-xp" and the like, or the "x" of an old perf.  */
static void
take_protection (struct perf_text *text, struct perf_mapping *mapping)
{
  while (text->left > 0 && *text->at != ' ')
    {
      mapping->protection |= *text->at == 'r'	? PERF_READ
			     : *text->at == 'w' ? PERF_WRITE
			     : *text->at == 'x' ? PERF_EXECUTE
						: 0;
      advance (text, 1);
    }
}

/* Parse the part after PERF_RECORD_MMAP into *MAPPING, and its build ID into
   ID.  */
static bool
parse_mapping (struct perf_text text, struct perf_mapping *mapping, uint8_t *id)
{
  perf_text_skip (&text, "2");
  perf_text_skip_blanks (&text);
  if (!take_pid (&text, &mapping->pid) || !perf_text_find (&text, ": [")
      || !perf_text_hex (&text, &mapping->start) || !perf_text_skip (&text, "(")
      || !perf_text_hex (&text, &mapping->bytes)
      || !perf_text_skip (&text, ") @ ")
      || !perf_text_hex (&text, &mapping->file_offset))
    return false;
  take_build_id (&text, id, mapping);
  if (!perf_text_find (&text, "]: "))
    return false;
  take_protection (&text, mapping);
  perf_text_skip (&text, " ");
  mapping->path = text.at;
  mapping->path_bytes = text.left;
  return text.left > 0;
}

/* Parse the part after PERF_RECORD_FORK, or PERF_RECORD_COMM exec.  */
static bool
parse_fork (struct perf_text text, struct perf_process *process)
{
  return perf_text_skip (&text, "(") && take_pid (&text, &process->pid)
	 && perf_text_find (&text, "):(") && take_pid (&text, &process->parent);
}

static bool
parse_exec (struct perf_text text, struct perf_process *process)
{
  /* The name of the program may contain colons.  */
  process->parent = PERF_NO_PID;
  const char *colon = memrchr (text.at, ':', text.left);
  if (!colon)
    return false;
  advance (&text, (size_t) (colon - text.at) + 1);
  return take_pid (&text, &process->pid);
}

bool
perf_text_stop (struct byte_reader *reader)
{
  reader->err->path = reader->path;
  reader->failed = true;
  return false;
}

bool
perf_text_handle (struct byte_reader *reader, const struct text_line *line,
		  const struct perf_handler *handler)
{
  struct perf_text text = { line->text, line->n };
  uint8_t id[PERF_BUILD_ID_BYTES];
  if (!perf_text_find (&text, PERF_TEXT_EVENT))
    return true;
  if (perf_text_skip (&text, "MMAP"))
    {
      struct perf_mapping mapping = { .order = line->offset };
      if (!handler->mapping || !parse_mapping (text, &mapping, id))
	return true;
      return handler->mapping (handler->closure, &mapping, reader->err)
	     || perf_text_stop (reader);
    }
  struct perf_process process = { .order = line->offset };
  bool is_process = perf_text_skip (&text, "FORK") ? parse_fork (text, &process)
		    : perf_text_skip (&text, "COMM exec")
		      ? parse_exec (text, &process)
		      : false;
  if (!is_process || !handler->process || process.pid == process.parent)
    return true;
  return handler->process (handler->closure, &process, reader->err)
	 || perf_text_stop (reader);
}
