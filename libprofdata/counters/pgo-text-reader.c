/* Reading function counters from text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pgo-text.h"
#include "byte-reader.h"
#include "text-line.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Number of leading bytes that decide whether a file is text.  */
#define LOOKED_AT_BYTES 8

#define EXTERNAL_SYMBOL "** External Symbol **"

struct text_reader
{
  struct byte_reader *reader; /* for its bytes and errors */
  struct counter_profile *profile;
  struct text_line line; /* the current line, unless AT_END */
  bool at_end;
  struct counter_value *values; /* malloced, of one site */
  size_t value_capacity;
};

/* The record being read.  */
struct text_record
{
  uint32_t name;
  uint64_t hash;
  struct counter_shape shape;
  uint64_t *counters; /* malloced */
  uint8_t *bitmap;    /* malloced */
};

/* ---- Lines and numbers.  */

/* Go to the next line that is neither empty nor a comment.  */
static void
next_line (struct text_reader *text)
{
  do
    if (!text_line_take (text->reader, &text->line))
      {
	text->at_end = true;
	text->line.offset = text->reader->end;
	return;
      }
  while (text->line.n == 0 || text->line.text[0] == '#');
}

static bool
fail (struct text_reader *text, const char *what)
{
  if (text->at_end)
    return byte_reader_fail (text->reader, text->line.offset,
			     "unexpected end of file (expected %s)", what);
  return text_line_fail (text->reader, &text->line, what);
}

/* Return the base that a prefix of the N bytes at *DIGITS indicates, and skip
   the prefix.  */
