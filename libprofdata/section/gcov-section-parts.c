/* GCC's own counters in the heapprof section: reading single parts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-section-parts.h"
#include "gcov-data.h"
#include "gcov-format.h"
#include "gcov-ident.h"
#include "gcov-unit.h"
#include "gcov-section-format.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void
gcov_section_reader_init (struct gcov_section_reader *reader,
			  struct byte_reader *bytes, size_t size)
{
  *reader = (struct gcov_section_reader){
    .bytes = bytes,
    .counters_left = GCOV_DATA_MOST_COUNTERS (size),
    .positions_left = GCOV_DATA_MOST_COUNTERS (size),
    .text_left = GCOV_SECTION_MOST_TEXT (size)
  };
}

void *
gcov_section_allocate (struct gcov_section_reader *reader, size_t n,
		       size_t size)
{
  void *memory = calloc (n + 1, size);
  if (!memory)
    byte_reader_fail_memory (reader->bytes);
  return memory;
}

/* Find string NUMBER, which is not 0 and at most their count.  */
static bool
find_string (struct gcov_section_reader *reader, uint64_t number,
	     struct gcov_section_string *string)
{
  if (reader->strings)
    *string = reader->strings[number - 1];
  else
    string->text = gcov_section_view_string (reader->view, reader->bytes,
					     number, &string->size);
  return !reader->bytes->failed;
}

/* Read the number of a string, and set *COPY to a copy of it; NULL for none.
   Return the number.  */
static uint64_t
read_string (struct gcov_section_reader *reader, char **copy)
{
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  uint64_t number = byte_reader_uleb128 (bytes, "a string's number");
  struct gcov_section_string string;
  *copy = NULL;
  if (number > reader->string_count)
    byte_reader_fail (bytes, start,
		      "invalid string %" PRIu64 " (expected at most %" PRIu64
		      ")",
		      number, reader->string_count);
  if (bytes->failed || number == 0 || !find_string (reader, number, &string))
    return 0;
  if (string.size > reader->text_left)
    {
      byte_reader_fail (bytes, start,
			"long strings are used more often than a "
			"section of this size allows");
      return 0;
    }
  reader->text_left -= string.size;
  *copy = gcov_copy_text (string.text, string.size);
  if (!*copy)
    byte_reader_fail_memory (bytes);
  return number;
}

static int64_t
read_signed (struct byte_reader *bytes, const char *what)
{
  uint64_t bits = byte_reader_uleb128 (bytes, what);
  return (int64_t) (bits & 1 ? ~(bits >> 1) : bits >> 1);
}

static bool
read_counters (struct gcov_section_reader *reader, struct gcov_vector *vector)
{
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  uint64_t head = byte_reader_uleb128 (bytes, "a vector");
  uint64_t count = head / 2;
  if (count > reader->counters_left || count > UINT32_MAX)
    return byte_reader_fail (bytes, start,
			     "invalid counter count %" PRIu64
			     " (more than the section can hold)",
			     count);
  reader->counters_left -= count;
  vector->count = count;
  if (head % 2 == 0 || bytes->failed)
    return !bytes->failed;
  vector->counters
    = gcov_section_allocate (reader, count, sizeof *vector->counters);
  for (uint64_t i = 0; i < count && !bytes->failed; i++)
    {
      start = bytes->position;
      vector->counters[i] = byte_reader_uleb128 (bytes, "a counter");
      if (vector->counters[i] != 0)
	continue;
      uint64_t more = byte_reader_uleb128 (bytes, "a run of zeros");
      if (more > count - 1 - i)
	return byte_reader_fail (bytes, start,
				 "run of zeros past the end of a vector");
      i += more;
    }
  return !bytes->failed;
}

