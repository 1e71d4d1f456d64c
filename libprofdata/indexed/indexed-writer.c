/* Writing indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   The file is built in memory, and the offset of each part is patched into the
   header: LLVM's header, the summaries, the table of functions with counters,
   the MemProf section, binary IDs, vtable names and temporal traces, and the
   heapprof section.  */

#include "indexed-profile.h"
#include "atomic-file.h"
#include "byte-writer.h"
#include "counter-record.h"
#include "counter-summary.h"
#include "gcov-section.h"
#include "heapprof-section.h"
#include "indexed-format.h"
#include "indexed-header.h"
#include "indexed-sections.h"
#include "memprof-writer.h"
#include "ondisk-hash.h"
#include "profile-check.h"
#include "profile-valid.h"
#include <stdlib.h>

/* Input of all parts of a file.  */
struct indexed_file
{
  struct byte_writer *writer;
  const struct heap_profile *heap;	  /* NULL: no heap profile */
  const struct counter_profile *counters; /* including those of GCOV; may be
					     empty */
  const struct gcov_profile *gcov;	  /* NULL: none */
  const struct indexed_profile_options *options;
  unsigned int version;
  struct byte_writer *classes; /* of contexts; NULL: not needed */
  struct byte_writer *groups;  /* the same */
};

/* The names of a file's functions, each with its records.  */
struct function_table
{
  const struct counter_profile *counters;
  unsigned int version;
  uint32_t *functions; /* records, grouped by name */
  size_t *first;       /* by name, plus the end of the last: indexes of
			  FUNCTIONS */
  uint64_t *guids;     /* by name */
  size_t name_count;
};

static void
write_header (const struct indexed_file *file)
{
  struct byte_writer *writer = file->writer;
  byte_writer_bytes (writer, INDEXED_MAGIC, INDEXED_MAGIC_BYTES);
  uint64_t flags = indexed_header_bits (counter_profile_flags (file->counters));
  if (file->heap)
    flags |= INDEXED_FLAG_MEMPROF;
  byte_writer_u64 (writer, file->version | flags);
  byte_writer_u64 (writer, 0);
  byte_writer_u64 (writer, INDEXED_HASH_MD5);
  byte_writer_u64 (writer, 0); /* table of functions, patched */
  byte_writer_u64 (writer, 0); /* MemProf section, patched */
  byte_writer_u64 (writer, 0); /* binary IDs, patched */
  byte_writer_u64 (writer, 0); /* temporal traces, patched */
  if (file->version >= INDEXED_VERSION_VTABLES)
    byte_writer_u64 (writer, 0); /* vtable names, patched */
}

static bool
write_summary (const struct indexed_file *file, bool context_sensitive)
{
  struct counter_summary summary;
  if (!counter_summary_make (&summary, file->counters, context_sensitive,
			     file->options->sparse))
    return false;
  counter_summary_write (file->writer, &summary);
  return true;
}

/* ---- The table of functions.  */

static void
free_table (struct function_table *table)
{
  free (table->functions);
  free (table->first);
  free (table->guids);
}

/* Remove records without counts from the COUNT records of TABLE.  Return how
   many remain.  */
static uint32_t
drop_empty (struct function_table *table, uint32_t count)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (counter_function_has_counts (
	  counter_profile_function (table->counters, table->functions[i])))
      table->functions[kept++] = table->functions[i];
  return kept;
}

static bool
make_table (struct function_table *table, const struct indexed_file *file)
{
  uint32_t count = counter_profile_function_count (file->counters);
  *table = (struct function_table){ .counters = file->counters,
				    .version = file->version };
  table->functions = counter_profile_order (file->counters);
  table->first = calloc (count + (size_t) 1, sizeof *table->first);
  table->guids = calloc (count + (size_t) 1, sizeof *table->guids);
  if (!table->functions || !table->first || !table->guids)
    return false;
  if (file->options->sparse)
    count = drop_empty (table, count);
  uint32_t name = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct counter_function *function
	= counter_profile_function (table->counters, table->functions[i]);
      if (function->name == name)
	continue;
      name = function->name;
      table->guids[table->name_count]
	= counter_profile_name_guid (table->counters, name);
      table->first[table->name_count++] = i;
    }
  table->first[table->name_count] = count;
  return true;
}

/* Append everything after the hash of name INDEX.  */
static void
write_function (struct byte_writer *writer, size_t index, void *data)
{
  const struct function_table *table = data;
  const struct counter_profile *counters = table->counters;
  size_t first = table->first[index];
  uint32_t name
    = counter_profile_function (counters, table->functions[first])->name;
  size_t name_bytes = counter_profile_name_bytes (counters, name);
  byte_writer_u64 (writer, name_bytes);
  size_t length_offset = writer->size;
  byte_writer_u64 (writer, 0);
  byte_writer_bytes (writer, counter_profile_name (counters, name), name_bytes);
  size_t start = writer->size;
  for (size_t i = first; i < table->first[index + 1]; i++)
    counter_record_write (writer, table->version,
			  counter_profile_function (counters,
						    table->functions[i]));
  byte_writer_patch_u64 (writer, length_offset, writer->size - start);
}

