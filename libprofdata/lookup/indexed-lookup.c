/* Looking up single functions in an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "indexed-lookup.h"
#include "byte-reader.h"
#include "counter-record.h"
#include "file-map.h"
#include "function-id.h"
#include "indexed-header.h"
#include "ondisk-hash.h"
#include <stdlib.h>
#include <string.h>

static const char table[] = "the table of functions";

struct indexed_lookup
{
  const char *path;
  struct file_map file;
  struct indexed_header header;
  uint64_t *counters; /* malloced, of the last function found */
  size_t capacity;
};

struct indexed_lookup *
indexed_lookup_open (const char *path, struct profile_error *err)
{
  struct indexed_lookup *lookup = calloc (1, sizeof *lookup);
  if (!lookup)
    {
      profile_error_set_memory (err, path);
      return NULL;
    }
  lookup->path = path;
  bool done = file_map_open (&lookup->file, path, err);
  if (done)
    {
      struct byte_reader reader;
      byte_reader_init (&reader, path, lookup->file.data, lookup->file.size,
			err);
      done = indexed_header_read (&reader, &lookup->header);
    }
  if (done)
    return lookup;
  indexed_lookup_close (lookup);
  return NULL;
}

void
indexed_lookup_close (struct indexed_lookup *lookup)
{
  if (!lookup)
    return;
  file_map_close (&lookup->file);
  free (lookup->counters);
  free (lookup);
}

unsigned int
indexed_lookup_flags (const struct indexed_lookup *lookup)
{
  return lookup->header.flags;
}

bool
indexed_lookup_has_heap (const struct indexed_lookup *lookup)
{
  return lookup->header.memprof != 0;
}

/* Find the records of the function NAME and set *PART to a reader of them.  */
static enum indexed_result
find_records (const struct indexed_lookup *lookup, const char *name, size_t n,
	      struct byte_reader *part, struct profile_error *err)
{
  struct byte_reader reader;
  byte_reader_init (&reader, lookup->path, lookup->file.data, lookup->file.size,
		    err);
  if (ondisk_hash_look_up (&reader, lookup->header.functions, table,
			   function_guid (name, n), name, n, part))
    return INDEXED_FOUND;
  return reader.failed ? INDEXED_FAILED : INDEXED_NO_NAME;
}

/* Copy the counters of RECORD to aligned memory of LOOKUP.  */
static bool
copy_counters (struct indexed_lookup *lookup,
	       const struct counter_record *record,
	       struct indexed_counters *found)
{
  size_t n = record->shape.counter_count;
  if (n > lookup->capacity)
    {
      uint64_t *counters = realloc (lookup->counters, n * sizeof *counters);
      if (!counters)
	return false;
      lookup->counters = counters;
      lookup->capacity = n;
    }
  if (n > 0)
    memcpy (lookup->counters, record->counters, n * sizeof *lookup->counters);
  found->counters = lookup->counters;
  found->count = n;
  return true;
}

enum indexed_result
indexed_lookup_counters (struct indexed_lookup *lookup, const char *name,
			 size_t n, uint64_t hash,
			 struct indexed_counters *found,
			 struct profile_error *err)
{
  struct byte_reader part;
  enum indexed_result result = find_records (lookup, name, n, &part, err);
  if (result != INDEXED_FOUND)
    return result;
  while (byte_reader_left (&part) > 0)
    {
      struct counter_record record;
      if (!counter_record_read (&part, lookup->header.version, &record))
	return INDEXED_FAILED;
      if (record.hash != hash)
	continue;
      if (copy_counters (lookup, &record, found))
	return INDEXED_FOUND;
      profile_error_set_memory (err, lookup->path);
      return INDEXED_FAILED;
    }
  return INDEXED_OTHER_HASH;
}

enum indexed_result
indexed_lookup_fold (struct indexed_lookup *lookup, const char *name, size_t n,
		     struct counter_profile *profile, struct profile_error *err)
{
  struct byte_reader part;
  enum indexed_result result = find_records (lookup, name, n, &part, err);
  if (result != INDEXED_FOUND)
    return result;
  uint32_t number = counter_profile_add_name (profile, name, n);
  bool done = number != UINT32_MAX;
  while (done && byte_reader_left (&part) > 0)
    {
      struct counter_record record;
      if (!counter_record_read (&part, lookup->header.version, &record))
	return INDEXED_FAILED;
      done = counter_record_fold (&record, profile, number);
    }
  if (done)
    return INDEXED_FOUND;
  profile_error_set_memory (err, lookup->path);
  return INDEXED_FAILED;
}
