/* Accesses to static data, in LLVM's MemProf section of version 4.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "memprof-data.h"
#include "record-table.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define NAME_SEPARATOR '\1'
#define NUL_IN_NAME "static data name contains a NUL byte"

/* Greatest compression ratio of deflate.  */
#define MOST_RATIO 1032

/* ---- Reading.  */

/* Strings of the section, as ids in the profile.  */
struct names
{
  struct heap_profile *profile;
  uint32_t *ids;
  size_t count;
  size_t capacity;
};

/* Add the names in the N bytes of TEXT.  Return false if memory is
   exhausted.  */
static bool
add_names (struct names *names, const char *text, size_t n)
{
  for (const char *end = text + n; text <= end;)
    {
      const char *separator = memchr (text, NAME_SEPARATOR, end - text);
      size_t length = (separator ? separator : end) - text;
      if (names->count == names->capacity)
	{
	  size_t capacity = names->capacity * 2 + 16;
	  uint32_t *ids = realloc (names->ids, capacity * sizeof *ids);
	  if (!ids)
	    return false;
	  names->ids = ids;
	  names->capacity = capacity;
	}
      uint32_t id = heap_profile_add_string (names->profile, text, length);
      if (id == UINT32_MAX)
	return false;
      names->ids[names->count++] = id;
      text += length + 1;
    }
  return true;
}

/* Add the names that the N bytes at STORED inflate to, PLAIN_BYTES.  They start
   at START.  */
static void
add_deflated_names (struct byte_reader *reader, size_t start,
		    struct names *names, const void *stored, size_t n,
		    uint64_t plain_bytes)
{
  if (plain_bytes / MOST_RATIO > n)
    {
      byte_reader_fail (reader, start, "%zu bytes cannot inflate to %" PRIu64,
			n, plain_bytes);
      return;
    }
  char *plain = malloc (plain_bytes + 1);
  uLongf inflated = plain_bytes;
  if (!plain)
    byte_reader_fail_memory (reader);
  else if (uncompress ((Bytef *) plain, &inflated, stored, n) != Z_OK
	   || inflated != plain_bytes)
    byte_reader_fail (reader, start,
		      "cannot inflate the static data names to %" PRIu64
		      " bytes",
		      plain_bytes);
  else if (memchr (plain, '\0', plain_bytes))
    byte_reader_fail (reader, start, NUL_IN_NAME);
  else if (!add_names (names, plain, plain_bytes))
    byte_reader_fail_memory (reader);
  free (plain);
}

static void
read_names (struct byte_reader *reader, struct names *names)
{
  static const char what[] = "the names of static data";
  uint64_t bytes = byte_reader_u64 (reader, what);
  struct byte_reader part = byte_reader_part (reader, bytes, what);
  while (!part.failed && byte_reader_left (&part) > 0)
    {
      size_t start = part.position;
      if (part.data[part.position] == 0)
	{
	  byte_reader_u8 (&part, what);
	  continue;
	}
      uint64_t plain_bytes = byte_reader_uleb128 (&part, what);
      uint64_t stored_bytes = byte_reader_uleb128 (&part, what);
      uint64_t n = stored_bytes ? stored_bytes : plain_bytes;
      const char *stored = byte_reader_bytes (&part, n, what);
      if (!stored)
	break;
      if (stored_bytes)
	add_deflated_names (&part, start, names, stored, n, plain_bytes);
      else if (memchr (stored, '\0', plain_bytes))
	byte_reader_fail (&part, start, NUL_IN_NAME);
      else if (!add_names (names, stored, plain_bytes))
	byte_reader_fail_memory (&part);
    }
  byte_reader_join (reader, &part, what);
  byte_reader_bytes (reader, -bytes % 8, what);
}

static void
add_access (struct byte_reader *reader, struct heap_profile *profile,
	    const struct heap_data_access *access)
{
  if (!reader->failed
      && !heap_details_add_data_access (heap_profile_details (profile), access))
    byte_reader_fail_memory (reader);
}

/* Read the number of one of the first COUNT names.  Return its id.  */
static uint32_t
read_name (struct byte_reader *reader, const struct names *names, size_t count)
{
  size_t start = reader->position;
  uint64_t number = byte_reader_u64 (reader, "static data");
  if (!reader->failed && number >= count)
    byte_reader_fail (reader, start,
		      "static data: invalid string %" PRIu64
		      " (expected less than %zu)",
		      number, count);
  if (reader->failed)
    return 0;
  if (names->ids[number] == 0)
    byte_reader_fail (reader, start, "static data: string %" PRIu64 " is empty",
		      number);
  return names->ids[number];
}

static void
read_locations (struct byte_reader *reader, const struct names *names,
		size_t name_count, struct heap_data_access *access)
{
  static const char what[] = "the locations of static data";
  uint64_t count = byte_reader_u64 (reader, what);
  if (!byte_reader_need (reader, count, 12, what))
    return;
  access->locations = malloc ((count + 1) * sizeof *access->locations);
  if (!access->locations)
    byte_reader_fail_memory (reader);
  for (uint64_t i = 0; !reader->failed && i < count; i++)
    {
      access->locations[i].file = read_name (reader, names, name_count);
      access->locations[i].line = byte_reader_u32 (reader, what);
      access->location_count++;
    }
}

