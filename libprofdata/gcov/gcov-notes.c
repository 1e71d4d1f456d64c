/* Reading GCC's notes files (.gcno).
   SPDX-License-Identifier: GPL-3.0-or-later

     file      header, string directory of the compiler, u32 1 if blocks that
	       never run are listed, functions
     function  tag, length, u32 ident, u32 checksum of name and line, u32
	       checksum of the flow graph, string name, u32 1 if artificial,
	       string file, u32 start line, column, end line, column;
	       then records of its blocks, arcs, lines
     blocks    tag, length, u32 number of blocks
     arcs      tag, length, u32 block, then for each arc u32 destination, flags
     lines     tag, length, u32 block, then u32 lines; u32 0 and a string start
	       a group, or end the record if there is no string  */

#include "gcov-notes.h"
#include "gcov-format.h"
#include "record-table.h"
#include <stdlib.h>
#include <string.h>

struct notes_reader
{
  struct byte_reader bytes;
  struct gcov_notes *notes;
  unsigned int major;
  uint64_t blocks_left; /* that may still be announced */
  uint32_t function_capacity;
  uint32_t arc_capacity; /* of the last function, as are the next two */
  uint32_t group_capacity;
  uint32_t line_capacity;
};

bool
gcov_notes_has_magic (const void *data, size_t n)
{
  struct profile_error err;
  struct byte_reader reader;
  if (n < 4)
    return false;
  byte_reader_init (&reader, NULL, data, n, &err);
  return gcov_format_read_magic (&reader) == GCOV_FORMAT_NOTES_MAGIC;
}

void
gcov_notes_free (struct gcov_notes *notes)
{
  if (!notes)
    return;
  for (uint32_t i = 0; i < notes->function_count; i++)
    {
      free (notes->functions[i].arcs);
      free (notes->functions[i].groups);
      free (notes->functions[i].lines);
    }
  free (notes->functions);
  free (notes->order);
  free (notes->strings);
  free (notes);
}

/* Make room for one more element of SIZE bytes in ARRAY, which has COUNT
   elements and room for *CAPACITY.  Return it; NULL, with ARRAY unchanged, if
   memory is exhausted.  */
static void *
reserve (struct notes_reader *reader, void *array, uint32_t count,
	 uint32_t *capacity, size_t size)
{
  if (count < *capacity)
    return array;
  uint32_t more = count + count / 2 + 4;
  void *larger = realloc (array, more * size);
  if (larger)
    *capacity = more;
  else
    byte_reader_fail_memory (&reader->bytes);
  return larger;
}

/* Read a string from PART; return "" if there is none.  */
static const char *
read_string (struct notes_reader *reader, struct byte_reader *part,
	     const char *what)
{
  const char *text = gcov_format_read_string (part, reader->major, what);
  return text ? text : "";
}

static bool
read_function (struct notes_reader *reader, struct byte_reader *part)
{
  struct gcov_notes *notes = reader->notes;
  struct gcov_notes_function *functions
    = reserve (reader, notes->functions, notes->function_count,
	       &reader->function_capacity, sizeof *functions);
  if (!functions)
    return false;
  notes->functions = functions;
  struct gcov_notes_function *function = &functions[notes->function_count++];
  *function = (struct gcov_notes_function){ 0 };
  reader->arc_capacity = 0;
  reader->group_capacity = 0;
  reader->line_capacity = 0;
  function->ident = byte_reader_u32 (part, "a function");
  function->lineno_checksum = byte_reader_u32 (part, "a function");
  function->cfg_checksum = byte_reader_u32 (part, "a function");
  function->name = read_string (reader, part, "a function's name");
  function->is_artificial = byte_reader_u32 (part, "a function") != 0;
  function->file = read_string (reader, part, "a function's file");
  function->start_line = byte_reader_u32 (part, "a function");
  function->start_column = byte_reader_u32 (part, "a function");
  function->end_line = byte_reader_u32 (part, "a function");
  function->end_column = byte_reader_u32 (part, "a function");
  return !part->failed;
}

static bool
read_blocks (struct notes_reader *reader, struct byte_reader *part,
	     struct gcov_notes_function *function)
{
  size_t start = part->position;
  uint32_t count = byte_reader_u32 (part, "the number of blocks");
  if (function->block_count > 0)
    return byte_reader_fail (part, start, "second block record of a function");
  if (count > reader->blocks_left)
    return byte_reader_fail (part, start,
			     "invalid block count %u (more than the file can "
			     "hold)",
			     count);
  reader->blocks_left -= count;
  function->block_count = count;
  return true;
}

