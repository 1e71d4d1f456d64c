/* The heapprof section: writing where the functions of the heap profile are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-places.h"
#include "heap-profile-fill.h"
#include <stdlib.h>
#include <string.h>

/* A call in a function; file 0: without a line.  */
struct call
{
  uint64_t function;
  uint32_t file; /* place of its string in the canonical order */
  uint32_t start_line;
  uint32_t line_offset;
  uint32_t column;
  uint64_t callee; /* 0: unknown */
};

/* Functions that a frame calls, in the order of contexts.  */
struct callee
{
  uint32_t frame; /* place in the canonical order */
  uint64_t function;
};

/* A function in a file.  */
struct member
{
  uint32_t file;
  uint32_t function; /* index */
};

struct places_writer
{
  const struct heap_profile *profile;
  const struct canonical_order *order;
  struct callee *callees;
  size_t callee_count;
  size_t callee_capacity;
  struct call *calls; /* sorted, without duplicates */
  size_t count;
  struct member *members;
  size_t member_count;
  uint64_t *functions; /* GUIDs, ascending */
  size_t function_count;
  uint32_t *paths; /* by string: offset + 1; 0: not written yet */
  struct byte_writer guids, offsets, lists, files, texts;
};

static int
compare_numbers (uint64_t n, uint64_t m)
{
  return (n > m) - (n < m);
}

/* Compare functions and places, not calls.  */
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
  int result = compare_places (call1, call2);
  if (result == 0)
    result = compare_numbers (call1->line_offset, call2->line_offset);
  if (result == 0)
    result = compare_numbers (call1->column, call2->column);
  return result != 0 ? result : compare_numbers (call1->callee, call2->callee);
}

/* ---- Calls.  */

static const struct heap_frame *
frame_at (const struct places_writer *places, uint32_t place)
{
  return heap_profile_frame (places->profile, places->order->frames.ids[place]);
}

/* Add FUNCTION, 0 if unknown, to what the frame at PLACE calls, unless it is
   LAST [PLACE], which was added before.  */
static bool
add_callee (struct places_writer *places, uint64_t *last, uint32_t place,
	    uint64_t function)
{
  if (last[place] == function)
    return true;
  if (places->callee_count == places->callee_capacity)
    {
      size_t capacity = 2 * places->callee_capacity + 256;
      void *grown
	= realloc (places->callees, capacity * sizeof *places->callees);
      if (grown == NULL)
	return false;
      places->callees = grown;
      places->callee_capacity = capacity;
    }
  last[place] = function;
  places->callees[places->callee_count++] = (struct callee){ place, function };
  return true;
}

/* An allocation, and a call of a function that has no GUID, is one of an
   unknown function.  */
static bool
collect_callees (struct places_writer *places)
{
  const struct heap_profile *profile = places->profile;
  const struct canonical_order *order = places->order;
  uint64_t *last = calloc ((size_t) order->frames.count + 1, sizeof *last);
  const struct heap_profile_infos infos = heap_profile_infos (profile);
  bool done = last != NULL;
  /* No function: nothing was added.  */
  for (uint32_t i = 0; done && i < order->frames.count; i++)
    last[i] = UINT64_MAX;
  for (uint32_t i = 1; done && i < order->contexts.count; i++)
    {
      const uint32_t context = order->contexts.ids[i];
      const uint32_t caller = heap_profile_context_caller (profile, context);
      const uint32_t place
	= order->frames.places[heap_profile_context_frame (profile, context)];
      if (heap_infos_number (&infos, context) != 0)
	done = add_callee (places, last, place, 0);
      if (caller != 0 && done)
	done
	  = add_callee (places, last,
			order->frames
			  .places[heap_profile_context_frame (profile, caller)],
			frame_at (places, place)->function_guid);
    }
  free (last);
  return done;
}

static void
add_call (struct places_writer *places, const struct callee *callee)
{
  const struct heap_frame *frame = frame_at (places, callee->frame);
  const bool has_no_line
    = (frame->line == 0 && frame->line_offset == 0 && frame->column == 0);
  const bool has_place = frame->line != 0 && frame->file != 0;
  if (frame->function_guid == 0 || !(has_no_line || has_place))
    return;
  struct call *call = &places->calls[places->count++];
  call->function = frame->function_guid;
  if (!has_place)
    return;
  call->file = places->order->strings.places[frame->file];
  call->start_line = frame->start_line;
  call->line_offset = frame->line_offset;
  call->column = frame->drop_column ? 0 : frame->column;
  call->callee = callee->function;
}