static bool
write_functions (const struct indexed_file *file)
{
  struct function_table table;
  size_t array_offset;
  bool done = (make_table (&table, file)
	       && ondisk_hash_write_entries (file->writer, table.guids,
					     table.name_count, write_function,
					     &table, &array_offset));
  free_table (&table);
  if (done)
    byte_writer_patch_u64 (file->writer, INDEXED_OFFSET_FUNCTIONS,
			   array_offset);
  return done;
}

/* ---- The file.  */

/* Write the parts up to and including the table of functions.  */
static bool
write_counters (const struct indexed_file *file)
{
  unsigned int flags = counter_profile_flags (file->counters);
  write_header (file);
  return (write_summary (file, false)
	  && (!(flags & COUNTER_CONTEXT_SENSITIVE)
	      || write_summary (file, true))
	  && write_functions (file));
}

/* Write LLVM's parts after the MemProf section.  */
static void
write_small_parts (const struct indexed_file *file)
{
  struct byte_writer *writer = file->writer;
  byte_writer_patch_u64 (writer, INDEXED_OFFSET_BINARY_IDS, writer->size);
  indexed_binary_ids_write (writer, file->counters);
  if (file->version >= INDEXED_VERSION_VTABLES)
    {
      byte_writer_patch_u64 (writer, INDEXED_OFFSET_VTABLES, writer->size);
      indexed_vtables_write (writer, file->counters);
    }
  if (!(counter_profile_flags (file->counters) & COUNTER_TEMPORAL))
    return;
  byte_writer_patch_u64 (writer, INDEXED_OFFSET_TRACES, writer->size);
  indexed_traces_write (writer, file->counters);
}

/* Write all of LLVM's parts.  */
static bool
write_llvm_parts (const struct indexed_file *file, struct profile_error *err)
{
  struct byte_writer *writer = file->writer;
  if (!write_counters (file))
    return profile_error_set_memory (err, NULL);
  if (file->heap)
    {
      byte_writer_patch_u64 (writer, INDEXED_OFFSET_MEMPROF, writer->size);
      const struct memprof_options options
	= { .version = file->options->memprof_version
			 ? file->options->memprof_version
			 : MEMPROF_VERSION_DEFAULT,
	    .full_schema = file->options->full_schema,
	    .keep_columns = file->options->keep_columns };
      if (!memprof_section_write (writer, file->heap, &options, file->classes,
				  file->groups, err))
	return false;
    }
  write_small_parts (file);
  return !writer->failed || profile_error_set_memory (err, NULL);
}

/* The heapprof section is made in parallel to LLVM's parts.  */
static bool
write_with_section (struct indexed_file *file, struct profile_error *err)
{
  struct byte_writer classes = { 0 }, groups = { 0 };
  struct heapprof_section_making *section
    = heapprof_section_begin (file->heap, file->counters, file->gcov);
  if (!section)
    return profile_error_set_memory (err, NULL);
  file->classes = &classes;
  file->groups = &groups;
  bool done = write_llvm_parts (file, err);
  file->writer->failed |= !done;
  if (!heapprof_section_end (section, &classes, &groups, file->writer) && done)
    done = profile_error_set_memory (err, NULL);
  byte_writer_free (&classes);
  byte_writer_free (&groups);
  return done;
}

static bool
write_file (struct indexed_file *file, struct profile_error *err)
{
  if (file->options->llvm_only)
    return write_llvm_parts (file, err);
  if (file->gcov && !gcov_section_check (file->gcov, err))
    return false;
  return write_with_section (file, err);
}

bool
indexed_profile_serialize (const struct profile *profile,
			   const struct indexed_profile_options *options,
			   void **data, size_t *size, struct profile_error *err)
{
  PROFILE_CHECK (profile_is_valid (profile));
  struct byte_writer writer = { 0 };
  struct counter_profile *counters = NULL;
  struct indexed_file file
    = { .writer = &writer,
	.heap = profile->heap,
	.counters = profile->counters,
	.gcov = profile->gcov,
	.options = options,
	.version = options->file_version ? options->file_version
					 : INDEXED_VERSION_DEFAULT };
  if (file.version < INDEXED_VERSION_LEAST_WRITTEN
      || file.version > INDEXED_VERSION_GREATEST)
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "cannot write version %u (expected %d to %d)",
			      file.version, INDEXED_VERSION_LEAST_WRITTEN,
			      INDEXED_VERSION_GREATEST);
  if (profile->samples)
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "indexed profiles cannot hold samples");
  bool done = true;
  if (!file.counters || file.gcov)
    {
      counters = profile_all_counters (profile, err);
      file.counters = counters;
      done = counters != NULL;
    }
  done = done && write_file (&file, err);
  counter_profile_free (counters);
  if (!done)
    {
      byte_writer_free (&writer);
      return false;
    }
  *data = writer.data;
  *size = writer.size;
  return true;
}

bool
indexed_profile_write (const char *path, const struct profile *profile,
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