/* Read the number of a block of FUNCTION.  */
static uint32_t
read_block (struct byte_reader *part,
	    const struct gcov_notes_function *function)
{
  size_t start = part->position;
  uint32_t block = byte_reader_u32 (part, "a block");
  if (block >= function->block_count)
    byte_reader_fail (part, start, "invalid block %u (expected less than %u)",
		      block, function->block_count);
  return block;
}

static bool
read_arcs (struct notes_reader *reader, struct byte_reader *part,
	   struct gcov_notes_function *function)
{
  uint32_t source = read_block (part, function);
  while (!part->failed && byte_reader_left (part) > 0)
    {
      struct gcov_arc *arcs
	= reserve (reader, function->arcs, function->arc_count,
		   &reader->arc_capacity, sizeof *arcs);
      if (!arcs)
	return false;
      function->arcs = arcs;
      struct gcov_arc *arc = &arcs[function->arc_count++];
      arc->source = source;
      arc->destination = read_block (part, function);
      arc->flags = byte_reader_u32 (part, "an arc");
      if (!(arc->flags & GCOV_ARC_ON_TREE))
	function->counter_count++;
    }
  return !part->failed;
}

/* Append to FUNCTION a group of lines of FILE in BLOCK.  */
static bool
add_group (struct notes_reader *reader, struct gcov_notes_function *function,
	   uint32_t block, const char *file)
{
  struct gcov_line_group *groups
    = reserve (reader, function->groups, function->group_count,
	       &reader->group_capacity, sizeof *groups);
  if (!groups)
    return false;
  function->groups = groups;
  groups[function->group_count++] = (struct gcov_line_group){
    .block = block, .file = file, .first = function->line_count
  };
  return true;
}

static bool
add_line (struct notes_reader *reader, struct gcov_notes_function *function,
	  uint32_t line)
{
  uint32_t *lines = reserve (reader, function->lines, function->line_count,
			     &reader->line_capacity, sizeof *lines);
  if (!lines)
    return false;
  function->lines = lines;
  lines[function->line_count++] = line;
  function->groups[function->group_count - 1].count++;
  return true;
}

static bool
read_lines (struct notes_reader *reader, struct byte_reader *part,
	    struct gcov_notes_function *function)
{
  uint32_t block = read_block (part, function);
  bool has_group = false;
  while (!part->failed && !reader->bytes.failed)
    {
      size_t start = part->position;
      uint32_t line = byte_reader_u32 (part, "a line");
      if (line == 0)
	{
	  const char *file
	    = gcov_format_read_string (part, reader->major, "a line's file");
	  if (part->failed || !file)
	    break;
	  has_group = add_group (reader, function, block, file);
	}
      else if (!has_group)
	return byte_reader_fail (part, start, "line without a file");
      else
	add_line (reader, function, line);
    }
  return !part->failed;
}

/* Read the record with TAG, which is all of PART, of the last function.  */
static bool
read_function_part (struct notes_reader *reader, struct byte_reader *part,
		    uint32_t tag, size_t start)
{
  struct gcov_notes *notes = reader->notes;
  if (notes->function_count == 0)
    return byte_reader_fail (part, start,
			     "record with tag 0x%08x outside a function", tag);
  struct gcov_notes_function *function
    = &notes->functions[notes->function_count - 1];
  switch (tag)
    {
    case GCOV_FORMAT_BLOCKS:
      return read_blocks (reader, part, function);
    case GCOV_FORMAT_ARCS:
      return read_arcs (reader, part, function);
    case GCOV_FORMAT_LINES:
      return read_lines (reader, part, function);
    case GCOV_FORMAT_CONDITIONS:
    case GCOV_FORMAT_PATHS:
      /* The meaning of these counters is not needed to carry them along.  */
      part->position = part->end;
      return true;
    default:
      return byte_reader_fail (part, start, "unknown record tag 0x%08x", tag);
    }
}

/* Read a record.  Return false at the end, and if READER fails.  */
static bool
read_record (struct notes_reader *reader)
{
  struct byte_reader *bytes = &reader->bytes;
  size_t start = bytes->position;
  if (bytes->failed || byte_reader_left (bytes) == 0)
    return false;
  uint32_t tag = byte_reader_u32 (bytes, "the tag of a record");
  if (tag == GCOV_FORMAT_END)
    return false;
  uint64_t size = byte_reader_u32 (bytes, "the length of a record");
  if (gcov_format_has_words (reader->major))
    size *= 4;
  struct byte_reader part = byte_reader_part (bytes, size, "a record");
  if (part.failed)
    return false;
  if (tag == GCOV_FORMAT_FUNCTION)
    read_function (reader, &part);
  else
    read_function_part (reader, &part, tag, start);
  return !bytes->failed && byte_reader_join (bytes, &part, "a record");
}

