/* The heapprof section: reading where the functions of the heap profile are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-places.h"
#include <string.h>

static const char what[] = "the places of functions";

bool
heapprof_places_open (struct heapprof_places_block *block,
		      const struct byte_reader *reader)
{
  struct byte_reader rest = *reader;
  block->count = byte_reader_u64 (&rest, what);
  const uint64_t list_bytes = byte_reader_u64 (&rest, what);
  const uint64_t file_bytes = byte_reader_u64 (&rest, what);
  if (!byte_reader_need (&rest, block->count,
			 sizeof (uint64_t) + sizeof (uint32_t), what))
    return false;
  block->guids
    = byte_reader_part (&rest, block->count * sizeof (uint64_t), what);
  block->offsets
    = byte_reader_part (&rest, block->count * sizeof (uint32_t), what);
  block->lists = byte_reader_part (&rest, list_bytes, what);
  block->files = byte_reader_part (&rest, file_bytes, what);
  block->paths = rest;
  return !rest.failed;
}

/* Return GUID number INDEX, which must be less than the count.  */
static uint64_t
guid_at (const struct heapprof_places_block *block, uint64_t index)
{
  struct byte_reader at = block->guids;
  at.position += index * sizeof (uint64_t);
  return byte_reader_u64 (&at, what);
}

/* Return the index of GUID; the count if it is not there.  */
static uint64_t
find_guid (const struct heapprof_places_block *block, uint64_t guid)
{
  uint64_t first = 0;
  uint64_t end = block->count;
  while (first < end)
    {
      const uint64_t middle = first + (end - first) / 2;
      const uint64_t found = guid_at (block, middle);
      if (found == guid)
	return middle;
      if (found < guid)
	first = middle + 1;
      else
	end = middle;
    }
  return block->count;
}

bool
heapprof_places_have (const struct heapprof_places_block *block, uint64_t guid)
{
  return find_guid (block, guid) < block->count;
}

bool
heapprof_places_find (const struct heapprof_places_block *block, uint64_t guid,
		      struct heapprof_places *places)
{
  const uint64_t index = find_guid (block, guid);
  struct byte_reader offset = block->offsets;
  if (index == block->count)
    return false;
  offset.position += index * sizeof (uint32_t);
  places->block = block;
  places->list = block->lists;
  byte_reader_bytes (&places->list, byte_reader_u32 (&offset, what), what);
  places->left = byte_reader_uleb128 (&places->list, what);
  places->has_no_line = places->left & 1;
  places->left >>= 1;
  return !places->list.failed;
}

/* Return the path at OFFSET; NULL if the block is damaged.  */
static const char *
path_at (const struct heapprof_places_block *block, uint64_t offset)
{
  struct byte_reader path = block->paths;
  byte_reader_bytes (&path, offset, what);
  const char *text = (const char *) path.data + path.position;
  return byte_reader_left (&path) > 0
	     && memchr (text, '\0', byte_reader_left (&path)) != NULL
	   ? text
	   : NULL;
}

bool
heapprof_places_next (struct heapprof_places *places,
		      struct heapprof_place *place)
{
  if (places->left == 0)
    return false;
  places->left--;
  const uint64_t path = byte_reader_uleb128 (&places->list, what);
  place->start_line = byte_reader_uleb128_u32 (&places->list, what);
  place->calls_left = byte_reader_uleb128 (&places->list, what);
  place->line_offset = 0;
  place->path = path_at (places->block, path);
  return !places->list.failed && place->path != NULL;
}

bool
heapprof_places_next_call (struct heapprof_places *places,
			   struct heapprof_place *place,
			   struct heapprof_place_call *call)
{
  if (place->calls_left == 0)
    return false;
  place->calls_left--;
  place->line_offset += byte_reader_uleb128 (&places->list, what);
  call->line_offset = place->line_offset;
  call->column = (uint32_t) byte_reader_uleb128 (&places->list, what);
  call->callee = byte_reader_uleb128 (&places->list, what);
  return !places->list.failed;
}

uint64_t
heapprof_places_callee (const struct heapprof_places_block *block,
			const struct heapprof_place_call *call)
{
  return call->callee > 0 && call->callee <= block->count
	   ? guid_at (block, call->callee - 1)
	   : 0;
}

bool
heapprof_places_next_file (struct heapprof_places_block *block,
			   struct heapprof_places_file *file)
{
  if (byte_reader_left (&block->files) == 0)
    return false;
  file->path = path_at (block, byte_reader_uleb128 (&block->files, what));
  file->functions
    = byte_reader_part (&block->files,
			byte_reader_uleb128 (&block->files, what), what);
  file->number = 0;
  return !block->files.failed && file->path != NULL;
}

bool
heapprof_places_next_function (const struct heapprof_places_block *block,
			       struct heapprof_places_file *file,
			       uint64_t *guid)
{
  if (byte_reader_left (&file->functions) == 0)
    return false;
  file->number += byte_reader_uleb128 (&file->functions, what);
  if (file->functions.failed || file->number >= block->count)
    return false;
  *guid = guid_at (block, file->number);
  return true;
}
