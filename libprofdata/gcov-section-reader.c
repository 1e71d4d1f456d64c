/* gcc's own counters in the heapprof section: the reader.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-data.h"
#include "gcov-format.h"
#include "gcov-ident.h"
#include "gcov-merge.h"
#include "gcov-section-format.h"
#include "gcov-section.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct string
{
  const char *text;		/* in the section, not terminated */
  uint64_t size;
};

struct section_reader
{
  struct byte_reader *bytes;
  struct string *strings;
  uint64_t string_count;
  uint64_t counters_left;	/* that may still be read */
  uint64_t positions_left;	/* the same; most take no room either */
  uint64_t text_left;		/* bytes of strings that may be copied */
};

/* A reader copies at most so many bytes of the strings of a section of SIZE
   bytes, however often they are referred to.  */
#define MOST_TEXT(size) ((UINT64_C (1) << 20) + 64 * (uint64_t) (size))

/* Memory for N elements of SIZE bytes, zeros; READER fails if it cannot be
   had.  */
static void *
allocate (struct section_reader *reader, size_t n, size_t size)
{
  void *memory = calloc (n + 1, size);
  if (!memory)
    byte_reader_fail_memory (reader->bytes);
  return memory;
}

static bool
read_strings (struct section_reader *reader)
{
  struct byte_reader *bytes = reader->bytes;
  uint64_t count = byte_reader_uleb128 (bytes, "the number of strings");
  if (!byte_reader_need (bytes, count, 2, "strings"))
    return false;
  reader->strings = allocate (reader, count, sizeof *reader->strings);
  if (!reader->strings)
    return false;
  reader->string_count = count;
  for (uint64_t i = 0; i < count && !bytes->failed; i++)
    {
      size_t start = bytes->position;
      struct string *string = &reader->strings[i];
      string->size = byte_reader_uleb128 (bytes, "a string");
      string->text = byte_reader_bytes (bytes, string->size, "a string");
      if (string->text && memchr (string->text, '\0', string->size))
	byte_reader_fail (bytes, start, "a string with a zero byte");
      else if (string->text && string->size == 0)
	byte_reader_fail (bytes, start, "an empty string is stored");
    }
  return !bytes->failed;
}

/* Read the number of a string, and make *COPY a copy of it; NULL for none.  */
static void
read_string (struct section_reader *reader, char **copy)
{
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  uint64_t number = byte_reader_uleb128 (bytes, "a string's number");
  *copy = NULL;
  if (number > reader->string_count)
    byte_reader_fail (bytes, start, "string %" PRIu64 " of %" PRIu64, number,
		      reader->string_count);
  if (bytes->failed || number == 0)
    return;
  const struct string *string = &reader->strings[number - 1];
  if (string->size > reader->text_left)
    {
      byte_reader_fail (bytes, start, "long strings are referred to more often "
			"than in a section of this size");
      return;
    }
  reader->text_left -= string->size;
  *copy = gcov_copy_text (string->text, string->size);
  if (!*copy)
    byte_reader_fail_memory (bytes);
}

static int64_t
read_signed (struct byte_reader *bytes, const char *what)
{
  uint64_t bits = byte_reader_uleb128 (bytes, what);
  return (int64_t) (bits & 1 ? ~(bits >> 1) : bits >> 1);
}

static bool
read_counters (struct section_reader *reader, struct gcov_vector *vector)
{
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  uint64_t head = byte_reader_uleb128 (bytes, "a vector");
  uint64_t count = head / 2;
  if (count > reader->counters_left || count > UINT32_MAX)
    return byte_reader_fail (bytes, start, "%" PRIu64 " counters, more than a "
			     "section of this size has", count);
  reader->counters_left -= count;
  vector->count = count;
  if (head % 2 == 0 || bytes->failed)
    return !bytes->failed;
  vector->counters = allocate (reader, count, sizeof *vector->counters);
  for (uint64_t i = 0; i < count && !bytes->failed; i++)
    {
      start = bytes->position;
      vector->counters[i] = byte_reader_uleb128 (bytes, "a counter");
      if (vector->counters[i] != 0)
	continue;
      uint64_t more = byte_reader_uleb128 (bytes, "a run of zeros");
      if (more > count - 1 - i)
	return byte_reader_fail (bytes, start, "a run of zeros after the end "
				 "of a vector");
      i += more;
    }
  return !bytes->failed;
}