static bool
collect_calls (struct places_writer *places)
{
  if (!collect_callees (places))
    return false;
  places->calls = calloc (places->callee_count + 1, sizeof *places->calls);
  for (size_t i = 0; places->calls != NULL && i < places->callee_count; i++)
    add_call (places, &places->callees[i]);
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

/* List the functions of the calls, and their files.  */
static bool
collect_functions (struct places_writer *places)
{
  places->functions = calloc (places->count + 1, sizeof *places->functions);
  places->members = calloc (places->count + 1, sizeof *places->members);
  if (places->functions == NULL || places->members == NULL)
    return false;
  for (size_t i = 0; i < places->count; i++)
    {
      const struct call *call = &places->calls[i];
      const bool is_next = i == 0 || call[-1].function != call->function;
      if (is_next)
	places->functions[places->function_count++] = call->function;
      if (call->file != 0 && (is_next || call[-1].file != call->file))
	places->members[places->member_count++]
	  = (struct member){ call->file,
			     (uint32_t) places->function_count - 1 };
    }
  return true;
}

/* ---- Lists.  */

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

/* Return the number of FUNCTION plus 1; 0 if it has no place.  */
static uint64_t
function_number (const struct places_writer *places, uint64_t function)
{
  size_t low = 0;
  size_t high = places->function_count;
  while (low < high)
    {
      const size_t middle = low + (high - low) / 2;
      if (places->functions[middle] < function)
	low = middle + 1;
      else
	high = middle;
    }
  return low < places->function_count && places->functions[low] == function
	   ? low + 1
	   : 0;
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
      byte_writer_uleb128 (&places->lists, calls[i].column);
      byte_writer_uleb128 (&places->lists,
			   function_number (places, calls[i].callee));
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

static int
compare_members (const void *element1, const void *element2)
{
  const struct member *member1 = element1;
  const struct member *member2 = element2;
  const int result = compare_numbers (member1->file, member2->file);
  return result != 0 ? result
		     : compare_numbers (member1->function, member2->function);
}

/* Write the file of the members from FIRST on.  Return the first member after
   them.  */
static size_t
write_file (struct places_writer *places, size_t first)
{
  const struct member *members = places->members;
  struct byte_writer list = { 0 };
  size_t end = first;
  uint32_t before = 0;
  for (; end < places->member_count && members[end].file == members[first].file;
       end++)
    {
      byte_writer_uleb128 (&list, members[end].function - before);
      before = members[end].function;
    }
  byte_writer_uleb128 (&places->files,
		       write_path (places, members[first].file));
  byte_writer_uleb128 (&places->files, list.size);
  byte_writer_bytes (&places->files, list.data, list.size);
  places->files.failed |= list.failed;
  byte_writer_free (&list);
  return end;
}

static void
write_lists (struct places_writer *places)
{
  for (size_t i = 0; i < places->count;)
    i = write_function (places, i);
  if (places->member_count > 1)
    qsort (places->members, places->member_count, sizeof *places->members,
	   compare_members);
  for (size_t i = 0; i < places->member_count;)
    i = write_file (places, i);
}

static void
append (struct byte_writer *writer, struct byte_writer *part)
{
  byte_writer_bytes (writer, part->data, part->size);
  writer->failed |= part->failed;
  byte_writer_free (part);
}

void
heapprof_places_write (struct byte_writer *writer,
		       const struct heap_profile *profile,
		       const struct canonical_order *order)
{
  struct places_writer places = { .profile = profile, .order = order };
  struct byte_writer block = { 0 };
  if (order->frames.count <= 1)
    return;
  places.paths = calloc (order->strings.count, sizeof *places.paths);
  writer->failed |= places.paths == NULL || !collect_calls (&places)
		    || !collect_functions (&places);
  if (!writer->failed)
    write_lists (&places);
  byte_writer_u64 (&block, places.function_count);
  byte_writer_u64 (&block, places.lists.size);
  byte_writer_u64 (&block, places.files.size);
  append (&block, &places.guids);
  append (&block, &places.offsets);
  append (&block, &places.lists);
  append (&block, &places.files);
  append (&block, &places.texts);
  /* Offsets have 32 bits.  */
  if (block.size < UINT32_MAX)
    append (writer, &block);
  byte_writer_free (&block);
  free (places.callees);
  free (places.calls);
  free (places.functions);
  free (places.members);
  free (places.paths);
}
