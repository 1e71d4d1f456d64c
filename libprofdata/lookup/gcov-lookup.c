/* Looking up functions in GCC's own counters of an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The file is mapped.  The index at the end of GCC's part locates the functions
   of a name; only these, and the heads of their units, are decoded, each once.
   The total of what is decoded is limited to what the complete part may hold,
   even if the index is wrong.  */

#include "gcov-lookup.h"
#include "file-map.h"
#include "gcov-candidates.h"
#include "gcov-unit.h"
#include "gcov-section-parts.h"
#include "heapprof-section.h"
#include "indexed-header.h"
#include "record-table.h"
#include <inttypes.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

/* A decoded function.  */
struct decoded
{
  uint64_t place;
  struct gcov_function function;
};

struct gcov_lookup
{
  const char *path;
  struct file_map file;
  struct byte_reader block; /* GCC's part of the file */
  struct gcov_section_view view;
  struct gcov_section_reader parts;   /* with the limits for decoding */
  size_t bytes_left;		      /* limit for bytes of functions */
  struct gcov_unit **units;	      /* malloced, as is each: decoded units */
  struct record_table functions;      /* struct decoded */
  htab_t decoded;		      /* the same, by place */
  struct gcov_candidate *candidates;  /* malloced, of the last call */
  const struct gcov_function **found; /* malloced, likewise */
  size_t candidate_capacity;
};

static bool
find_block (struct gcov_lookup *lookup, struct profile_error *err)
{
  struct byte_reader reader;
  struct indexed_header header;
  byte_reader_init (&reader, lookup->path, lookup->file.data, lookup->file.size,
		    err);
  if (!indexed_header_read (&reader, &header)
      || !heapprof_section_find (&reader, HEAPPROF_SECTION_GCOV,
				 &lookup->block))
    return false;
  if (byte_reader_left (&lookup->block) == 0)
    return profile_error_set (err, lookup->path, PROFILE_ERROR_NO_OFFSET,
			      "no GCC counters found (none present, or the "
			      "file is truncated)");
  if (!gcov_section_view_open (&lookup->view, &lookup->block))
    return false;
  gcov_section_reader_init (&lookup->parts, NULL,
			    byte_reader_left (&lookup->block));
  lookup->bytes_left = byte_reader_left (&lookup->block);
  lookup->parts.view = &lookup->view;
  lookup->parts.string_count = lookup->view.string_count;
  return true;
}

static hashval_t
hash_decoded (const void *element)
{
  const struct decoded *decoded = element;
  return decoded->place ^ decoded->place >> 32;
}

static int
equal_decoded (const void *element1, const void *element2)
{
  const struct decoded *a = element1;
  const struct decoded *b = element2;
  return a->place == b->place;
}

struct gcov_lookup *
gcov_lookup_open (const char *path, struct profile_error *err)
{
  struct gcov_lookup *lookup = calloc (1, sizeof *lookup);
  if (!lookup)
    {
      profile_error_set_memory (err, path);
      return NULL;
    }
  lookup->path = path;
  record_table_init (&lookup->functions, sizeof (struct decoded));
  bool done
    = (file_map_open (&lookup->file, path, err) && find_block (lookup, err));
  if (done)
    {
      lookup->units
	= calloc (lookup->view.unit_count + 1, sizeof *lookup->units);
      lookup->decoded
	= htab_try_create (100, hash_decoded, equal_decoded, NULL);
      done = ((lookup->units && lookup->decoded)
	      || profile_error_set_memory (err, path));
    }
  if (done)
    return lookup;
  gcov_lookup_close (lookup);
  return NULL;
}

void
gcov_lookup_close (struct gcov_lookup *lookup)
{
  if (!lookup)
    return;
  for (uint64_t i = 0; lookup->units && i < lookup->view.unit_count; i++)
    gcov_unit_free (lookup->units[i]);
  for (uint32_t i = 0; i < lookup->functions.count; i++)
    {
      struct decoded *decoded = record_table_get (&lookup->functions, i);
      gcov_function_clear (&decoded->function);
    }
  record_table_free (&lookup->functions);
  if (lookup->decoded)
    htab_delete (lookup->decoded);
  free (lookup->units);
  free (lookup->candidates);
  free (lookup->found);
  file_map_close (&lookup->file);
  free (lookup);
}

