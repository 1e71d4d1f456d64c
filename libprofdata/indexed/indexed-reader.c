/* Reading indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   The heap profile of a file that ends with a heapprof trailer is read from its
   heapprof section, that of any other file from LLVM's MemProf section.  A
   truncated file must not be mistaken for one that never had a heapprof
   section.  */

#include "indexed-profile.h"
#include "byte-reader.h"
#include "counter-record.h"
#include "counter-repeat.h"
#include "counter-summary.h"
#include "file-content.h"
#include "gcov-counters.h"
#include "heapprof-section.h"
#include "indexed-format.h"
#include "indexed-header.h"
#include "indexed-sections.h"
#include "memprof-reader.h"
#include "ondisk-hash.h"
#include "profile-check.h"
#include "profile-valid.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Data for take_function.  */
struct function_sink
{
  struct counter_profile *counters;
  unsigned int version;
};

/* Add the records of a name from the table of functions.  */
static void
take_function (struct byte_reader *reader, uint64_t hash, const uint8_t *key,
	       size_t key_bytes, void *data)
{
  const struct function_sink *sink = data;
  size_t start = reader->position;
  bool is_right;
  uint32_t name
    = counter_profile_add_hashed_name (sink->counters, (const char *) key,
				       key_bytes, hash, &is_right);
  if (!is_right)
    byte_reader_fail (reader, start, "invalid function name hash 0x%" PRIx64,
		      hash);
  else if (name == UINT32_MAX)
    byte_reader_fail_memory (reader);
  if (!reader->failed
      && counter_record_fold_plain (reader, sink->version, sink->counters,
				    name))
    {
      const uint8_t *head = key - ONDISK_HASH_ENTRY_BYTES;
      size_t counters = start + COUNTER_RECORD_HEAD_BYTES;
      if (!counter_repeat_learn (sink->counters, head,
				 reader->data + counters - head))
	byte_reader_fail_memory (reader);
      return;
    }
  while (!reader->failed && byte_reader_left (reader) > 0)
    {
      struct counter_record record;
      if (counter_record_read (reader, sink->version, &record)
	  && !counter_record_fold (&record, sink->counters, name))
	byte_reader_fail_memory (reader);
    }
}

/* Add the entry at ENTRY if the previous file had the same one in this
   place.  */
static size_t
take_repeated (const uint8_t *entry, size_t left, void *data)
{
  const struct function_sink *sink = data;
  return counter_repeat_take (sink->counters, entry, left);
}

/* Read the summaries and merge the table of functions.  */
static bool
read_functions (struct byte_reader *reader, const struct indexed_header *header,
		struct counter_profile *counters)
{
  struct function_sink sink = { counters, header->version };
  byte_reader_seek (reader, header->bytes, "the summary");
  return (counter_summary_skip (reader)
	  && (!(header->flags & COUNTER_CONTEXT_SENSITIVE)
	      || counter_summary_skip (reader))
	  && ondisk_hash_visit (reader, header->functions,
				"the table of functions", take_repeated,
				take_function, &sink));
}

/* Merge the part at OFFSET, if present, with READ.  Set *END to its end if that
   is greater.  */
static bool
read_part (struct byte_reader *reader, uint64_t offset, const char *what,
	   bool (*read) (struct byte_reader *, struct counter_profile *),
	   struct counter_profile *counters, size_t *end)
{
  if (offset == 0)
    return true;
  if (!byte_reader_seek (reader, offset, what) || !read (reader, counters))
    return false;
  if (reader->position > *end)
    *end = reader->position;
  return true;
}

/* Merge LLVM's parts except the heap profile.  Set *END to the end of the last
   one, 0 if the heap profile may be the last.  */
static bool
read_counters (struct byte_reader *reader, const struct indexed_header *header,
	       struct counter_profile *counters, size_t *end)
{
  *end = 0;
  struct profile_error cause;
  uint64_t functions;
  if (!ondisk_hash_count (reader, header->functions, "the table of functions",
			  &functions))
    return false;
  if (!counter_profile_add_flags (counters, header->flags, functions > 0,
				  &cause))
    return byte_reader_fail (reader, INDEXED_MAGIC_BYTES, "%s", cause.cause);
  return (read_functions (reader, header, counters)
	  && read_part (reader, header->binary_ids, "the binary IDs",
			indexed_binary_ids_read, counters, end)
	  && read_part (reader, header->vtables, "the vtable names",
			indexed_vtables_read, counters, end)
	  && read_part (reader, header->traces, "the temporal traces",
			indexed_traces_read, counters, end));
}

/* Check that nothing follows LLVM's parts, which end at END.  */
static bool
check_end (struct byte_reader *reader, size_t end)
{
  size_t aligned = end + -end % 8;
  if (end == 0 || aligned >= reader->end)
    return true;
  byte_reader_seek (reader, aligned, "the heapprof section");
  size_t n = byte_reader_left (reader);
  size_t compared
    = n < HEAPPROF_SECTION_MAGIC_BYTES ? n : HEAPPROF_SECTION_MAGIC_BYTES;
  const void *bytes
    = byte_reader_bytes (reader, compared, "the heapprof section");
  if (memcmp (bytes, HEAPPROF_SECTION_MAGIC, compared) == 0)
    return byte_reader_fail (reader, aligned,
			     "heapprof section has no trailer: the file is "
			     "truncated or damaged");
  return byte_reader_fail (reader, aligned,
			   "%zu extra bytes at the end of the file", n);
}

