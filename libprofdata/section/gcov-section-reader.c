/* GCC's own counters in the heapprof section: the reader.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-section.h"
#include "gcov-section-index.h"
#include "gcov-section-parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A section being read, and the index that it must have.  */
struct whole_reader
{
  struct gcov_section_reader parts;
  struct gcov_section_index *index;
  size_t base; /* start of the section */
};

/* Return the offset of the next byte in the section.  */
static uint64_t
place_of (const struct whole_reader *whole)
{
  return whole->parts.bytes->position - whole->base;
}

static bool
read_strings (struct whole_reader *whole)
{
  struct gcov_section_reader *reader = &whole->parts;
  struct byte_reader *bytes = reader->bytes;
  uint64_t count = byte_reader_uleb128 (bytes, "the number of strings");
  if (!byte_reader_need (bytes, count, 2, "strings"))
    return false;
  reader->strings
    = gcov_section_allocate (reader, count, sizeof *reader->strings);
  if (!reader->strings)
    return false;
  reader->string_count = count;
  for (uint64_t i = 0; i < count && !bytes->failed; i++)
    {
      size_t start = bytes->position;
      struct gcov_section_string *string = &reader->strings[i];
      gcov_section_index_add_string (whole->index, place_of (whole));
      string->size = byte_reader_uleb128 (bytes, "a string");
      string->text = byte_reader_bytes (bytes, string->size, "a string");
      if (string->text && memchr (string->text, '\0', string->size))
	byte_reader_fail (bytes, start, "string contains a NUL byte");
      else if (string->text && string->size == 0)
	byte_reader_fail (bytes, start, "invalid empty string");
    }
  return !bytes->failed;
}

/* Read FUNCTION of UNIT.  The functions before it have been read.  */
static bool
read_function (struct whole_reader *whole, const struct gcov_unit *unit,
	       struct gcov_function *function)
{
  struct byte_reader *bytes = whole->parts.bytes;
  size_t start = bytes->position;
  uint64_t place = place_of (whole);
  const struct gcov_function *before
    = function > unit->functions ? function - 1 : NULL;
  uint32_t distance;
  uint64_t name;
  if (!gcov_section_read_function (&whole->parts, function, &distance, &name)
      || !gcov_section_check_kinds (bytes, start, unit, function))
    return false;
  uint64_t position = (before ? before->position : 0) + (uint64_t) distance;
  if (position >= unit->position_count)
    return byte_reader_fail (bytes, start,
			     "invalid function position %" PRIu64
			     " (expected less than %u)",
			     position, unit->position_count);
  function->position = position;
  if (before && gcov_function_compare (before, function) >= 0)
    return byte_reader_fail (bytes, start, "functions out of order");
  gcov_section_index_add_function (whole->index, name, function->ident, place);
  return true;
}

static bool
read_functions (struct whole_reader *whole, struct gcov_unit *unit)
{
  struct byte_reader *bytes = whole->parts.bytes;
  uint32_t count = byte_reader_uleb128_u32 (bytes, "the number of functions");
  /* Two bytes of numbers, two strings, two checksums, the kinds.  */
  if (!byte_reader_need (bytes, count, 13, "functions"))
    return false;
  unit->functions
    = gcov_section_allocate (&whole->parts, count, sizeof *unit->functions);
  if (!unit->functions)
    return false;
  for (uint32_t i = 0; i < count; i++)
    {
      struct gcov_function *function = &unit->functions[i];
      unit->function_count++;
      if (!read_function (whole, unit, function))
	return false;
    }
  return true;
}

static bool
read_unit (struct whole_reader *whole, struct gcov_unit *unit)
{
  uint64_t place = place_of (whole);
  if (!gcov_section_read_unit (&whole->parts, unit))
    return false;
  gcov_section_index_add_unit (whole->index, unit, place);
  return read_functions (whole, unit);
}

static bool
read_units (struct whole_reader *whole, struct gcov_profile *profile)
{
  struct byte_reader *bytes = whole->parts.bytes;
  uint64_t count = byte_reader_uleb128 (bytes, "the number of units");
  for (uint64_t i = 0; i < count && !bytes->failed; i++)
    {
      size_t start = bytes->position;
      struct gcov_unit *unit
	= gcov_section_allocate (&whole->parts, 0, sizeof *unit);
      if (!unit || !read_unit (whole, unit))
	gcov_unit_free (unit);
      else if (!gcov_profile_add (profile, unit))
	byte_reader_fail_memory (bytes);
      else if (profile->unit_count == i)
	byte_reader_fail (bytes, start, "duplicate unit");
    }
  return !bytes->failed;
}

/* Read the index, which starts here, at PLACE, and check that it equals
   INDEX.  */
static bool
read_index (struct byte_reader *bytes, struct gcov_section_index *index,
	    uint64_t place)
{
  struct byte_writer expected = { 0 };
  size_t start = bytes->position;
  bool done = (gcov_section_index_write (index, &expected, place)
	       || byte_reader_fail_memory (bytes));
  const void *found
    = done ? byte_reader_bytes (bytes, expected.size, "the index of functions")
	   : NULL;
  if (found && memcmp (found, expected.data, expected.size) != 0)
    byte_reader_fail (bytes, start, "invalid index of functions");
  byte_writer_free (&expected);
  return !bytes->failed;
}

bool
gcov_section_read_units (struct byte_reader *bytes,
			 struct gcov_profile *profile,
			 struct gcov_section_index *index)
{
  struct whole_reader whole = { .index = index, .base = bytes->position };
  gcov_section_reader_init (&whole.parts, bytes, byte_reader_left (bytes));
  bool done = read_strings (&whole) && read_units (&whole, profile);
  free (whole.parts.strings);
  return done;
}

bool
gcov_section_read (struct byte_reader *bytes, struct gcov_profile *profile)
{
  struct gcov_section_index index = { 0 };
  size_t base = bytes->position;
  bool done = (gcov_section_read_units (bytes, profile, &index)
	       && read_index (bytes, &index, bytes->position - base));
  gcov_section_index_free (&index);
  return done;
}
