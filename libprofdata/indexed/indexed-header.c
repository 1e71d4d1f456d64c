/* The header of an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "indexed-header.h"
#include "counter-profile.h"
#include "indexed-format.h"
#include "indexed-profile.h"
#include <inttypes.h>
#include <string.h>

static const char what[] = "the header";

static const struct
{
  unsigned int flag;
  uint64_t bit;
} flag_bits[] = { { COUNTER_IR, INDEXED_FLAG_IR },
		  { COUNTER_CONTEXT_SENSITIVE, INDEXED_FLAG_CONTEXT_SENSITIVE },
		  { COUNTER_ENTRY_FIRST, INDEXED_FLAG_ENTRY_FIRST },
		  { COUNTER_LOOP_ENTRIES, INDEXED_FLAG_LOOP_ENTRIES },
		  { COUNTER_SINGLE_BYTE, INDEXED_FLAG_SINGLE_BYTE },
		  { COUNTER_ENTRY_ONLY, INDEXED_FLAG_ENTRY_ONLY },
		  { COUNTER_TEMPORAL, INDEXED_FLAG_TEMPORAL } };

#define FLAG_BITS (sizeof flag_bits / sizeof *flag_bits)

bool
indexed_profile_has_magic (const void *data, size_t n)
{
  return (n >= INDEXED_MAGIC_BYTES
	  && memcmp (data, INDEXED_MAGIC, INDEXED_MAGIC_BYTES) == 0);
}

uint64_t
indexed_header_bits (unsigned int flags)
{
  uint64_t bits = 0;
  for (size_t i = 0; i < FLAG_BITS; i++)
    if (flags & flag_bits[i].flag)
      bits |= flag_bits[i].bit;
  return bits;
}

/* Read the flags in the high half of the version's WORD.  Set *HAS_MEMPROF.  */
static bool
read_flags (struct byte_reader *reader, struct indexed_header *header,
	    uint64_t word, bool *has_memprof)
{
  uint64_t bits = word & ~(uint64_t) UINT32_MAX;
  *has_memprof = bits & INDEXED_FLAG_MEMPROF;
  bits &= ~INDEXED_FLAG_MEMPROF;
  for (size_t i = 0; i < FLAG_BITS; i++)
    if (bits & flag_bits[i].bit)
      header->flags |= flag_bits[i].flag;
  bits &= ~indexed_header_bits (header->flags);
  if (bits != 0)
    return byte_reader_fail (reader, INDEXED_MAGIC_BYTES,
			     "unknown flags 0x%" PRIx64, bits);
  return true;
}

/* Read the version and the flags and check that they are supported.  */
static bool
read_version (struct byte_reader *reader, struct indexed_header *header,
	      bool *has_memprof)
{
  if (!indexed_profile_has_magic (reader->data, reader->end))
    return byte_reader_fail (reader, 0, "not an indexed profile");
  byte_reader_seek (reader, INDEXED_MAGIC_BYTES, what);
  uint64_t word = byte_reader_u64 (reader, what);
  uint32_t version = word;
  if (reader->failed)
    return false;
  if (version > INDEXED_VERSION_GREATEST || version < INDEXED_VERSION_LEAST)
    return byte_reader_fail (reader, INDEXED_MAGIC_BYTES,
			     "version %" PRIu32 " is %s (supports %d to %d)",
			     version,
			     version < INDEXED_VERSION_LEAST
			       ? "too old"
			       : "newer than this tool",
			     INDEXED_VERSION_LEAST, INDEXED_VERSION_GREATEST);
  header->version = version;
  return read_flags (reader, header, word, has_memprof);
}

/* Check that PART, whose OFFSET is stored at PLACE, is present if and only if
   the file HAS_FLAG for it.  */
static bool
check_part (struct byte_reader *reader, size_t place, uint64_t offset,
	    bool has_flag, const char *part)
{
  if (has_flag && offset == 0)
    return byte_reader_fail (reader, place, "missing %s (flag is set)", part);
  if (!has_flag && offset != 0)
    return byte_reader_fail (reader, place,
			     "unexpected %s at 0x%" PRIx64 " (flag is not set)",
			     part, offset);
  return true;
}

bool
indexed_header_read (struct byte_reader *reader, struct indexed_header *header)
{
  bool has_memprof = false;
  *header = (struct indexed_header){ 0 };
  if (!read_version (reader, header, &has_memprof))
    return false;
  uint64_t unused = byte_reader_u64 (reader, what);
  uint64_t hash_type = byte_reader_u64 (reader, what);
  header->functions = byte_reader_u64 (reader, what);
  header->memprof = byte_reader_u64 (reader, what);
  if (header->version >= INDEXED_VERSION_BINARY_IDS)
    header->binary_ids = byte_reader_u64 (reader, what);
  if (header->version >= INDEXED_VERSION_TEMPORAL)
    header->traces = byte_reader_u64 (reader, what);
  if (header->version >= INDEXED_VERSION_VTABLES)
    header->vtables = byte_reader_u64 (reader, what);
  header->bytes = reader->position;
  if (reader->failed)
    return false;
  if (unused != 0)
    return byte_reader_fail (reader, INDEXED_OFFSET_UNUSED,
			     "invalid reserved word 0x%" PRIx64 " (expected 0)",
			     unused);
  if (hash_type != INDEXED_HASH_MD5)
    return byte_reader_fail (reader, INDEXED_OFFSET_HASH_TYPE,
			     "unknown hash type %" PRIu64, hash_type);
  return (check_part (reader, INDEXED_OFFSET_MEMPROF, header->memprof,
		      has_memprof, "heap profile")
	  && check_part (reader, INDEXED_OFFSET_TRACES, header->traces,
			 header->flags & COUNTER_TEMPORAL, "temporal traces"));
}