static unsigned int
find_base (const char **digits, size_t *n)
{
  const char *text = *digits;
  unsigned int base = 10;
  size_t prefix = 0;
  if (*n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    {
      base = 16;
      prefix = 2;
    }
  else if (*n > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
    {
      base = 2;
      prefix = 2;
    }
  else if (*n > 2 && text[0] == '0' && text[1] == 'o')
    {
      base = 8;
      prefix = 2;
    }
  else if (*n > 1 && text[0] == '0')
    {
      base = 8;
      prefix = 1;
    }
  *digits += prefix;
  *n -= prefix;
  return base;
}

/* Parse all of the N bytes at DIGITS as a number to BASE into *VALUE.  BASE 0
   means the base indicated by a prefix.  Return false if they are not a number
   of at most 64 bits.  */
static bool
parse_number (const char *digits, size_t n, unsigned int base, uint64_t *value)
{
  if (base == 0)
    base = find_base (&digits, &n);
  return text_parse_number (digits, n, base, value);
}

/* Read the number on the current line, WHAT, and go to the next line.  Return 0
   if the reader fails.  */
static uint64_t
take_number (struct text_reader *text, unsigned int base, const char *what)
{
  uint64_t value = 0;
  if (text->reader->failed)
    return 0;
  if (text->at_end
      || !parse_number (text->line.text, text->line.n, base, &value))
    {
      fail (text, what);
      return 0;
    }
  next_line (text);
  return value;
}

/* The same for the number of lines that follow.  */
static uint32_t
take_count (struct text_reader *text, const char *what)
{
  size_t offset = text->line.offset;
  uint64_t count = take_number (text, 10, what);
  /* A line has at least two bytes, and the current one is already consumed.  */
  size_t left = byte_reader_left (text->reader) / 2 + 2;
  if (count > left || count > UINT32_MAX)
    {
      byte_reader_fail (text->reader, offset,
			"invalid %s %" PRIu64 " (more than the file can hold)",
			what, count);
      return 0;
    }
  return count;
}

/* ---- File header.  */

/* Add the functions named on the current line, separated by commas, as a trace
   of WEIGHT.  */
static void
take_trace (struct text_reader *text, uint64_t weight)
{
  if (text->reader->failed)
    return;
  if (text->at_end)
    {
      fail (text, "the functions of a trace");
      return;
    }
  uint64_t *guids = calloc (text->line.n / 2 + 1, sizeof *guids);
  size_t count = 0;
  const char *from = text->line.text;
  const char *end = from + text->line.n;
  bool done = guids != NULL;
  while (done && from < end)
    {
      const char *comma = memchr (from, ',', end - from);
      const char *stop = comma ? comma : end;
      while (from < stop && text_is_space (*from))
	from++;
      size_t n = stop - from;
      while (n > 0 && text_is_space (from[n - 1]))
	n--;
      uint32_t name
	= n > 0 ? counter_profile_add_name (text->profile, from, n) : 0;
      done = name != UINT32_MAX;
      if (done && n > 0)
	guids[count++] = counter_profile_name_guid (text->profile, name);
      from = stop + (comma != NULL);
    }
  if (!done || !counter_profile_add_trace (text->profile, weight, guids, count))
    byte_reader_fail_memory (text->reader);
  free (guids);
  next_line (text);
}

static void
take_traces (struct text_reader *text)
{
  uint32_t count = take_count (text, "number of traces");
  uint64_t stream = take_number (text, 0, "number of traces seen");
  for (uint32_t i = 0; i < count && !text->reader->failed; i++)
    {
      uint64_t weight = take_number (text, 0, "the weight of a trace");
      take_trace (text, weight);
    }
  counter_profile_add_stream (text->profile, stream);
}

/* Read the flag on the current line.  */
static void
take_flag (struct text_reader *text, unsigned int *flags)
{
  static const struct
  {
    const char *name;
    unsigned int set;
    unsigned int clear;
  } names[] = { { ":ir", COUNTER_IR, 0 },
		{ ":fe", 0, COUNTER_IR },
		{ ":csir", COUNTER_IR | COUNTER_CONTEXT_SENSITIVE, 0 },
		{ ":entry_first", COUNTER_ENTRY_FIRST, 0 },
		{ ":not_entry_first", 0, COUNTER_ENTRY_FIRST },
		{ ":instrument_loop_entries", COUNTER_LOOP_ENTRIES, 0 },
		{ ":single_byte_coverage", COUNTER_SINGLE_BYTE, 0 },
		{ ":temporal_prof_traces", COUNTER_TEMPORAL, 0 } };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      if (strlen (names[i].name) != text->line.n
	  || strncasecmp (names[i].name, text->line.text, text->line.n) != 0)
	continue;
      *flags = (*flags | names[i].set) & ~names[i].clear;
      next_line (text);
      if (names[i].set == COUNTER_TEMPORAL)
	take_traces (text);
      return;
    }
  fail (text, "a known flag");
}

/* ---- Functions.  */

/* Return the number of the name of N bytes at NAME, adding it if needed.  */
static uint32_t
add_name (struct text_reader *text, const char *name, size_t n)
{
  uint32_t number = counter_profile_add_name (text->profile, name, n);
  if (number == UINT32_MAX)
    byte_reader_fail_memory (text->reader);
  return number;
}

/* Return the value of KIND in the N bytes at NAME.  */
static uint64_t
parse_value (struct text_reader *text, enum counter_value_kind kind,
	     const char *name, size_t n)
{
  uint64_t value = 0;
  if (kind == COUNTER_MEMOP_SIZE)
    {
      if (!parse_number (name, n, 10, &value))
	fail (text, "SIZE:COUNT");
      return value;
    }
  if (n == strlen (EXTERNAL_SYMBOL) && memcmp (name, EXTERNAL_SYMBOL, n) == 0)
    return 0;
  uint32_t number = add_name (text, name, n);
  if (text->reader->failed)
    return 0;
  if (kind == COUNTER_VTABLE)
    counter_profile_set_vtable (text->profile, number);
  return counter_profile_name_guid (text->profile, number);
}

/* Read the value of KIND on the current line into *VALUE.  */
static void
take_value (struct text_reader *text, enum counter_value_kind kind,
	    struct counter_value *value)
{
  const char *colon
    = text->at_end ? NULL : memrchr (text->line.text, ':', text->line.n);
  if (!colon)
    {
      fail (text, "VALUE:COUNT");
      return;
    }
  size_t n = colon - text->line.text;
  value->value = parse_value (text, kind, text->line.text, n);
  if (!text->reader->failed
      && !parse_number (colon + 1, text->line.n - n - 1, 10, &value->count))
    fail (text, "VALUE:COUNT");
  next_line (text);
}

/* Read the values of a site of KIND into the buffer.  Return their number.  */
static uint32_t
take_values (struct text_reader *text, enum counter_value_kind kind)
{
  uint32_t n = take_count (text, "number of values");
  if (text->reader->failed)
    return 0;
  if (n > text->value_capacity)
    {
      free (text->values);
      text->values = calloc (n, sizeof *text->values);
      text->value_capacity = text->values ? n : 0;
      if (!text->values)
	byte_reader_fail_memory (text->reader);
    }
  for (uint32_t i = 0; i < n && !text->reader->failed; i++)
    take_value (text, kind, &text->values[i]);
  return n;
}

/* Read one kind of values.  The first pass, where FUNCTION is NULL, finds the
   shape of RECORD; the second adds the values to FUNCTION.  */
static void
take_kind (struct text_reader *text, struct text_record *record,
	   struct counter_function *function)
{
  size_t offset = text->line.offset;
  uint64_t kind = take_number (text, 10, "a value kind");
  uint32_t sites = take_count (text, "number of sites");
  if (text->reader->failed)
    return;
  if (kind >= COUNTER_VALUE_KINDS)
    byte_reader_fail (text->reader, offset, "unknown value kind %" PRIu64,
		      kind);
  else if (!function && record->shape.site_counts[kind] != 0)
    byte_reader_fail (text->reader, offset, "duplicate value kind %" PRIu64,
		      kind);
  else if (!function)
    record->shape.site_counts[kind] = sites;
  for (uint32_t i = 0; i < sites && !text->reader->failed; i++)
    {
      uint32_t n = take_values (text, kind);
      if (function && !text->reader->failed
	  && !counter_profile_add_values (text->profile, function, kind, i,
					  text->values, n, 1))
	byte_reader_fail_memory (text->reader);
    }
}

/* Read the values of a function, if the current line is a number.  FUNCTION is
   as for take_kind.  */
static void
take_all_values (struct text_reader *text, struct text_record *record,
		 struct counter_function *function)
{
  uint64_t kinds;
  size_t offset = text->line.offset;
  if (text->reader->failed || text->at_end
      || !parse_number (text->line.text, text->line.n, 10, &kinds))
    return;
  next_line (text);
  if (kinds == 0 || kinds > COUNTER_VALUE_KINDS)
    byte_reader_fail (text->reader, offset,
		      "invalid number of value kinds %" PRIu64, kinds);
  for (uint64_t i = 0; i < kinds && !text->reader->failed; i++)
    take_kind (text, record, function);
}

static void
take_counters (struct text_reader *text, struct text_record *record)
{
  size_t offset = text->line.offset;
  uint32_t n = take_count (text, "number of counters");
  if (text->reader->failed)
    return;
  if (n == 0)
    {
      byte_reader_fail (text->reader, offset, "function without counters");
      return;
    }
  record->shape.counter_count = n;
  record->counters = calloc (n, sizeof *record->counters);
  if (!record->counters)
    byte_reader_fail_memory (text->reader);
  for (uint32_t i = 0; i < n && !text->reader->failed; i++)
    record->counters[i] = take_number (text, 10, "a count");
  record->shape.is_pseudo
    = (!text->reader->failed && counter_is_pseudo (record->counters[0]));
}

/* Read the bitmap, if the current line starts with `$'.  */
static void
take_bitmap (struct text_reader *text, struct text_record *record)
{
  if (text->reader->failed || text->at_end || text->line.text[0] != '$')
    return;
  text->line.text++;
  text->line.n--;
  uint32_t n = take_count (text, "number of bitmap bytes");
  if (n == 0)
    return;
  record->shape.bitmap_bytes = n;
  record->bitmap = calloc (n, 1);
  if (!record->bitmap)
    byte_reader_fail_memory (text->reader);
  for (uint32_t i = 0; i < n && !text->reader->failed; i++)
    {
      size_t offset = text->line.offset;
      uint64_t byte = take_number (text, 0, "a byte of a bitmap");
      if (byte > UINT8_MAX)
	byte_reader_fail (text->reader, offset,
			  "invalid bitmap byte %" PRIu64 " (expected 0 to 255)",
			  byte);
      record->bitmap[i] = byte;
    }
}

/* Add RECORD.  Its values are read again, starting at SAVED.  */
static void
add_record (struct text_reader *text, struct text_record *record,
	    const struct text_reader *saved, size_t position)
{
  struct counter_function *function
    = counter_profile_add_function (text->profile, record->name, record->hash,
				    &record->shape);
  if (!function)
    {
      byte_reader_fail_memory (text->reader);
      return;
    }
  counter_function_add_counters (function, record->counters, 1);
  for (uint32_t i = 0; i < record->shape.bitmap_bytes; i++)
    counter_function_add_bits (function, i, record->bitmap[i]);
  text->line = saved->line;
  text->at_end = saved->at_end;
  text->reader->position = position;
  take_all_values (text, record, function);
}

static void
take_function (struct text_reader *text)
{
  struct text_record record = { 0 };
  record.name = add_name (text, text->line.text, text->line.n);
  next_line (text);
  record.hash = take_number (text, 0, "the hash of a function");
  take_counters (text, &record);
  take_bitmap (text, &record);
  const struct text_reader saved = *text;
  size_t position = text->reader->position;
  take_all_values (text, &record, NULL);
  if (!text->reader->failed)
    add_record (text, &record, &saved, position);
  free (record.counters);
  free (record.bitmap);
}

bool
pgo_text_is_possible (const void *data, size_t n)
{
  const char *bytes = data;
  for (size_t i = 0; i < n && i < LOOKED_AT_BYTES; i++)
    if (!text_is_printable (bytes[i]) && !text_is_space (bytes[i]))
      return false;
  struct profile_error ignored;
  struct byte_reader reader;
  byte_reader_init (&reader, "", data, n, &ignored);
  struct text_reader text = { .reader = &reader };
  next_line (&text);
  if (!text.at_end && text.line.text[0] == ':')
    return true;
  if (!text.at_end)
    next_line (&text);
  /* The second line must be a hash, unless it is cut off.  */
  uint64_t hash;
  return (text.at_end || byte_reader_left (&reader) == 0
	    ? n >= PGO_TEXT_START_BYTES
	    : parse_number (text.line.text, text.line.n, 0, &hash));
}

bool
pgo_text_fold (struct counter_profile *profile, const char *path,
	       const void *data, size_t size, struct profile_error *err)
{
  struct byte_reader reader;
  byte_reader_init (&reader, path, data, size, err);
  struct text_reader text = { .reader = &reader, .profile = profile };
  unsigned int flags = 0;
  next_line (&text);
  while (!reader.failed && !text.at_end && text.line.text[0] == ':')
    take_flag (&text, &flags);
  struct profile_error cause;
  if (!reader.failed
      && !counter_profile_add_flags (profile, flags, !text.at_end, &cause))
    byte_reader_fail (&reader, 0, "%s", cause.cause);
  while (!reader.failed && !text.at_end)
    take_function (&text);
  free (text.values);
  return !reader.failed;
}
