/* The heapprof section: where the functions of the heap profile are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-places.h"
#include <stdlib.h>
#include <string.h>

static const char what[] = "the places of functions";

/* A call in a function; file 0: without a line.  */
struct call
{
  uint64_t function;
  uint32_t file; /* place of its string in the canonical order */
  uint32_t start_line;
  uint32_t line_offset;
};

/* ---- Writing.  */

struct places_writer
{
  const struct heap_profile *profile;
  const struct canonical_order *order;
  struct call *calls; /* sorted, without duplicates */
  size_t count;
  uint32_t *paths; /* by string: offset + 1; 0: not written yet */
  struct byte_writer guids, offsets, lists, texts;
};

static int
compare_numbers (uint64_t n, uint64_t m)
{
  return (n > m) - (n < m);
}

/* Compare functions and places, not lines.  */
static int
compare_places (const struct call *call1, const struct call *call2)
{
  int result = compare_numbers (call1->function, call2->function);
  if (result == 0)
    result = compare_numbers (call1->file, call2->file);
  return result != 0 ? result
		     : compare_numbers (call1->start_line, call2->start_line);
}

static int
compare_calls (const void *element1, const void *element2)
{
  const struct call *call1 = element1;
  const struct call *call2 = element2;
  const int result = compare_places (call1, call2);
  return result != 0 ? result
		     : compare_numbers (call1->line_offset, call2->line_offset);
}

static bool
collect_calls (struct places_writer *places)
{
  const struct canonical_table *frames = &places->order->frames;
  places->calls = calloc (frames->count, sizeof *places->calls);
  for (uint32_t i = 1; places->calls && i < frames->count; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (places->profile, frames->ids[i]);
      const bool has_no_line
	= (frame->line == 0 && frame->line_offset == 0 && frame->column == 0);
      const bool has_place = frame->line != 0 && frame->file != 0;
      if (frame->function_guid == 0 || !(has_no_line || has_place))
	continue;
      struct call *call = &places->calls[places->count++];
      call->function = frame->function_guid;
      if (!has_place)
	continue;
      call->file = places->order->strings.places[frame->file];
      call->start_line = frame->start_line;
      call->line_offset = frame->line_offset;
    }
  if (places->count > 1)
    qsort (places->calls, places->count, sizeof *places->calls, compare_calls);
  size_t kept = 0;
  for (size_t i = 0; i < places->count; i++)
    if (kept == 0
	|| compare_calls (&places->calls[kept - 1], &places->calls[i]) != 0)
      places->calls[kept++] = places->calls[i];
  places->count = kept;
  return places->calls != NULL;
}

/* Return the offset of the path FILE.  */
static uint32_t
write_path (struct places_writer *places, uint32_t file)
{
  if (places->paths[file] == 0)
    {
      const char *path = heap_profile_string (places->profile,
					      places->order->strings.ids[file]);
      places->paths[file] = (uint32_t) places->texts.size + 1;
      byte_writer_bytes (&places->texts, path, strlen (path) + 1);
    }
  return places->paths[file] - 1;
}

/* Write the place of the calls from FIRST on.  Return the first call after
   them.  */
static size_t
write_place (struct places_writer *places, size_t first)
{
  const struct call *calls = places->calls;
  size_t end = first + 1;
  while (end < places->count
	 && compare_places (&calls[first], &calls[end]) == 0)
    end++;
  byte_writer_uleb128 (&places->lists, write_path (places, calls[first].file));
  byte_writer_uleb128 (&places->lists, calls[first].start_line);
  byte_writer_uleb128 (&places->lists, end - first);
  uint32_t before = 0;
  for (size_t i = first; i < end; i++)
    {
      byte_writer_uleb128 (&places->lists, calls[i].line_offset - before);
      before = calls[i].line_offset;
    }
  return end;
}

/* Write the function of the calls from FIRST on.  Return the first call after
   them.  */
static size_t
write_function (struct places_writer *places, size_t first)
{
  const struct call *calls = places->calls;
  const bool has_no_line = calls[first].file == 0;
  uint64_t count = 0;
  size_t end = first;
  for (; end < places->count && calls[end].function == calls[first].function;
       end++)
    count += (calls[end].file != 0
	      && (end == first
		  || compare_places (&calls[end - 1], &calls[end]) != 0));
  byte_writer_u64 (&places->guids, calls[first].function);
  byte_writer_u32 (&places->offsets, (uint32_t) places->lists.size);
  byte_writer_uleb128 (&places->lists, count << 1 | has_no_line);
  for (size_t i = first + has_no_line; i < end;)
    i = write_place (places, i);
  return end;
}