static bool
read_site (struct section_reader *reader, struct gcov_site *site)
{
  struct byte_reader *bytes = reader->bytes;
  site->total = read_signed (bytes, "a site");
  uint32_t count = byte_reader_uleb128_u32 (bytes, "a site");
  if (!byte_reader_need (bytes, count, 2, "the values of a site"))
    return false;
  site->targets = allocate (reader, count, sizeof *site->targets);
  if (!site->targets)
    return false;
  site->target_count = count;
  for (uint32_t i = 0; i < count; i++)
    {
      site->targets[i].value = read_signed (bytes, "a value");
      site->targets[i].count = read_signed (bytes, "a value");
    }
  return !bytes->failed;
}

static bool
read_sites (struct section_reader *reader, struct gcov_vector *vector)
{
  struct byte_reader *bytes = reader->bytes;
  uint32_t count = byte_reader_uleb128_u32 (bytes, "the number of sites");
  if (!byte_reader_need (bytes, count, 2, "sites"))
    return false;
  vector->sites = allocate (reader, count, sizeof *vector->sites);
  if (!vector->sites)
    return false;
  vector->count = count;
  for (uint32_t i = 0; i < count; i++)
    if (!read_site (reader, &vector->sites[i]))
      return false;
  return true;
}

static bool
read_vectors (struct section_reader *reader, struct gcov_function *function)
{
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  uint64_t kinds = byte_reader_uleb128 (bytes, "the kinds of vectors");
  if (kinds >> GCOV_KINDS != 0)
    return byte_reader_fail (bytes, start, "kinds 0x%" PRIx64
			     " of vectors: unknown", kinds);
  function->vectors = allocate (reader, __builtin_popcountll (kinds),
				sizeof *function->vectors);
  if (!function->vectors)
    return false;
  for (unsigned int kind = 0; kind < GCOV_KINDS; kind++)
    {
      if (!(kinds >> kind & 1))
	continue;
      struct gcov_vector *vector
	= &function->vectors[function->vector_count++];
      vector->kind = kind;
      if (!(gcov_kind_has_sites (kind) ? read_sites (reader, vector)
				       : read_counters (reader, vector)))
	return false;
    }
  return !bytes->failed;
}

/* Read FUNCTION of UNIT, of which those before are there.  */
static bool
read_function (struct section_reader *reader, const struct gcov_unit *unit,
	       struct gcov_function *function)
{
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  const struct gcov_function *before
    = function > unit->functions ? function - 1 : NULL;
  uint64_t distance = byte_reader_uleb128_u32 (bytes, "a function");
  uint64_t position = (before ? before->position : 0) + distance;
  uint8_t flags = byte_reader_u8 (bytes, "a function");
  if (position >= unit->position_count)
    return byte_reader_fail (bytes, start, "function %" PRIu64 " of %u",
			     position, unit->position_count);
  if (flags & ~GCOV_SECTION_FUNCTION_FLAGS)
    return byte_reader_fail (bytes, start, "a function with unknown flags "
			     "0x%x", flags);
  function->position = position;
  read_string (reader, &function->name);
  read_string (reader, &function->file);
  if (function->file && !function->name)
    return byte_reader_fail (bytes, start, "a function with a file and "
			     "without name");
  if (flags & GCOV_SECTION_HAS_IDENT)
    function->ident = byte_reader_u32 (bytes, "a function");
  else if (function->name)
    function->ident = gcov_ident_public (function->name);
  else
    return byte_reader_fail (bytes, start, "a function without ident and "
			     "name");
  function->lineno_checksum = byte_reader_u32 (bytes, "a function");
  function->cfg_checksum = byte_reader_u32 (bytes, "a function");
  if (!read_vectors (reader, function))
    return false;
  if (before && gcov_function_compare (before, function) >= 0)
    return byte_reader_fail (bytes, start, "functions out of order");
  return true;
}