static void
read_object (struct byte_reader *reader, const struct names *names,
	     size_t name_count)
{
  static const char what[] = "static data";
  struct heap_data_access access = { .is_sampled = true };
  size_t start = reader->position;
  access.hash = byte_reader_u64 (reader, what);
  uint8_t is_hash = byte_reader_u8 (reader, what);
  size_t behind = reader->position;
  if (is_hash > 1)
    byte_reader_fail (reader, start + 8,
		      "%s: invalid flag %d (expected 0 or 1)", what, is_hash);
  if (!is_hash && byte_reader_seek (reader, start, what))
    {
      access.symbol = read_name (reader, names, name_count);
      access.hash = 0;
      byte_reader_seek (reader, behind, what);
    }
  access.access_count = byte_reader_u64 (reader, what);
  read_locations (reader, names, name_count, &access);
  add_access (reader, names->profile, &access);
  free (access.locations);
}

/* Read everything after the names, the last COLD_COUNT of which are cold.  */
static void
read_objects (struct byte_reader *reader, const struct names *names,
	      uint64_t cold_count)
{
  static const char what[] = "static data";
  size_t name_count = names->count - cold_count;
  for (size_t i = name_count; !reader->failed && i < names->count; i++)
    {
      const struct heap_data_access cold
	= { .symbol = names->ids[i], .is_cold = true };
      if (cold.symbol == 0)
	byte_reader_fail (reader, reader->position, "%s: string %zu is empty",
			  what, i);
      add_access (reader, names->profile, &cold);
    }
  uint64_t literals = byte_reader_u64 (reader, what);
  byte_reader_need (reader, literals, 8, what);
  for (uint64_t i = 0; !reader->failed && i < literals; i++)
    {
      const struct heap_data_access cold
	= { .hash = byte_reader_u64 (reader, what), .is_cold = true };
      add_access (reader, names->profile, &cold);
    }
  uint64_t objects = byte_reader_u64 (reader, what);
  byte_reader_need (reader, objects, 25, what);
  for (uint64_t i = 0; !reader->failed && i < objects; i++)
    read_object (reader, names, name_count);
}

bool
memprof_data_read (struct byte_reader *reader, struct heap_profile *profile)
{
  static const char what[] = "the static data";
  struct names names = { .profile = profile };
  size_t start = reader->position;
  uint64_t strings = byte_reader_u64 (reader, what);
  uint64_t cold = byte_reader_u64 (reader, what);
  read_names (reader, &names);
  if (!reader->failed && (cold > names.count || names.count - cold != strings))
    byte_reader_fail (reader, start,
		      "invalid number of static data names %zu "
		      "(expected %" PRIu64 " + %" PRIu64 ")",
		      names.count, strings, cold);
  if (!reader->failed)
    read_objects (reader, &names, cold);
  free (names.ids);
  return !reader->failed;
}

/* ---- Writing.  */

static int
compare_objects (const void *element1, const void *element2, void *data)
{
  const struct heap_profile *profile = data;
  const struct heap_details *details = heap_profile_read_details (profile);
  const struct heap_data_access *a
    = heap_details_data_access_at (details, *(const uint32_t *) element1);
  const struct heap_data_access *b
    = heap_details_data_access_at (details, *(const uint32_t *) element2);
  if (a->symbol == 0 && b->symbol == 0)
    return (a->hash > b->hash) - (a->hash < b->hash);
  if (a->symbol == 0 || b->symbol == 0)
    return a->symbol == 0 ? 1 : -1;
  return strcmp (heap_profile_string (profile, a->symbol),
		 heap_profile_string (profile, b->symbol));
}

uint32_t *
memprof_data_order (const struct heap_profile *profile)
{
  uint32_t count
    = heap_details_data_access_count (heap_profile_read_details (profile));
  return record_order (count, compare_objects, profile);
}

struct writing
{
  struct byte_writer *writer;
  const struct heap_profile *profile;
  const struct heap_details *details;
  uint32_t *order;
  uint32_t count;
  uint32_t *numbers; /* by string id: its number plus 1 */
  uint32_t string_count;
  struct byte_writer names; /* joined */
};

/* A name cannot contain the separator here; the heapprof section stores it
   unchanged.  */
static void
append_name (struct writing *writing, uint32_t string)
{
  const char *text = heap_profile_string (writing->profile, string);
  size_t n = heap_profile_string_bytes (writing->profile, string);
  if (writing->names.size > 0)
    byte_writer_u8 (&writing->names, NAME_SEPARATOR);
  for (size_t i = 0; i < n; i++)
    byte_writer_u8 (&writing->names, text[i] == NAME_SEPARATOR ? '?' : text[i]);
}

static void
number_name (struct writing *writing, uint32_t string)
{
  if (writing->numbers[string] != 0)
    return;
  writing->numbers[string] = ++writing->string_count;
  append_name (writing, string);
}