static void
append (struct byte_writer *writer, const struct byte_writer *part)
{
  byte_writer_bytes (writer, part->data, part->size);
  writer->failed |= part->failed;
}

void
heapprof_places_write (struct byte_writer *writer,
		       const struct heap_profile *profile,
		       const struct canonical_order *order)
{
  struct places_writer places = { .profile = profile, .order = order };
  places.paths = calloc (order->strings.count, sizeof *places.paths);
  writer->failed |= !places.paths || !collect_calls (&places);
  if (!writer->failed)
    for (size_t i = 0; i < places.count;)
      i = write_function (&places, i);
  if (order->frames.count > 1 && places.lists.size < UINT32_MAX
      && places.texts.size < UINT32_MAX)
    {
      byte_writer_u64 (writer, places.guids.size / sizeof (uint64_t));
      byte_writer_u64 (writer, places.lists.size);
      append (writer, &places.guids);
      append (writer, &places.offsets);
      append (writer, &places.lists);
      append (writer, &places.texts);
    }
  byte_writer_free (&places.guids);
  byte_writer_free (&places.offsets);
  byte_writer_free (&places.lists);
  byte_writer_free (&places.texts);
  free (places.calls);
  free (places.paths);
}

/* ---- Reading.  */

/* Return the index of GUID in GUIDS; COUNT if it is not there.  */
static uint64_t
find_guid (const struct byte_reader *guids, uint64_t count, uint64_t guid)
{
  uint64_t first = 0;
  uint64_t end = count;
  while (first < end)
    {
      const uint64_t middle = first + (end - first) / 2;
      struct byte_reader at = *guids;
      at.position += middle * sizeof guid;
      const uint64_t found = byte_reader_u64 (&at, what);
      if (found == guid)
	return middle;
      if (found < guid)
	first = middle + 1;
      else
	end = middle;
    }
  return count;
}

bool
heapprof_places_find (const struct byte_reader *block, uint64_t guid,
		      struct heapprof_places *places)
{
  struct byte_reader rest = *block;
  const uint64_t count = byte_reader_u64 (&rest, what);
  const uint64_t list_bytes = byte_reader_u64 (&rest, what);
  if (!byte_reader_need (&rest, count, sizeof (uint64_t) + sizeof (uint32_t),
			 what))
    return false;
  const struct byte_reader guids
    = byte_reader_part (&rest, count * sizeof (uint64_t), what);
  struct byte_reader offset
    = byte_reader_part (&rest, count * sizeof (uint32_t), what);
  places->list = byte_reader_part (&rest, list_bytes, what);
  places->paths = rest;
  const uint64_t index = find_guid (&guids, count, guid);
  if (rest.failed || index == count)
    return false;
  offset.position += index * sizeof (uint32_t);
  byte_reader_bytes (&places->list, byte_reader_u32 (&offset, what), what);
  places->left = byte_reader_uleb128 (&places->list, what);
  places->has_no_line = places->left & 1;
  places->left >>= 1;
  return !places->list.failed;
}

bool
heapprof_places_next (struct heapprof_places *places, uint32_t line_offset,
		      struct heapprof_place *place)
{
  if (places->left == 0)
    return false;
  places->left--;
  struct byte_reader path = places->paths;
  byte_reader_bytes (&path, byte_reader_uleb128 (&places->list, what), what);
  place->start_line = byte_reader_uleb128_u32 (&places->list, what);
  place->has_call = false;
  uint64_t offset = 0;
  for (uint64_t left = byte_reader_uleb128 (&places->list, what);
       left > 0 && !places->list.failed; left--)
    {
      offset += byte_reader_uleb128 (&places->list, what);
      place->has_call |= offset == line_offset;
    }
  place->path = (const char *) path.data + path.position;
  return (!places->list.failed && byte_reader_left (&path) > 0
	  && memchr (place->path, '\0', byte_reader_left (&path)) != NULL);
}
