/* GCC's own counters in the heapprof section: the index.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-section-index.h"
#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Building.  */

/* Return ELEMENTS, with room for *CAPACITY elements of SIZE bytes, N of them
   used, with room for one more; NULL if memory is exhausted, and the index
   fails.  */
static void *
grow (struct gcov_section_index *index, void *elements, size_t n,
      size_t *capacity, size_t size)
{
  if (n < *capacity)
    return elements;
  size_t more = n + n / 2 + 16;
  void *larger = realloc (elements, more * size);
  if (larger)
    *capacity = more;
  else
    index->failed = true;
  return larger;
}

static void
add_place (struct gcov_section_index *index, uint64_t **places, size_t *count,
	   size_t *capacity, uint64_t place)
{
  uint64_t *larger = grow (index, *places, *count, capacity, sizeof *larger);
  if (!larger)
    return;
  *places = larger;
  larger[(*count)++] = place;
}

void
gcov_section_index_add_string (struct gcov_section_index *index, uint64_t place)
{
  add_place (index, &index->strings, &index->string_count,
	     &index->string_capacity, place);
}

void
gcov_section_index_add_unit (struct gcov_section_index *index,
			     const struct gcov_unit *unit, uint64_t place)
{
  if (unit->runs > index->runs)
    index->runs = unit->runs;
  if (unit->sum_max > index->sum_max)
    index->sum_max = unit->sum_max;
  add_place (index, &index->units, &index->unit_count, &index->unit_capacity,
	     place);
}

void
gcov_section_index_add_function (struct gcov_section_index *index,
				 uint64_t name, uint32_t ident, uint64_t place)
{
  struct gcov_section_entry *functions
    = grow (index, index->functions, index->function_count,
	    &index->function_capacity, sizeof *functions);
  if (!functions)
    return;
  index->functions = functions;
  functions[index->function_count++] = (struct gcov_section_entry){
    .name = name, .unit = index->unit_count - 1, .place = place, .ident = ident
  };
}

static int
compare_entries (const void *element1, const void *element2)
{
  const struct gcov_section_entry *a = element1;
  const struct gcov_section_entry *b = element2;
  if (a->name != b->name)
    return a->name < b->name ? -1 : 1;
  if (a->name == 0 && a->ident != b->ident)
    return a->ident < b->ident ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

bool
gcov_section_index_write (struct gcov_section_index *index,
			  struct byte_writer *writer, uint64_t place)
{
  if (index->failed)
    return false;
  for (; place % 8 != 0; place++)
    byte_writer_u8 (writer, 0);
  for (size_t i = 0; i < index->string_count; i++)
    byte_writer_u64 (writer, index->strings[i]);
  for (size_t i = 0; i < index->unit_count; i++)
    byte_writer_u64 (writer, index->units[i]);
  if (index->function_count > 0)
    qsort (index->functions, index->function_count, sizeof *index->functions,
	   compare_entries);
  for (size_t i = 0; i < index->function_count; i++)
    {
      byte_writer_u32 (writer, index->functions[i].name);
      byte_writer_u32 (writer, index->functions[i].unit);
      byte_writer_u64 (writer, index->functions[i].place);
    }
  byte_writer_u32 (writer, index->runs);
  byte_writer_u32 (writer, index->sum_max);
  byte_writer_u64 (writer, index->string_count);
  byte_writer_u64 (writer, index->unit_count);
  byte_writer_u64 (writer, index->function_count);
  return !writer->failed;
}

void
gcov_section_index_free (struct gcov_section_index *index)
{
  free (index->strings);
  free (index->units);
  free (index->functions);
}

/* ---- Lookup.  */

/* Cut COUNT elements of SIZE bytes off the end of BLOCK.  *OFFSET is their
   start.  */
static bool
take_table (struct byte_reader *block, uint64_t count, size_t size,
	    size_t *offset)
{
  if (!byte_reader_need (block, count, size, "the index of functions"))
    return false;
  block->end -= count * size;
  *offset = block->end;
  return true;
}

bool
gcov_section_view_open (struct gcov_section_view *view,
			struct byte_reader *block)
{
  static const char what[] = "the index of functions";
  struct byte_reader tail = *block;
  view->base = block->position;
  if (!byte_reader_need (block, 1, GCOV_SECTION_INDEX_TAIL_BYTES, what))
    return false;
  tail.position = block->end - GCOV_SECTION_INDEX_TAIL_BYTES;
  view->runs = byte_reader_u32 (&tail, what);
  view->sum_max = byte_reader_u32 (&tail, what);
  view->string_count = byte_reader_u64 (&tail, what);
  view->unit_count = byte_reader_u64 (&tail, what);
  view->function_count = byte_reader_u64 (&tail, what);
  struct byte_reader rest = *block;
  rest.end -= GCOV_SECTION_INDEX_TAIL_BYTES;
  bool done = (take_table (&rest, view->function_count,
			   GCOV_SECTION_INDEX_FUNCTION_BYTES, &view->functions)
	       && take_table (&rest, view->unit_count, 8, &view->units)
	       && take_table (&rest, view->string_count, 8, &view->strings));
  block->failed = rest.failed;
  return done;
}

static uint64_t
get_u64 (const struct byte_reader *block, size_t offset)
{
  uint64_t value;
  memcpy (&value, block->data + offset, sizeof value);
  return le64toh (value);
}

const char *
gcov_section_view_string (const struct gcov_section_view *view,
			  struct byte_reader *block, uint64_t number,
			  uint64_t *size)
{
  static const char what[] = "a string";
  uint64_t place = get_u64 (block, view->strings + 8 * (number - 1));
  struct byte_reader string = *block;
  string.position = view->base;
  if (!byte_reader_need (&string, place, 1, what))
    {
      block->failed = true;
      return NULL;
    }
  string.position += place;
  *size = byte_reader_uleb128 (&string, what);
  const char *text = byte_reader_bytes (&string, *size, what);
  block->failed |= string.failed;
  return text;
}

uint64_t
gcov_section_view_find_string (const struct gcov_section_view *view,
			       struct byte_reader *block, const char *text)
{
  size_t n = strlen (text);
  uint64_t low = 1;
  uint64_t high = view->string_count + 1;
  while (low < high)
    {
      uint64_t middle = low + (high - low) / 2;
      uint64_t size;
      const char *string
	= gcov_section_view_string (view, block, middle, &size);
      if (!string)
	return 0;
      int order = memcmp (string, text, size < n ? size : n);
      if (order == 0)
	order = (size > n) - (size < n);
      if (order == 0)
	return middle;
      if (order < 0)
	low = middle + 1;
      else
	high = middle;
    }
  return 0;
}

uint64_t
gcov_section_view_unit (const struct gcov_section_view *view,
			const struct byte_reader *block, uint64_t number)
{
  return get_u64 (block, view->units + 8 * number);
}

struct gcov_section_entry
gcov_section_view_function (const struct gcov_section_view *view,
			    const struct byte_reader *block, uint64_t number)
{
  size_t offset = view->functions + GCOV_SECTION_INDEX_FUNCTION_BYTES * number;
  uint64_t head = get_u64 (block, offset);
  return (struct gcov_section_entry){ .name = head,
				      .unit = head >> 32,
				      .place = get_u64 (block, offset + 8) };
}
