/* Bounds-checked reading of untrusted bytes.
   SPDX-License-Identifier: GPL-3.0-or-later

   All reading from files goes through these functions: no format reader has
   pointer arithmetic of its own.  */

#include "byte-reader.h"
#include <inttypes.h>
#include <stdarg.h>

void
byte_reader_init (struct byte_reader *reader, const char *path,
		  const void *data, size_t size, struct profile_error *err)
{
  *reader = (struct byte_reader){
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
  va_list arguments;
  va_start (arguments, cause);
  profile_error_set_list (reader->err, reader->path, offset, cause, arguments);
  va_end (arguments);
  return false;
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
byte_reader_seek (struct byte_reader *reader, uint64_t offset, const char *what)
{
  if (reader->failed)
    return false;
  if (offset > reader->end)
    return byte_reader_fail (reader, reader->position,
			     "%s: invalid offset 0x%" PRIx64
			     " (expected at most 0x%zx)",
			     what, offset, reader->end);
  reader->position = offset;
  return true;
}

void
byte_reader_fail_left (struct byte_reader *part, const char *what)
{
  byte_reader_fail (part, part->position, "%zu extra bytes at the end of %s",
		    part->end - part->position, what);
}

bool
byte_reader_fail_need (struct byte_reader *reader, uint64_t n,
		       size_t record_bytes, const char *what)
{
  size_t left = byte_reader_left (reader);
  if (record_bytes == 1)
    return byte_reader_fail (reader, reader->position,
			     "%s: need %" PRIu64 " bytes, %zu left", what, n,
			     left);
  return byte_reader_fail (reader, reader->position,
			   "%s: need %" PRIu64 " * %zu bytes, %zu left", what,
			   n, record_bytes, left);
}

uint64_t
byte_reader_uleb128_slowly (struct byte_reader *reader, const char *what)
{
  size_t start = reader->position;
  uint64_t value = 0;
  for (unsigned int shift = 0; shift < 64; shift += 7)
    {
      uint8_t byte = byte_reader_u8 (reader, what);
      uint64_t bits = byte & 0x7f;
      if (shift == 63 && bits > 1)
	break;
      value |= bits << shift;
      if (!(byte & 0x80))
	return value;
    }
  byte_reader_fail (reader, start, "%s: number exceeds 64 bits", what);
  return 0;
}

void
byte_reader_uleb128s (struct byte_reader *reader, uint64_t *values,
		      size_t count, const char *what)
{
  size_t i = 0;
  /* The start of the next number depends only on the previous one; keep it in a
     register rather than in *READER.  */
  if (byte_reader_left (reader) >= sizeof *values)
    {
      size_t position = reader->position;
      size_t last = reader->end - sizeof *values;
      size_t bytes = 1;
      while (i < count && position <= last && bytes > 0)
	{
	  bytes
	    = byte_reader_word_uleb128 (reader->data + position, &values[i]);
	  position += bytes;
	  i += bytes > 0;
	}
      reader->position = position;
    }
  for (; i < count; i++)
    values[i] = byte_reader_uleb128 (reader, what);
}

uint32_t
byte_reader_uleb128_u32 (struct byte_reader *reader, const char *what)
{
  size_t start = reader->position;
  uint64_t value = byte_reader_uleb128 (reader, what);
  if (value > UINT32_MAX)
    {
      byte_reader_fail (reader, start, "%s: %" PRIu64 " exceeds 32 bits", what,
			value);
      return 0;
    }
  return value;
}
