/* Bounds-checked reading of untrusted bytes.
   SPDX-License-Identifier: GPL-3.0-or-later

   A reader walks over part of a file in memory.  The first read past the end of
   that part fills the reader's error and makes the reader fail; from then on
   every read returns 0 and changes nothing.  So a caller can read a complete
   structure and check for failure once, but must check before it uses a count
   or an index.  Offsets are from the start of the file.  */

#ifndef HEAPPROF_BYTE_READER_H
#define HEAPPROF_BYTE_READER_H

#include "profile-error.h"
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct byte_reader
{
  const uint8_t *data; /* the complete file */
  size_t position;     /* offset of the next byte */
  size_t end;	       /* offset after the last readable byte */
  bool big_endian;
  bool failed;
  const char *path;
  struct profile_error *err;
};

/* Read SIZE bytes at DATA, little-endian by default.  PATH and ERR must outlive
   the reader.  */
void byte_reader_init (struct byte_reader *reader, const char *path,
		       const void *data, size_t size,
		       struct profile_error *err);

/* Make READER fail: set *ERR to OFFSET and CAUSE, unless it failed before.
   Return false.  */
bool byte_reader_fail (struct byte_reader *reader, uint64_t offset,
		       const char *cause, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Make READER fail because memory is exhausted.  Return false.  */
bool byte_reader_fail_memory (struct byte_reader *reader);

/* Continue at OFFSET, the start of WHAT.  */
bool byte_reader_seek (struct byte_reader *reader, uint64_t offset,
		       const char *what);

/* Return the number of bytes between the position and the end.  */
static inline size_t
byte_reader_left (const struct byte_reader *reader)
{
  return reader->failed ? 0 : reader->end - reader->position;
}

/* Fail because fewer than N * RECORD_BYTES bytes are left for WHAT.  */
bool byte_reader_fail_need (struct byte_reader *reader, uint64_t n,
			    size_t record_bytes, const char *what);

/* Fail unless N * RECORD_BYTES bytes are left for WHAT.  */
static inline bool
byte_reader_need (struct byte_reader *reader, uint64_t n, size_t record_bytes,
		  const char *what)
{
  if (!reader->failed && n <= byte_reader_left (reader) / record_bytes)
    return true;
  return byte_reader_fail_need (reader, n, record_bytes, what);
}

/* Return the next N bytes, valid as long as the file is in memory; NULL if the
   reader fails.  */
static inline const void *
byte_reader_bytes (struct byte_reader *reader, uint64_t n, const char *what)
{
  if (!byte_reader_need (reader, n, 1, what))
    return NULL;
  const uint8_t *bytes = reader->data + reader->position;
  reader->position += n;
  return bytes;
}

/* Return a reader of just the next N bytes, WHAT, and skip them in READER.  The
   caller passes failures back with byte_reader_join.  */
static inline struct byte_reader
byte_reader_part (struct byte_reader *reader, uint64_t n, const char *what)
{
  struct byte_reader part = *reader;
  byte_reader_bytes (reader, n, what);
  part.end = reader->position;
  part.failed = reader->failed;
  return part;
}

/* Fail because PART has bytes left: WHAT is longer than its content.  */
void byte_reader_fail_left (struct byte_reader *part, const char *what);

/* Fail if PART failed or has bytes left.  */
static inline bool
byte_reader_join (struct byte_reader *reader, struct byte_reader *part,
		  const char *what)
{
  if (!part->failed && part->position != part->end)
    byte_reader_fail_left (part, what);
  reader->failed |= part->failed;
  return !reader->failed;
}

/* Read the next number, of WHAT; 0 if the reader fails.  */
static inline uint8_t
byte_reader_u8 (struct byte_reader *reader, const char *what)
{
  const uint8_t *bytes = byte_reader_bytes (reader, 1, what);
  return bytes ? *bytes : 0;
}

static inline uint16_t
byte_reader_u16 (struct byte_reader *reader, const char *what)
{
  uint16_t value = 0;
  const void *bytes = byte_reader_bytes (reader, sizeof value, what);
  if (bytes)
    memcpy (&value, bytes, sizeof value);
  return reader->big_endian ? be16toh (value) : le16toh (value);
}

static inline uint32_t
byte_reader_u32 (struct byte_reader *reader, const char *what)
{
  uint32_t value = 0;
  const void *bytes = byte_reader_bytes (reader, sizeof value, what);
  if (bytes)
    memcpy (&value, bytes, sizeof value);
  return reader->big_endian ? be32toh (value) : le32toh (value);
}

static inline uint64_t
byte_reader_u64 (struct byte_reader *reader, const char *what)
{
  uint64_t value = 0;
  const void *bytes = byte_reader_bytes (reader, sizeof value, what);
  if (bytes)
    memcpy (&value, bytes, sizeof value);
  return reader->big_endian ? be64toh (value) : le64toh (value);
}

/* byte_reader_uleb128, byte by byte: for numbers near the end of the readable
   part, and for long or invalid ones.  */
uint64_t byte_reader_uleb128_slowly (struct byte_reader *reader,
				     const char *what);

/* Decode the number at BYTES, of which 8 can be read, into *VALUE.  Return its
   length in bytes; 0 if it is longer than 8.  The length is never branched on,
   as no processor predicts it: keep the bytes up to the first one with a clear
   top bit, and close the gaps between their groups of 7 bits.  */
static inline size_t
byte_reader_word_uleb128 (const uint8_t *bytes, uint64_t *value)
{
  uint64_t word;
  memcpy (&word, bytes, sizeof word);
  word = le64toh (word);
  uint64_t ends = ~word & UINT64_C (0x8080808080808080);
  if (ends == 0)
    return 0;
  word &= (ends ^ (ends - 1)) & UINT64_C (0x7f7f7f7f7f7f7f7f);
  word = (word & UINT64_C (0x007f007f007f007f))
	 | (word & UINT64_C (0x7f007f007f007f00)) >> 1;
  word = (word & UINT64_C (0x00003fff00003fff))
	 | (word & UINT64_C (0x3fff00003fff0000)) >> 2;
  *value = (word & UINT64_C (0x0fffffff))
	   | (word & UINT64_C (0x0fffffff00000000)) >> 4;
  return __builtin_ctzll (ends) / 8 + 1;
}

/* Read an unsigned LEB128 number of at most 64 bits; for
   byte_reader_uleb128_u32, at most UINT32_MAX.  */
static inline uint64_t
byte_reader_uleb128 (struct byte_reader *reader, const char *what)
{
  uint64_t value = 0;
  size_t bytes
    = byte_reader_left (reader) < sizeof value
	? 0
	: byte_reader_word_uleb128 (reader->data + reader->position, &value);
  if (bytes == 0)
    return byte_reader_uleb128_slowly (reader, what);
  reader->position += bytes;
  return value;
}

/* Read COUNT unsigned LEB128 numbers into VALUES.  */
void byte_reader_uleb128s (struct byte_reader *reader, uint64_t *values,
			   size_t count, const char *what);

uint32_t byte_reader_uleb128_u32 (struct byte_reader *reader, const char *what);

#endif /* HEAPPROF_BYTE_READER_H */
