/* Reading indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file that ends with a heapprof trailer is read from its heapprof section,
   any other from LLVM's MemProf section.  A file that lost its end must not
   pass for one that never had a heapprof section.  */

#include "indexed-profile.h"
#include "byte-reader.h"
#include "file-content.h"
#include "heapprof-section.h"
#include "indexed-format.h"
#include "memprof-reader.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What of LLVM's header matters here.  */
struct indexed_header
{
  uint32_t version;
  uint64_t memprof_offset;
  uint64_t binary_ids_offset;	/* 0 if the version has none */
  uint64_t vtables_offset;	/* likewise */
};

bool
indexed_profile_has_magic (const void *data, size_t n)
{
  return (n >= INDEXED_MAGIC_BYTES
	  && memcmp (data, INDEXED_MAGIC, INDEXED_MAGIC_BYTES) == 0);
}

/* Read the version and check that files of this version can be read.  */
static bool
read_version (struct byte_reader *reader, struct indexed_header *header,
	      uint64_t *flags)
{
  if (!indexed_profile_has_magic (reader->data, reader->end))
    return byte_reader_fail (reader, 0, "not an indexed profile");
  byte_reader_seek (reader, INDEXED_MAGIC_BYTES, "the header");
  uint64_t word = byte_reader_u64 (reader, "the header");
  header->version = word;
  *flags = word & ~(uint64_t) UINT32_MAX;
  if (reader->failed)
    return false;
  if (header->version > INDEXED_VERSION_GREATEST)
    return byte_reader_fail (reader, INDEXED_MAGIC_BYTES, "version %" PRIu32
			     " is newer than this tool (reads %d to %d)",
			     header->version, INDEXED_VERSION_LEAST,
			     INDEXED_VERSION_GREATEST);
  if (header->version < INDEXED_VERSION_LEAST)
    return byte_reader_fail (reader, INDEXED_MAGIC_BYTES, "version %" PRIu32
			     " has no heap profiles (reads %d to %d)",
			     header->version, INDEXED_VERSION_LEAST,
			     INDEXED_VERSION_GREATEST);
  return true;
}

static bool
read_header (struct byte_reader *reader, struct indexed_header *header)
{
  static const char what[] = "the header";
  uint64_t flags = 0;
  if (!read_version (reader, header, &flags))
    return false;
  byte_reader_u64 (reader, what);
  uint64_t hash_type = byte_reader_u64 (reader, what);
  byte_reader_u64 (reader, what);	/* functions with counters */
  header->memprof_offset = byte_reader_u64 (reader, what);
  header->binary_ids_offset = header->version >= INDEXED_VERSION_BINARY_IDS
				? byte_reader_u64 (reader, what) : 0;
  if (header->version >= INDEXED_VERSION_TEMPORAL)
    byte_reader_u64 (reader, what);
  header->vtables_offset = header->version >= INDEXED_VERSION_VTABLES
			     ? byte_reader_u64 (reader, what) : 0;
  if (reader->failed)
    return false;
  if (hash_type != INDEXED_HASH_MD5)
    return byte_reader_fail (reader, 24, "hash type %" PRIu64 " is unknown",
			     hash_type);
  if (!(flags & INDEXED_FLAG_MEMPROF) || header->memprof_offset == 0)
    return byte_reader_fail (reader, INDEXED_MAGIC_BYTES,
			     "has no heap profile, only counters");
  return true;
}

/* Go to the end of LLVM's last part, and so check that it is there.  */
static bool
skip_llvm_parts (struct byte_reader *reader,
		 const struct indexed_header *header)
{
  uint64_t offset = header->vtables_offset ? header->vtables_offset
					   : header->binary_ids_offset;
  const char *what = header->vtables_offset ? "the vtable names"
					    : "the binary IDs";
  if (offset == 0)
    return true;
  byte_reader_seek (reader, offset, what);
  uint64_t bytes = byte_reader_u64 (reader, what);
  byte_reader_bytes (reader, bytes, what);
  return !reader->failed;
}

/* Does the beginning of a heapprof section stand behind LLVM's parts?  */
static bool
check_not_cut (struct byte_reader *reader)
{
  size_t aligned = (reader->position + 7) / 8 * 8;
  if (aligned >= reader->end)
    return true;
  byte_reader_seek (reader, aligned, "the heapprof section");
  size_t n = byte_reader_left (reader);
  if (n > HEAPPROF_SECTION_MAGIC_BYTES)
    n = HEAPPROF_SECTION_MAGIC_BYTES;
  const void *bytes = byte_reader_bytes (reader, n, "the heapprof section");
  if (memcmp (bytes, HEAPPROF_SECTION_MAGIC, n) != 0)
    return true;
  return byte_reader_fail (reader, aligned, "the heapprof section has lost "
			   "its trailer: the file is cut off or damaged");
}

static bool
read_file (struct byte_reader *reader, struct heap_profile *profile)
{
  struct indexed_header header = { 0 };
  if (!read_header (reader, &header))
    return false;
  if (heapprof_section_is_there (reader))
    return heapprof_section_read (reader, profile);
  return (skip_llvm_parts (reader, &header)
	  && (header.vtables_offset == 0 || check_not_cut (reader))
	  && memprof_section_read (reader, header.memprof_offset, profile));
}

struct heap_profile *
indexed_profile_parse (const char *path, const void *data, size_t size,
		       struct profile_error *err)
{
  struct heap_profile *profile = heap_profile_new ();
  if (!profile)
    {
      profile_error_set_memory (err, path);
      return NULL;
    }
  struct byte_reader reader;
  byte_reader_init (&reader, path, data, size, err);
  if (read_file (&reader, profile))
    return profile;
  heap_profile_free (profile);
  return NULL;
}

struct heap_profile *
indexed_profile_read (const char *path, struct profile_error *err)
{
  void *data;
  size_t size;
  if (!file_content_read (path, &data, &size, err))
    return NULL;
  struct heap_profile *profile = indexed_profile_parse (path, data, size, err);
  free (data);
  return profile;
}