/* Return true if COUNTERS has any content.  */
static bool
has_counters (const struct counter_profile *counters)
{
  return (counter_profile_flags (counters) != 0
	  || counter_profile_function_count (counters) > 0
	  || counter_profile_name_count (counters) > 0
	  || counter_profile_binary_id_count (counters) > 0);
}

/* Read the heap profile, if there is one, from SECTION or, if that has none,
   from LLVM's part; then the rest of SECTION.  */
static bool
read_heap (struct byte_reader *reader, const struct indexed_header *header,
	   struct byte_reader *section, struct profile *part)
{
  bool has_section = heapprof_section_has (section, HEAPPROF_SECTION_TOTALS);
  if (has_section || header->memprof != 0)
    {
      part->heap = heap_profile_new ();
      if (!part->heap)
	return byte_reader_fail_memory (reader);
    }
  if (!has_section && header->memprof != 0
      && !memprof_section_read (reader, header->memprof, part->heap))
    return false;
  return heapprof_section_read (section, part->heap, part->counters,
				part->gcov);
}

/* Subtract from the counters of PART, the complete file, those that were
   converted from GCC's own.  */
static bool
remove_derived (struct byte_reader *reader, struct profile *part)
{
  struct profile_error cause;
  if (!part->gcov || gcov_counters_remove (part->gcov, &part->counters, &cause))
    return true;
  return byte_reader_fail (reader, INDEXED_MAGIC_BYTES, "%s", cause.cause);
}

/* Read the file of READER into PART, which must be empty.  Its counters are
   merged into COUNTERS directly if possible and COUNTERS is not NULL.  */
static bool
read_file (struct byte_reader *reader, struct profile *part,
	   struct counter_profile *counters)
{
  struct indexed_header header;
  struct byte_reader section;
  size_t end;
  if (!indexed_header_read (reader, &header)
      || !heapprof_section_open (reader, &section))
    return false;
  bool has_gcov = heapprof_section_has (&section, HEAPPROF_SECTION_GCOV);
  if (has_gcov && !profile_need_gcov (part))
    return byte_reader_fail_memory (reader);
  if (!has_gcov && !heapprof_section_has (&section, HEAPPROF_SECTION_VALUES))
    part->counters = counters;
  if (!profile_need_counters (part))
    return byte_reader_fail_memory (reader);
  return (read_counters (reader, &header, part->counters, &end)
	  && check_end (reader, end)
	  && read_heap (reader, &header, &section, part)
	  && remove_derived (reader, part));
}

/* Move the families of PART to PROFILE.  Return false and set *ERR on
   failure.  */
static bool
take_families (struct profile *profile, struct profile *part,
	       struct profile_error *err)
{
  if (part->counters && part->counters != profile->counters
      && has_counters (part->counters))
    {
      if (profile->counters)
	return profile_merge (profile, part, err);
      profile->counters = part->counters;
      part->counters = NULL;
    }
  if (part->gcov && profile->gcov
      && !gcov_profile_merge (profile->gcov, part->gcov))
    return profile_error_set_memory (err, NULL);
  if (part->gcov && !profile->gcov)
    {
      profile->gcov = part->gcov;
      part->gcov = NULL;
    }
  if (!part->heap)
    return true;
  if (profile->heap)
    return (heap_profile_merge (profile->heap, part->heap)
	    || profile_error_set_memory (err, NULL));
  profile->heap = part->heap;
  part->heap = NULL;
  return true;
}

bool
indexed_profile_fold (struct profile *profile, const char *path,
		      const void *data, size_t size, struct profile_error *err)
{
  struct byte_reader reader;
  byte_reader_init (&reader, path, data, size, err);
  struct profile part = { 0 };
  bool done = read_file (&reader, &part, profile->counters);
  if (done && !take_families (profile, &part, err))
    {
      err->path = path;
      done = false;
    }
  heap_profile_free (part.heap);
  gcov_profile_free (part.gcov);
  if (part.counters != profile->counters)
    counter_profile_free (part.counters);
  return done;
}

struct profile *
indexed_profile_parse (const char *path, const void *data, size_t size,
		       struct profile_error *err)
{
  struct profile *profile = profile_new ();
  if (!profile)
    {
      profile_error_set_memory (err, path);
      return NULL;
    }
  if (indexed_profile_fold (profile, path, data, size, err))
    {
      PROFILE_CHECK (profile_is_valid (profile));
      return profile;
    }
  profile_free (profile);
  return NULL;
}

struct profile *
indexed_profile_read (const char *path, struct profile_error *err)
{
  void *data;
  size_t size;
  if (!file_content_read (path, &data, &size, err))
    return NULL;
  struct profile *profile = indexed_profile_parse (path, data, size, err);
  free (data);
  return profile;
}
