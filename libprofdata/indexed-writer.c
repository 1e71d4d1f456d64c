/* Writing indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   The file is made in memory, part after part, each part's offset being
   patched into a header before it: LLVM's header, an empty summary, an empty
   table of functions with counters, the MemProf section, empty lists of binary
   IDs and vtable names, and the heapprof section.  */

#include "indexed-profile.h"
#include "atomic-file.h"
#include "byte-writer.h"
#include "heapprof-section.h"
#include "indexed-format.h"
#include "memprof-writer.h"
#include "ondisk-hash.h"
#include <stdlib.h>

static void
write_header (struct byte_writer *writer)
{
  byte_writer_bytes (writer, INDEXED_MAGIC, INDEXED_MAGIC_BYTES);
  byte_writer_u64 (writer, INDEXED_VERSION_WRITTEN | INDEXED_FLAG_MEMPROF);
  byte_writer_u64 (writer, 0);
  byte_writer_u64 (writer, INDEXED_HASH_MD5);
  byte_writer_u64 (writer, 0);	/* table of functions, patched */
  byte_writer_u64 (writer, 0);	/* MemProf section, patched */
  byte_writer_u64 (writer, 0);	/* binary IDs, patched */
  byte_writer_u64 (writer, 0);	/* temporal traces: none */
  byte_writer_u64 (writer, 0);	/* vtable names, patched */
}

/* A summary of no counters.  */
static void
write_summary (struct byte_writer *writer)
{
  static const uint32_t cutoffs[] = {
    10000, 100000, 200000, 300000, 400000, 500000, 600000, 700000,
    800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999
  };
  const size_t cutoff_count = sizeof cutoffs / sizeof cutoffs[0];
  byte_writer_u64 (writer, INDEXED_SUMMARY_FIELDS);
  byte_writer_u64 (writer, cutoff_count);
  for (int i = 0; i < INDEXED_SUMMARY_FIELDS; i++)
    byte_writer_u64 (writer, 0);
  for (size_t i = 0; i < cutoff_count; i++)
    {
      byte_writer_u64 (writer, cutoffs[i]);
      byte_writer_u64 (writer, 0);
      byte_writer_u64 (writer, 0);
    }
}

/* All of LLVM's parts.  */
static bool
write_llvm_parts (struct byte_writer *writer,
		  const struct heap_profile *profile,
		  const struct indexed_profile_options *options,
		  struct profile_error *err)
{
  const struct memprof_options memprof = {
    .version = MEMPROF_VERSION_DEFAULT,
    .full_schema = options->full_schema,
    .keep_columns = options->keep_columns
  };
  write_header (writer);
  write_summary (writer);
  size_t array_offset;
  if (!ondisk_hash_write (writer, NULL, 0, NULL, NULL, &array_offset))
    return profile_error_set_memory (err, NULL);
  byte_writer_patch_u64 (writer, INDEXED_OFFSET_FUNCTIONS, array_offset);
  byte_writer_patch_u64 (writer, INDEXED_OFFSET_MEMPROF, writer->size);
  if (!memprof_section_write (writer, profile, &memprof, err))
    return false;
  byte_writer_patch_u64 (writer, INDEXED_OFFSET_BINARY_IDS, writer->size);
  byte_writer_u64 (writer, 0);
  byte_writer_patch_u64 (writer, INDEXED_OFFSET_VTABLES, writer->size);
  byte_writer_u64 (writer, 0);
  return !writer->failed || profile_error_set_memory (err, NULL);
}

static bool
write_file (struct byte_writer *writer, const struct heap_profile *profile,
	    const struct indexed_profile_options *options,
	    struct profile_error *err)
{
  return (write_llvm_parts (writer, profile, options, err)
	  && heapprof_section_write (writer, profile, err));
}

bool
indexed_profile_serialize (const struct heap_profile *profile,
			   const struct indexed_profile_options *options,
			   void **data, size_t *size,
			   struct profile_error *err)
{
  struct byte_writer writer = { 0 };
  if (!write_file (&writer, profile, options, err))
    {
      byte_writer_free (&writer);
      return false;
    }
  *data = writer.data;
  *size = writer.size;
  return true;
}

bool
indexed_profile_write (const char *path, const struct heap_profile *profile,
		       const struct indexed_profile_options *options,
		       struct profile_error *err)
{
  void *data;
  size_t size;
  if (!indexed_profile_serialize (profile, options, &data, &size, err))
    {
      err->path = path;
      return false;
    }
  bool done = atomic_file_write (path, data, size, err);
  free (data);
  return done;
}