static const struct heap_data_access *
object_at (const struct writing *writing, uint32_t place)
{
  return heap_details_data_access_at (writing->details, writing->order[place]);
}

static int
compare_locations (const void *element1, const void *element2, void *data)
{
  const struct heap_profile *profile = data;
  const struct heap_data_location *a = element1;
  const struct heap_data_location *b = element2;
  if (a->file != b->file)
    return strcmp (heap_profile_string (profile, a->file),
		   heap_profile_string (profile, b->file));
  return (a->line > b->line) - (a->line < b->line);
}

struct heap_data_location *
memprof_data_locations (const struct heap_profile *profile,
			const struct heap_data_access *access)
{
  struct heap_data_location *locations
    = malloc (((size_t) access->location_count + 1) * sizeof *locations);
  if (!locations)
    return NULL;
  if (access->location_count > 0)
    memcpy (locations, access->locations,
	    access->location_count * sizeof *locations);
  qsort_r (locations, access->location_count, sizeof *locations,
	   compare_locations, (void *) profile);
  return locations;
}

/* Number the files of ACCESS, in the order in which they are written.  */
static void
number_files (struct writing *writing, const struct heap_data_access *access)
{
  struct heap_data_location *locations
    = memprof_data_locations (writing->profile, access);
  writing->names.failed |= !locations;
  for (uint32_t i = 0; locations && i < access->location_count; i++)
    number_name (writing, locations[i].file);
  free (locations);
}

/* Join all strings.  Return the number of cold symbols among them.  */
static uint32_t
join_names (struct writing *writing)
{
  uint32_t cold = 0;
  for (uint32_t i = 0; i < writing->count; i++)
    {
      const struct heap_data_access *access = object_at (writing, i);
      if (access->symbol != 0)
	number_name (writing, access->symbol);
      number_files (writing, access);
    }
  for (uint32_t i = 0; i < writing->count; i++)
    {
      const struct heap_data_access *access = object_at (writing, i);
      if (!access->is_cold || access->symbol == 0)
	continue;
      append_name (writing, access->symbol);
      cold++;
    }
  return cold;
}

static void
write_names (struct writing *writing, uint32_t cold)
{
  struct byte_writer *writer = writing->writer;
  struct byte_writer block = { 0 };
  if (writing->names.size > 0)
    {
      byte_writer_uleb128 (&block, writing->names.size);
      byte_writer_uleb128 (&block, 0);
      byte_writer_bytes (&block, writing->names.data, writing->names.size);
    }
  byte_writer_u64 (writer, writing->string_count);
  byte_writer_u64 (writer, cold);
  byte_writer_u64 (writer, block.size);
  byte_writer_bytes (writer, block.data, block.size);
  for (size_t i = block.size; i % 8 != 0; i++)
    byte_writer_u8 (writer, 0);
  writer->failed |= block.failed || writing->names.failed;
  byte_writer_free (&block);
}

static void
write_object (struct writing *writing, const struct heap_data_access *access)
{
  struct byte_writer *writer = writing->writer;
  struct heap_data_location *locations
    = memprof_data_locations (writing->profile, access);
  if (!locations)
    {
      writer->failed = true;
      return;
    }
  byte_writer_u64 (writer, access->symbol ? writing->numbers[access->symbol] - 1
					  : access->hash);
  byte_writer_u8 (writer, access->symbol == 0);
  byte_writer_u64 (writer, access->access_count);
  byte_writer_u64 (writer, access->location_count);
  for (uint32_t i = 0; i < access->location_count; i++)
    {
      byte_writer_u64 (writer, writing->numbers[locations[i].file] - 1);
      byte_writer_u32 (writer, locations[i].line);
    }
  free (locations);
}

static void
write_objects (struct writing *writing)
{
  uint32_t literals = 0;
  uint32_t sampled = 0;
  for (uint32_t i = 0; i < writing->count; i++)
    {
      const struct heap_data_access *access = object_at (writing, i);
      literals += access->is_cold && access->symbol == 0;
      sampled += access->is_sampled;
    }
  byte_writer_u64 (writing->writer, literals);
  for (uint32_t i = 0; i < writing->count; i++)
    if (object_at (writing, i)->is_cold && object_at (writing, i)->symbol == 0)
      byte_writer_u64 (writing->writer, object_at (writing, i)->hash);
  byte_writer_u64 (writing->writer, sampled);
  for (uint32_t i = 0; i < writing->count; i++)
    if (object_at (writing, i)->is_sampled)
      write_object (writing, object_at (writing, i));
}

void
memprof_data_write (struct byte_writer *writer,
		    const struct heap_profile *profile)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  struct writing writing
    = { .writer = writer,
	.profile = profile,
	.details = details,
	.order = memprof_data_order (profile),
	.count = heap_details_data_access_count (details),
	.numbers = calloc (heap_profile_string_count (profile),
			   sizeof *writing.numbers) };
  if (writing.order && writing.numbers)
    {
      write_names (&writing, join_names (&writing));
      write_objects (&writing);
    }
  else
    writer->failed = true;
  byte_writer_free (&writing.names);
  free (writing.numbers);
  free (writing.order);
}