void
gcov_lookup_summary (const struct gcov_lookup *lookup, uint32_t *runs,
		     uint32_t *sum_max)
{
  *runs = lookup->view.runs;
  *sum_max = lookup->view.sum_max;
}

/* ---- Decoding.  */

/* Position BYTES, from which the parts are read, at PLACE of the file's
   part.  */
static bool
go_to (struct gcov_lookup *lookup, struct byte_reader *bytes, uint64_t place)
{
  *bytes = lookup->block;
  lookup->parts.bytes = bytes;
  if (byte_reader_need (bytes, place, 1, "the indexed function"))
    bytes->position += place;
  return !bytes->failed;
}

/* Return unit NUMBER without its functions; NULL and the error on failure.  */
static const struct gcov_unit *
get_unit (struct gcov_lookup *lookup, uint64_t number)
{
  struct byte_reader bytes = lookup->block;
  if (number >= lookup->view.unit_count)
    {
      byte_reader_fail (&bytes, lookup->view.functions,
			"invalid unit %" PRIu64 " (expected less than %" PRIu64
			")",
			number, lookup->view.unit_count);
      return NULL;
    }
  if (lookup->units[number])
    return lookup->units[number];
  uint64_t place = gcov_section_view_unit (&lookup->view, &bytes, number);
  if (!go_to (lookup, &bytes, place))
    return NULL;
  struct gcov_unit *unit
    = gcov_section_allocate (&lookup->parts, 0, sizeof *unit);
  if (unit && !gcov_section_read_unit (&lookup->parts, unit))
    {
      gcov_unit_free (unit);
      unit = NULL;
    }
  lookup->units[number] = unit;
  return unit;
}

/* Return ARRAY, with room for *CAPACITY elements of SIZE bytes, N of them used,
   with room for one more; NULL if memory is exhausted.  */
static void *
grow (void *array, size_t n, size_t *capacity, size_t size)
{
  if (n < *capacity)
    return array;
  size_t more = n + n / 2 + 16;
  void *larger = realloc (array, more * size);
  if (larger)
    *capacity = more;
  return larger;
}

/* Return the function at PLACE; NULL and the error on failure.  */
static const struct gcov_function *
get_function (struct gcov_lookup *lookup, uint64_t place)
{
  struct byte_reader bytes;
  const struct decoded key = { .place = place };
  uint32_t distance;
  uint64_t name;
  const struct decoded *known = htab_find (lookup->decoded, &key);
  if (known)
    return &known->function;
  if (!go_to (lookup, &bytes, place))
    return NULL;
  struct decoded *decoded = record_table_add (&lookup->functions);
  if (!decoded)
    {
      byte_reader_fail_memory (&bytes);
      return NULL;
    }
  decoded->place = place;
  size_t start = bytes.position;
  if (!gcov_section_read_function (&lookup->parts, &decoded->function,
				   &distance, &name))
    return NULL;
  if (bytes.position - start > lookup->bytes_left)
    {
      byte_reader_fail (&bytes, start, "functions overlap");
      return NULL;
    }
  lookup->bytes_left -= bytes.position - start;
  void **slot = htab_find_slot (lookup->decoded, decoded, INSERT);
  if (!slot)
    {
      byte_reader_fail_memory (&bytes);
      return NULL;
    }
  *slot = decoded;
  return &decoded->function;
}

/* ---- Lookup.  */

