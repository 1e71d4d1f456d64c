/* Looking functions up in gcc's own counters of an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The file is mapped.  The index at the end of gcc's part says where the
   functions of a name are; these alone are decoded, and the heads of their
   units, each once.  */

#include "gcov-lookup.h"
#include "file-map.h"
#include "gcov-candidates.h"
#include "gcov-merge.h"
#include "gcov-section-parts.h"
#include "heapprof-section.h"
#include "indexed-header.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct gcov_lookup
{
  const char *path;
  struct file_map file;
  struct byte_reader block;	/* gcc's part of the file */
  struct gcov_section_view view;
  struct gcov_unit **units;	/* malloced, as is each: those decoded */
  struct gcov_function **functions; /* malloced, as is each, likewise */
  size_t function_count;
  size_t function_capacity;
  struct gcov_candidate *candidates; /* malloced, of the last call */
  const struct gcov_function **found; /* malloced, likewise */
  size_t candidate_capacity;
};

static bool
find_block (struct gcov_lookup *lookup, struct profile_error *err)
{
  struct byte_reader reader;
  struct indexed_header header;
  byte_reader_init (&reader, lookup->path, lookup->file.data,
		    lookup->file.size, err);
  if (!indexed_header_read (&reader, &header)
      || !heapprof_section_find (&reader, HEAPPROF_SECTION_GCOV,
				 &lookup->block))
    return false;
  if (byte_reader_left (&lookup->block) == 0)
    return profile_error_set (err, lookup->path, PROFILE_ERROR_NO_OFFSET,
			      "has no counters of gcc, or has lost its end");
  return gcov_section_view_open (&lookup->view, &lookup->block);
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
  bool done = (file_map_open (&lookup->file, path, err)
	       && find_block (lookup, err));
  if (done)
    {
      lookup->units = calloc (lookup->view.unit_count + 1,
			      sizeof *lookup->units);
      done = lookup->units || profile_error_set_memory (err, path);
    }
  if (done)
    return lookup;
  gcov_lookup_close (lookup);
  return NULL;
}

static void
free_function (struct gcov_function *function)
{
  if (function)
    gcov_function_clear (function);
  free (function);
}

