/* Bounded reading of bytes that nobody vouches for.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reading a file is done with the functions here alone: no reader of a format
   has pointer arithmetic of its own.  */

#include "byte-reader.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void
byte_reader_init (struct byte_reader *reader, const char *path,
		  const void *data, size_t size, struct profile_error *err)
{
  *reader = (struct byte_reader) {
    .data = data, .end = size, .path = path, .err = err
  };
}

bool
byte_reader_fail (struct byte_reader *reader, uint64_t offset,
		  const char *cause, ...)
{
  if (reader->failed)
    return false;
  reader->failed = true;
  char text[PROFILE_ERROR_CAUSE_BYTES];
  va_list arguments;
  va_start (arguments, cause);
  vsnprintf (text, sizeof text, cause, arguments);
  va_end (arguments);
  return profile_error_set (reader->err, reader->path, offset, "%s", text);
}

bool
byte_reader_fail_memory (struct byte_reader *reader)
{
  if (reader->failed)
    return false;
  reader->failed = true;
  return profile_error_set_memory (reader->err, reader->path);
}

bool
byte_reader_seek (struct byte_reader *reader, uint64_t offset,
		  const char *what)
{
  if (reader->failed)
    return false;
  if (offset > reader->end)
    return byte_reader_fail (reader, reader->position,
			     "%s begins at 0x%" PRIx64
			     ", after the end at 0x%zx",
			     what, offset, reader->end);
  reader->position = offset;
  return true;
}

struct byte_reader
byte_reader_part (struct byte_reader *reader, uint64_t n, const char *what)
{
  struct byte_reader part = *reader;
  byte_reader_bytes (reader, n, what);
  part.end = reader->position;
  part.failed = reader->failed;
  return part;
}

bool
byte_reader_join (struct byte_reader *reader, struct byte_reader *part,
		  const char *what)
{
  if (!part->failed && part->position != part->end)
    byte_reader_fail (part, part->position, "%zu bytes left at the end of %s",
		      part->end - part->position, what);
  reader->failed |= part->failed;
  return !reader->failed;
}

size_t
byte_reader_left (const struct byte_reader *reader)
{
  return reader->failed ? 0 : reader->end - reader->position;
}

bool
byte_reader_need (struct byte_reader *reader, uint64_t n, size_t record_bytes,
		  const char *what)
{
  if (reader->failed)
    return false;
  size_t left = byte_reader_left (reader);
  if (n <= left / record_bytes)
    return true;
  if (record_bytes == 1)
    return byte_reader_fail (reader, reader->position,
			     "%s needs %" PRIu64 " bytes, %zu left", what, n,
			     left);
  return byte_reader_fail (reader, reader->position,
			   "%s needs %" PRIu64 " times %zu bytes, %zu left",
			   what, n, record_bytes, left);
}

/* The next N <= 8 bytes as a number.  */
static uint64_t
read_number (struct byte_reader *reader, size_t n, const char *what)
{
  if (!byte_reader_need (reader, n, 1, what))
    return 0;
  const uint8_t *bytes = reader->data + reader->position;
  reader->position += n;
  uint64_t value = 0;
  for (size_t i = 0; i < n; i++)
    value |= (uint64_t) bytes[i] << 8 * (reader->big_endian ? n - 1 - i : i);
  return value;
}

uint8_t
byte_reader_u8 (struct byte_reader *reader, const char *what)
{
  return read_number (reader, 1, what);
}

uint16_t
byte_reader_u16 (struct byte_reader *reader, const char *what)
{
  return read_number (reader, 2, what);
}

uint32_t
byte_reader_u32 (struct byte_reader *reader, const char *what)
{
  return read_number (reader, 4, what);
}

uint64_t
byte_reader_u64 (struct byte_reader *reader, const char *what)
{
  return read_number (reader, 8, what);
}

uint64_t
byte_reader_uleb128 (struct byte_reader *reader, const char *what)
{
  size_t start = reader->position;
  uint64_t value = 0;
  for (unsigned int shift = 0; shift < 64; shift += 7)
    {
      uint8_t byte = read_number (reader, 1, what);
      uint64_t bits = byte & 0x7f;
      if (shift == 63 && bits > 1)
	break;
      value |= bits << shift;
      if (!(byte & 0x80))
	return value;
    }
  byte_reader_fail (reader, start, "%s does not fit 64 bits", what);
  return 0;
}

uint32_t
byte_reader_uleb128_u32 (struct byte_reader *reader, const char *what)
{
  size_t start = reader->position;
  uint64_t value = byte_reader_uleb128 (reader, what);
  if (value > UINT32_MAX)
    {
      byte_reader_fail (reader, start, "%s is %" PRIu64
			", more than 32 bits hold", what, value);
      return 0;
    }
  return value;
}

const void *
byte_reader_bytes (struct byte_reader *reader, uint64_t n, const char *what)
{
  if (!byte_reader_need (reader, n, 1, what))
    return NULL;
  const uint8_t *bytes = reader->data + reader->position;
  reader->position += n;
  return bytes;
}
