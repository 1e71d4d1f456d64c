/* The heapprof section: finding it and its blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-section.h"
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

uint32_t
heapprof_section_skip_block (struct byte_reader *reader)
{
  static const char what[] = "a block";
  uint32_t kind = byte_reader_u32 (reader, what);
  byte_reader_u32 (reader, what);
  uint64_t stored = byte_reader_u64 (reader, what);
  byte_reader_u64 (reader, what);
  byte_reader_bytes (reader, stored, what);
  byte_reader_bytes (reader, -stored % 8, what);
  return kind;
}

bool
heapprof_section_has (const struct byte_reader *section,
		      enum heapprof_section_block kind)
{
  struct profile_error ignored;
  struct byte_reader reader = *section;
  reader.err = &ignored;
  while (!reader.failed && byte_reader_left (&reader) > 0)
    if (heapprof_section_skip_block (&reader) == kind)
      return !reader.failed;
  return false;
}

/* Return true if SECTION has COUNT blocks, or if they cannot be counted because
   one is damaged.  */
static bool
has_blocks (const struct byte_reader *section, uint32_t count)
{
  struct profile_error ignored;
  struct byte_reader reader = *section;
  reader.err = &ignored;
  uint32_t found = 0;
  for (; byte_reader_left (&reader) > 0 && !reader.failed; found++)
    heapprof_section_skip_block (&reader);
  return reader.failed || found == count;
}

static bool
is_there (const struct byte_reader *reader)
{
  struct profile_error ignored;
  struct byte_reader end = *reader;
  end.err = &ignored;
  if (reader->end < HEAPPROF_SECTION_TRAILER_BYTES)
    return false;
  byte_reader_seek (&end, reader->end - HEAPPROF_SECTION_MAGIC_BYTES, "");
  const void *magic
    = byte_reader_bytes (&end, HEAPPROF_SECTION_MAGIC_BYTES, "");
  return magic
	 && memcmp (magic, HEAPPROF_SECTION_MAGIC, HEAPPROF_SECTION_MAGIC_BYTES)
	      == 0;
}

static bool
check_version (struct byte_reader *reader, size_t offset, uint32_t version)
{
  if (reader->failed
      || (version >= HEAPPROF_SECTION_VERSION_LEAST
	  && version <= HEAPPROF_SECTION_VERSION))
    return !reader->failed;
  return byte_reader_fail (reader, offset,
			   "heapprof section version %" PRIu32
			   " is %s (supports %d to %d)",
			   version,
			   version > HEAPPROF_SECTION_VERSION
			     ? "newer than this tool"
			     : "unknown",
			   HEAPPROF_SECTION_VERSION_LEAST,
			   HEAPPROF_SECTION_VERSION);
}

/* Check that the CRC-32 of the bytes of READER up to CHECKED is STORED.  */
static bool
check_sum (struct byte_reader *reader, size_t checked, uint32_t stored)
{
  uint32_t found = crc32_z (0, reader->data, checked);
  return (
    found == stored
    || byte_reader_fail (reader, checked,
			 "the file is damaged: its checksum is 0x%08" PRIx32
			 " (expected 0x%08" PRIx32 ")",
			 found, stored));
}

/* Check the trailer, the checksum only if IS_WHOLE, and make READER a reader of
   the section.  */
static bool
read_trailer (struct byte_reader *reader, bool is_whole)
{
  static const char what[] = "the trailer";
  size_t trailer = reader->end - HEAPPROF_SECTION_TRAILER_BYTES;
  byte_reader_seek (reader, trailer, what);
  uint64_t offset = byte_reader_u64 (reader, what);
  uint64_t bytes = byte_reader_u64 (reader, what);
  uint32_t version = byte_reader_u32 (reader, what);
  size_t checked = reader->position;
  uint32_t stored = byte_reader_u32 (reader, what);
  if (!check_version (reader, trailer + 16, version))
    return false;
  if (is_whole && !check_sum (reader, checked, stored))
    return false;
  if (offset > trailer || offset % 8 != 0 || trailer - offset != bytes)
    return byte_reader_fail (reader, trailer,
			     "heapprof section of %" PRIu64
			     " bytes at 0x%" PRIx64
			     " does not end at its trailer",
			     bytes, offset);
  byte_reader_seek (reader, offset, what);
  reader->end = trailer;
  return true;
}

/* Read the section's header at READER's position.  */
static bool
read_section_header (struct byte_reader *reader)
{
  static const char what[] = "the heapprof section";
  size_t start = reader->position;
  const void *magic
    = byte_reader_bytes (reader, HEAPPROF_SECTION_MAGIC_BYTES, what);
  uint32_t version = byte_reader_u32 (reader, what);
  uint32_t blocks = byte_reader_u32 (reader, what);
  if (reader->failed)
    return false;
  if (memcmp (magic, HEAPPROF_SECTION_MAGIC, HEAPPROF_SECTION_MAGIC_BYTES) != 0)
    return byte_reader_fail (reader, start,
			     "missing heapprof section at the offset in the "
			     "trailer");
  if (!check_version (reader, start + 8, version))
    return false;
  if (version == 2 && blocks != HEAPPROF_SECTION_HEAP_BLOCKS)
    return byte_reader_fail (reader, start + 12,
			     "invalid number of blocks %" PRIu32
			     " (version 2 has %d)",
			     blocks, HEAPPROF_SECTION_HEAP_BLOCKS);
  return (has_blocks (reader, blocks)
	  || byte_reader_fail (reader, start + 12,
			       "invalid number of blocks (expected %" PRIu32
			       ")",
			       blocks));
}

bool
heapprof_section_open (struct byte_reader *reader, struct byte_reader *section)
{
  *section = *reader;
  if (!is_there (reader))
    {
      section->position = section->end;
      return true;
    }
  bool done = read_trailer (section, true);
  size_t start = section->position;
  done = done && read_section_header (section);
  reader->failed |= !done;
  reader->end = start;
  return done;
}

/* Make *BLOCK a reader of the content of the block of KIND in SECTION.  */
static bool
find_block (struct byte_reader *section, enum heapprof_section_block kind,
	    struct byte_reader *block)
{
  static const char what[] = "a block";
  while (!section->failed && byte_reader_left (section) > 0)
    {
      size_t start = section->position;
      uint32_t found = byte_reader_u32 (section, what);
      uint32_t encoding = byte_reader_u32 (section, what);
      uint64_t stored = byte_reader_u64 (section, what);
      byte_reader_u64 (section, what);
      *block = byte_reader_part (section, stored, what);
      byte_reader_bytes (section, -stored % 8, what);
      if (section->failed || found != kind)
	continue;
      return (encoding == HEAPPROF_SECTION_PLAIN
	      || byte_reader_fail (section, start,
				   "block of kind %" PRIu32 " must be plain",
				   found));
    }
  *block = *section;
  block->position = block->end;
  return !section->failed;
}

bool
heapprof_section_enter (const struct byte_reader *reader,
			struct byte_reader *section)
{
  *section = *reader;
  if (is_there (reader))
    return read_trailer (section, false) && read_section_header (section);
  section->position = section->end;
  return true;
}

bool
heapprof_section_find (const struct byte_reader *reader,
		       enum heapprof_section_block kind,
		       struct byte_reader *block)
{
  struct byte_reader section;
  return (heapprof_section_enter (reader, &section)
	  && find_block (&section, kind, block));
}