static bool
read_functions (struct section_reader *reader, struct gcov_unit *unit)
{
  struct byte_reader *bytes = reader->bytes;
  uint32_t count = byte_reader_uleb128_u32 (bytes, "the number of functions");
  /* Two bytes of numbers, two strings, two checksums, the kinds.  */
  if (!byte_reader_need (bytes, count, 13, "functions"))
    return false;
  unit->functions = allocate (reader, count, sizeof *unit->functions);
  if (!unit->functions)
    return false;
  for (uint32_t i = 0; i < count; i++)
    {
      struct gcov_function *function = &unit->functions[i];
      unit->function_count++;
      if (!read_function (reader, unit, function))
	return false;
    }
  return true;
}

static bool
read_unit (struct section_reader *reader, struct gcov_unit *unit)
{
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  read_string (reader, &unit->path);
  if (!bytes->failed && !unit->path)
    unit->path = allocate (reader, 0, 1);
  uint8_t flags = byte_reader_u8 (bytes, "a unit");
  if (flags & ~GCOV_SECTION_UNIT_FLAGS)
    return byte_reader_fail (bytes, start, "a unit with unknown flags 0x%x",
			     flags);
  unit->is_big_endian = flags & GCOV_SECTION_BIG_ENDIAN;
  unit->has_summary = flags & GCOV_SECTION_HAS_SUMMARY;
  gcov_format_read_version (bytes, &unit->version);
  unit->stamp = byte_reader_u32 (bytes, "a unit");
  unit->checksum = byte_reader_u32 (bytes, "a unit");
  if (unit->has_summary)
    {
      unit->runs = byte_reader_uleb128_u32 (bytes, "a unit");
      unit->sum_max = byte_reader_uleb128_u32 (bytes, "a unit");
    }
  unit->position_count = byte_reader_uleb128_u32 (bytes, "a unit");
  if (unit->position_count > reader->positions_left)
    return byte_reader_fail (bytes, start, "a unit of %u positions, more than "
			     "a section of this size has",
			     unit->position_count);
  reader->positions_left -= unit->position_count;
  return !bytes->failed && read_functions (reader, unit);
}

static bool
read_units (struct section_reader *reader, struct gcov_profile *profile)
{
  struct byte_reader *bytes = reader->bytes;
  uint64_t count = byte_reader_uleb128 (bytes, "the number of units");
  for (uint64_t i = 0; i < count && !bytes->failed; i++)
    {
      size_t start = bytes->position;
      struct gcov_unit *unit = allocate (reader, 0, sizeof *unit);
      if (!unit || !read_unit (reader, unit))
	gcov_unit_free (unit);
      else if (!gcov_profile_add (profile, unit))
	byte_reader_fail_memory (bytes);
      else if (profile->unit_count == i)
	byte_reader_fail (bytes, start, "a unit is there twice");
    }
  return !bytes->failed;
}

bool
gcov_section_read (struct byte_reader *bytes, struct gcov_profile *profile)
{
  const uint64_t most = GCOV_DATA_MOST_COUNTERS (byte_reader_left (bytes));
  struct section_reader reader = {
    .bytes = bytes,
    .counters_left = most,
    .positions_left = most,
    .text_left = MOST_TEXT (byte_reader_left (bytes))
  };
  bool done = read_strings (&reader) && read_units (&reader, profile);
  free (reader.strings);
  return done;
}