static bool
read_site (struct gcov_section_reader *reader, struct gcov_site *site)
{
  struct byte_reader *bytes = reader->bytes;
  site->total = read_signed (bytes, "a site");
  uint32_t count = byte_reader_uleb128_u32 (bytes, "a site");
  if (!byte_reader_need (bytes, count, 2, "the values of a site"))
    return false;
  site->targets = gcov_section_allocate (reader, count, sizeof *site->targets);
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
read_sites (struct gcov_section_reader *reader, struct gcov_vector *vector)
{
  struct byte_reader *bytes = reader->bytes;
  uint32_t count = byte_reader_uleb128_u32 (bytes, "the number of sites");
  if (!byte_reader_need (bytes, count, 2, "sites"))
    return false;
  vector->sites = gcov_section_allocate (reader, count, sizeof *vector->sites);
  if (!vector->sites)
    return false;
  vector->count = count;
  for (uint32_t i = 0; i < count; i++)
    if (!read_site (reader, &vector->sites[i]))
      return false;
  return true;
}

static bool
read_vectors (struct gcov_section_reader *reader,
	      struct gcov_function *function)
{
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  uint64_t kinds = byte_reader_uleb128 (bytes, "the kinds of vectors");
  if (kinds >> GCOV_KINDS != 0)
    return byte_reader_fail (bytes, start, "unknown vector kinds 0x%" PRIx64,
			     kinds);
  function->vectors
    = gcov_section_allocate (reader, __builtin_popcountll (kinds),
			     sizeof *function->vectors);
  if (!function->vectors)
    return false;
  for (unsigned int kind = 0; kind < GCOV_KINDS; kind++)
    {
      if (!(kinds >> kind & 1))
	continue;
      struct gcov_vector *vector = &function->vectors[function->vector_count++];
      vector->kind = kind;
      if (!(gcov_kind_has_sites (kind) ? read_sites (reader, vector)
				       : read_counters (reader, vector)))
	return false;
    }
  return !bytes->failed;
}

bool
gcov_section_read_function (struct gcov_section_reader *reader,
			    struct gcov_function *function, uint32_t *distance,
			    uint64_t *name)
{
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  *distance = byte_reader_uleb128_u32 (bytes, "a function");
  uint8_t flags = byte_reader_u8 (bytes, "a function");
  if (flags & ~GCOV_SECTION_FUNCTION_FLAGS)
    return byte_reader_fail (bytes, start, "function with unknown flags 0x%x",
			     flags);
  *name = read_string (reader, &function->name);
  read_string (reader, &function->file);
  if (function->file && !function->name)
    return byte_reader_fail (bytes, start,
			     "function with a file, but without a name");
  if (flags & GCOV_SECTION_HAS_IDENT)
    function->ident = byte_reader_u32 (bytes, "a function");
  else if (function->name)
    function->ident = gcov_ident_public (function->name);
  else
    return byte_reader_fail (bytes, start, "function without ident and name");
  function->lineno_checksum = byte_reader_u32 (bytes, "a function");
  function->cfg_checksum = byte_reader_u32 (bytes, "a function");
  return read_vectors (reader, function);
}

bool
gcov_section_check_kinds (struct byte_reader *bytes, size_t start,
			  const struct gcov_unit *unit,
			  const struct gcov_function *function)
{
  unsigned int major = gcov_format_major (unit->version);
  unsigned int last = gcov_format_last_kind (major);
  for (uint32_t i = 0; i < function->vector_count; i++)
    if (function->vectors[i].kind > last)
      return byte_reader_fail (bytes, start,
			       "unsupported counter kind %u for GCC %u",
			       (unsigned int) function->vectors[i].kind, major);
  return true;
}

bool
gcov_section_read_ident (struct gcov_section_reader *reader, uint32_t *ident)
{
  static const char what[] = "a function without name";
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  byte_reader_uleb128_u32 (bytes, what);
  uint8_t flags = byte_reader_u8 (bytes, what);
  uint64_t name = byte_reader_uleb128 (bytes, what);
  uint64_t file = byte_reader_uleb128 (bytes, what);
  *ident = byte_reader_u32 (bytes, what);
  if (!bytes->failed
      && (name != 0 || file != 0 || !(flags & GCOV_SECTION_HAS_IDENT)))
    byte_reader_fail (bytes, start,
		      "function differs from its entry in the index");
  return !bytes->failed;
}

bool
gcov_section_read_unit (struct gcov_section_reader *reader,
			struct gcov_unit *unit)
{
  struct byte_reader *bytes = reader->bytes;
  size_t start = bytes->position;
  read_string (reader, &unit->path);
  if (!bytes->failed && !unit->path)
    unit->path = gcov_section_allocate (reader, 0, 1);
  uint8_t flags = byte_reader_u8 (bytes, "a unit");
  if (flags & ~GCOV_SECTION_UNIT_FLAGS)
    return byte_reader_fail (bytes, start, "unit with unknown flags 0x%x",
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
    return byte_reader_fail (bytes, start,
			     "invalid position count %u (more than the "
			     "section can hold)",
			     unit->position_count);
  reader->positions_left -= unit->position_count;
  return !bytes->failed;
}