static bool
read_header (struct notes_reader *reader)
{
  struct byte_reader *bytes = &reader->bytes;
  struct gcov_notes *notes = reader->notes;
  uint32_t magic = gcov_format_read_magic (bytes);
  if (!bytes->failed && magic != GCOV_FORMAT_NOTES_MAGIC)
    return byte_reader_fail (bytes, 0, "not a GCC notes file: magic 0x%08x",
			     magic);
  reader->major = gcov_format_read_version (bytes, &notes->version);
  notes->stamp = byte_reader_u32 (bytes, "the header");
  if (!gcov_format_has_words (reader->major))
    notes->checksum = byte_reader_u32 (bytes, "the header");
  notes->directory = read_string (reader, bytes, "the directory");
  byte_reader_u32 (bytes, "the header");
  return !bytes->failed;
}

/* Compare functions by the three numbers that identify them.  */
static int
compare_keys (const struct gcov_notes_function *a,
	      const struct gcov_notes_function *b)
{
  if (a->ident != b->ident)
    return a->ident > b->ident ? 1 : -1;
  if (a->lineno_checksum != b->lineno_checksum)
    return a->lineno_checksum > b->lineno_checksum ? 1 : -1;
  return ((a->cfg_checksum > b->cfg_checksum)
	  - (a->cfg_checksum < b->cfg_checksum));
}

static int
compare_places (const void *element1, const void *element2, void *data)
{
  const struct gcov_notes *notes = data;
  uint32_t a = *(const uint32_t *) element1;
  uint32_t b = *(const uint32_t *) element2;
  int order = compare_keys (&notes->functions[a], &notes->functions[b]);
  return order != 0 ? order : (a > b) - (a < b);
}

static bool
make_order (struct notes_reader *reader)
{
  struct gcov_notes *notes = reader->notes;
  notes->order = record_order (notes->function_count, compare_places, notes);
  return notes->order || byte_reader_fail_memory (&reader->bytes);
}

struct gcov_notes *
gcov_notes_parse (const char *path, const void *data, size_t size,
		  struct profile_error *err)
{
  struct notes_reader reader = { .blocks_left = size / 4 };
  struct gcov_notes *notes = calloc (1, sizeof *notes);
  if (notes)
    notes->strings = malloc (size + 1);
  if (!notes || !notes->strings)
    {
      gcov_notes_free (notes);
      profile_error_set_memory (err, path);
      return NULL;
    }
  memcpy (notes->strings, data, size);
  reader.notes = notes;
  byte_reader_init (&reader.bytes, path, notes->strings, size, err);
  if (read_header (&reader))
    while (read_record (&reader))
      ;
  if (!reader.bytes.failed && make_order (&reader))
    return notes;
  gcov_notes_free (notes);
  return NULL;
}

/* Return the first place in the order of NOTES, at HINT or later, where KEY
   could be.  */
static uint32_t
find_place (const struct gcov_notes *notes,
	    const struct gcov_notes_function *key, uint32_t hint)
{
  uint32_t low = 0;
  uint32_t high = notes->function_count;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      uint32_t place = notes->order[middle];
      int order = compare_keys (&notes->functions[place], key);
      if (order < 0 || (order == 0 && place < hint))
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

const struct gcov_notes_function *
gcov_notes_find (const struct gcov_notes *notes, uint32_t ident,
		 uint32_t lineno_checksum, uint32_t cfg_checksum,
		 uint32_t *hint)
{
  const struct gcov_notes_function key = { .ident = ident,
					   .lineno_checksum = lineno_checksum,
					   .cfg_checksum = cfg_checksum };
  for (uint32_t least = *hint;; least = 0)
    {
      uint32_t i = find_place (notes, &key, least);
      uint32_t place = i < notes->function_count ? notes->order[i] : UINT32_MAX;
      if (place != UINT32_MAX
	  && compare_keys (&notes->functions[place], &key) == 0)
	{
	  *hint = place + 1;
	  return &notes->functions[place];
	}
      if (least == 0)
	return NULL;
    }
}