void
gcov_lookup_close (struct gcov_lookup *lookup)
{
  if (!lookup)
    return;
  for (uint64_t i = 0; lookup->units && i < lookup->view.unit_count; i++)
    gcov_unit_free (lookup->units[i]);
  for (size_t i = 0; i < lookup->function_count; i++)
    free_function (lookup->functions[i]);
  free (lookup->units);
  free (lookup->functions);
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

/* Make READER ready to read the part of the file at PLACE, by BYTES.  */
static bool
go_to (const struct gcov_lookup *lookup, struct gcov_section_reader *reader,
       struct byte_reader *bytes, uint64_t place)
{
  *bytes = lookup->block;
  gcov_section_reader_init (reader, bytes, byte_reader_left (bytes));
  reader->view = &lookup->view;
  reader->string_count = lookup->view.string_count;
  if (byte_reader_need (bytes, place, 1, "what the index refers to"))
    bytes->position += place;
  return !bytes->failed;
}

/* Unit NUMBER up to its functions; NULL and the error if that fails.  */
static const struct gcov_unit *
get_unit (struct gcov_lookup *lookup, uint64_t number)
{
  struct gcov_section_reader reader;
  struct byte_reader bytes = lookup->block;
  if (number >= lookup->view.unit_count)
    {
      byte_reader_fail (&bytes, lookup->view.functions, "unit %" PRIu64
			" of %" PRIu64, number, lookup->view.unit_count);
      return NULL;
    }
  if (lookup->units[number])
    return lookup->units[number];
  uint64_t place = gcov_section_view_unit (&lookup->view, &bytes, number);
  if (!go_to (lookup, &reader, &bytes, place))
    return NULL;
  struct gcov_unit *unit = gcov_section_allocate (&reader, 0, sizeof *unit);
  if (unit && !gcov_section_read_unit (&reader, unit))
    {
      gcov_unit_free (unit);
      unit = NULL;
    }
  lookup->units[number] = unit;
  return unit;
}

/* ARRAY, with room for *CAPACITY elements of SIZE bytes, N of them used, with
   room for one more; NULL if memory cannot be had.  */
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

/* The function at PLACE; NULL and the error if that fails.  */
static const struct gcov_function *
get_function (struct gcov_lookup *lookup, uint64_t place)
{
  struct gcov_section_reader reader;
  struct byte_reader bytes;
  uint32_t distance;
  uint64_t name;
  if (!go_to (lookup, &reader, &bytes, place))
    return NULL;
  struct gcov_function **functions
    = grow (lookup->functions, lookup->function_count,
	    &lookup->function_capacity, sizeof *functions);
  if (!functions)
    {
      byte_reader_fail_memory (&bytes);
      return NULL;
    }
  lookup->functions = functions;
  struct gcov_function *function
    = gcov_section_allocate (&reader, 0, sizeof *function);
  if (function
      && gcov_section_read_function (&reader, function, &distance, &name))
    {
      functions[lookup->function_count++] = function;
      return function;
    }
  free_function (function);
  return NULL;
}

/* ---- Finding.  */

/* The first function in the index whose name is not less than NAME.  */
static uint64_t
find_first (const struct gcov_lookup *lookup, uint64_t name)
{
  uint64_t low = 0;
  uint64_t high = lookup->view.function_count;
  while (low < high)
    {
      uint64_t middle = low + (high - low) / 2;
      if (gcov_section_view_function (&lookup->view, &lookup->block, middle)
	    .name < name)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* Append the function of ENTRY to the N candidates.  */
static bool
add_candidate (struct gcov_lookup *lookup, size_t *n,
	       const struct gcov_section_entry *entry)
{
  const struct gcov_unit *unit = get_unit (lookup, entry->unit);
  const struct gcov_function *function
    = unit ? get_function (lookup, entry->place) : NULL;
  if (!function)
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
    return byte_reader_fail_memory (&(struct byte_reader) {
      .path = lookup->path, .err = lookup->block.err });
  candidates[(*n)++] = (struct gcov_candidate) { function, unit };
  return true;
}

/* Append the functions with the name of KEY.  */
static bool
collect_named (struct gcov_lookup *lookup, const struct gcov_lookup_key *key,
	       size_t *n)
{
  struct byte_reader bytes = lookup->block;
  uint64_t name = gcov_section_view_find_string (&lookup->view, &bytes,
						 key->name);
  if (name == 0)
    return !bytes.failed;
  for (uint64_t i = find_first (lookup, name);
       i < lookup->view.function_count; i++)
    {
      struct gcov_section_entry entry
	= gcov_section_view_function (&lookup->view, &lookup->block, i);
      if (entry.name != name)
	break;
      if (!add_candidate (lookup, n, &entry))
	return false;
    }
  return true;
}

/* The ident of the function of entry I, which has no name.  */
static bool
get_ident (const struct gcov_lookup *lookup, uint64_t i, uint32_t *ident)
{
  struct gcov_section_entry entry
    = gcov_section_view_function (&lookup->view, &lookup->block, i);
  struct gcov_section_reader reader;
  struct byte_reader bytes;
  if (!go_to (lookup, &reader, &bytes, entry.place))
    return false;
  return gcov_section_read_ident (&reader, ident);
}

/* Append the functions with the ident of KEY and no name.  */
static bool
collect_nameless (struct gcov_lookup *lookup,
		  const struct gcov_lookup_key *key, size_t *n)
{
  uint64_t low = 0;
  uint64_t high = find_first (lookup, 1);
  const uint64_t end = high;
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
      if (!add_candidate (lookup, n, &entry))
	return false;
    }
  return true;
}

enum gcov_lookup_result
gcov_lookup_find (struct gcov_lookup *lookup,
		  const struct gcov_lookup_key *key,
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