/* Return the first function in the index whose name is not less than NAME.  */
static uint64_t
find_first (const struct gcov_lookup *lookup, uint64_t name)
{
  uint64_t low = 0;
  uint64_t high = lookup->view.function_count;
  while (low < high)
    {
      uint64_t middle = low + (high - low) / 2;
      if (gcov_section_view_function (&lookup->view, &lookup->block, middle)
	    .name
	  < name)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* Append the function of ENTRY to the N candidates.  It must be at *LEAST or
   later; set *LEAST to the least place of the next function.  */
static bool
add_candidate (struct gcov_lookup *lookup, size_t *n,
	       const struct gcov_section_entry *entry, uint64_t *least)
{
  struct byte_reader bytes = lookup->block;
  if (entry->place < *least)
    return byte_reader_fail (&bytes, lookup->view.functions,
			     "index: functions of the same name are out of "
			     "order");
  *least = entry->place + 1;
  const struct gcov_unit *unit = get_unit (lookup, entry->unit);
  const struct gcov_function *function
    = unit ? get_function (lookup, entry->place) : NULL;
  if (!function
      || !gcov_section_check_kinds (&bytes, bytes.position + entry->place, unit,
				    function))
    return false;
  size_t capacity = lookup->candidate_capacity;
  struct gcov_candidate *candidates
    = grow (lookup->candidates, *n, &capacity, sizeof *candidates);
  if (candidates)
    lookup->candidates = candidates;
  const struct gcov_function **found
    = grow (lookup->found, *n, &lookup->candidate_capacity, sizeof *found);
  if (found)
    lookup->found = found;
  if (!candidates || !found)
    return byte_reader_fail_memory (&bytes);
  candidates[(*n)++] = (struct gcov_candidate){ function, unit };
  return true;
}

/* Append the functions with the name of KEY.  */
static bool
collect_named (struct gcov_lookup *lookup, const struct gcov_lookup_key *key,
	       size_t *n)
{
  struct byte_reader bytes = lookup->block;
  uint64_t name
    = gcov_section_view_find_string (&lookup->view, &bytes, key->name);
  uint64_t least = 0;
  if (name == 0)
    return !bytes.failed;
  for (uint64_t i = find_first (lookup, name); i < lookup->view.function_count;
       i++)
    {
      struct gcov_section_entry entry
	= gcov_section_view_function (&lookup->view, &lookup->block, i);
      if (entry.name != name)
	break;
      if (!add_candidate (lookup, n, &entry, &least))
	return false;
    }
  return true;
}

/* Read the ident of the function of entry I, which has no name.  */
static bool
get_ident (struct gcov_lookup *lookup, uint64_t i, uint32_t *ident)
{
  struct gcov_section_entry entry
    = gcov_section_view_function (&lookup->view, &lookup->block, i);
  struct byte_reader bytes;
  return (go_to (lookup, &bytes, entry.place)
	  && gcov_section_read_ident (&lookup->parts, ident));
}

/* Append the functions with the ident of KEY and no name.  */
static bool
collect_nameless (struct gcov_lookup *lookup, const struct gcov_lookup_key *key,
		  size_t *n)
{
  uint64_t low = 0;
  uint64_t high = find_first (lookup, 1);
  const uint64_t end = high;
  uint64_t least = 0;
  uint32_t ident = 0;
  while (low < high)
    {
      uint64_t middle = low + (high - low) / 2;
      if (!get_ident (lookup, middle, &ident))
	return false;
      if (ident < key->ident)
	low = middle + 1;
      else
	high = middle;
    }
  for (uint64_t i = low; i < end; i++)
    {
      struct gcov_section_entry entry
	= gcov_section_view_function (&lookup->view, &lookup->block, i);
      if (!get_ident (lookup, i, &ident))
	return false;
      if (ident != key->ident)
	break;
      if (!add_candidate (lookup, n, &entry, &least))
	return false;
    }
  return true;
}

enum gcov_lookup_result
gcov_lookup_find (struct gcov_lookup *lookup, const struct gcov_lookup_key *key,
		  struct gcov_lookup_found *found, struct profile_error *err)
{
  size_t n = 0;
  lookup->block.err = err;
  if (!collect_named (lookup, key, &n) || !collect_nameless (lookup, key, &n))
    return GCOV_LOOKUP_FAILED;
  enum gcov_lookup_result result
    = gcov_candidates_choose (lookup->candidates, &n, key);
  for (size_t i = 0; i < n; i++)
    lookup->found[i] = lookup->candidates[i].function;
  found->records = lookup->found;
  found->count = n;
  return result;
}
