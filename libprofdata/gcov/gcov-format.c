/* Common parts of GCC's data files and notes files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-format.h"
#include <string.h>

unsigned int
gcov_format_major (uint32_t version)
{
  unsigned int letter = version >> 24;
  unsigned int digit = version >> 16 & 0xff;
  if (letter < 'A' || letter > 'Z' || digit < '0' || digit > '9')
    return 0;
  return (letter - 'A') * 10 + (digit - '0');
}

static bool
is_magic (uint32_t word)
{
  return (word == GCOV_FORMAT_DATA_MAGIC || word == GCOV_FORMAT_NOTES_MAGIC
	  || word == GCOV_FORMAT_NAME_MAGIC);
}

uint32_t
gcov_format_read_magic (struct byte_reader *reader)
{
  size_t start = reader->position;
  uint32_t magic = byte_reader_u32 (reader, "the magic number");
  if (reader->failed || is_magic (magic))
    return magic;
  if (is_magic (__builtin_bswap32 (magic)))
    {
      reader->big_endian = !reader->big_endian;
      return __builtin_bswap32 (magic);
    }
  byte_reader_fail (reader, start, "not a GCC coverage file: magic 0x%08x",
		    magic);
  return 0;
}

unsigned int
gcov_format_read_version (struct byte_reader *reader, uint32_t *version)
{
  size_t start = reader->position;
  *version = byte_reader_u32 (reader, "the version");
  unsigned int major = gcov_format_major (*version);
  if (major >= GCOV_FORMAT_FIRST_MAJOR && major <= GCOV_FORMAT_LAST_MAJOR)
    return major;
  if (major == 0)
    byte_reader_fail (reader, start, "invalid GCC version 0x%08x", *version);
  else
    byte_reader_fail (reader, start,
		      "unsupported GCC version %u (expected %u to %u)", major,
		      GCOV_FORMAT_FIRST_MAJOR, GCOV_FORMAT_LAST_MAJOR);
  return 0;
}

int64_t
gcov_format_read_counter (struct byte_reader *reader, const char *what)
{
  uint64_t low = byte_reader_u32 (reader, what);
  uint64_t high = byte_reader_u32 (reader, what);
  return (int64_t) (high << 32 | low);
}

enum gcov_kind
gcov_format_last_kind (unsigned int major)
{
  if (major < 14)
    return GCOV_KIND_TIME;
  return major < 15 ? GCOV_KIND_CONDITIONS : GCOV_KIND_PATHS;
}

const char *
gcov_format_read_string (struct byte_reader *reader, unsigned int major,
			 const char *what)
{
  size_t start = reader->position;
  uint64_t n = byte_reader_u32 (reader, what);
  if (gcov_format_has_words (major))
    n *= 4;
  if (n == 0)
    return NULL;
  const char *text = byte_reader_bytes (reader, n, what);
  if (text && text[n - 1] != '\0')
    {
      byte_reader_fail (reader, start, "%s is not terminated", what);
      return NULL;
    }
  return text;
}
