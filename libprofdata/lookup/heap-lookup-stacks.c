/* Reading the stacks of a single heap record from the file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-lookup-stacks.h"
#include "indexed-format.h"
#include "ondisk-hash.h"
#include <inttypes.h>
#include <stdlib.h>

/* A context takes at least 40 bytes of a file in versions 3 and 4.  The frames
   of a record never take more than about a gigabyte.  */
#define MOST_STEPS_PER_BYTE 32
#define MOST_STEPS (UINT32_C (1) << 25)

void *
heap_lookup_need (struct byte_reader *reader, void *array, size_t *capacity,
		  size_t needed, size_t element_bytes)
{
  if (needed <= *capacity)
    return array;
  size_t larger = needed < 16 ? 16 : needed + needed / 2;
  void *moved = realloc (array, larger * element_bytes);
  if (!moved)
    {
      byte_reader_fail_memory (reader);
      return array;
    }
  *capacity = larger;
  return moved;
}

void
heap_lookup_stacks_begin (struct heap_lookup_stacks *stacks,
			  const struct byte_reader *reader,
			  const struct memprof_section *section)
{
  stacks->file = *reader;
  stacks->section = section;
  stacks->count = 0;
  stacks->steps = (reader->end < MOST_STEPS / MOST_STEPS_PER_BYTE
		     ? reader->end * MOST_STEPS_PER_BYTE
		     : MOST_STEPS);
  if (section->version >= 3)
    stack_array_init (&stacks->array, &stacks->file, section->stack_array,
		      section->element_count, section->frame_count);
}

/* Read the frame at OFFSET and add it.  RECORD fails if the frame is
   invalid.  */
static void
add_frame (struct heap_lookup_stacks *stacks, struct byte_reader *record,
	   uint64_t offset)
{
  struct byte_reader reader = stacks->file;
  struct heap_frame frame;
  byte_reader_seek (&reader, offset, "a frame");
  if (memprof_section_read_frame (&reader, &frame))
    stacks->frames
      = heap_lookup_need (&reader, stacks->frames, &stacks->capacity,
			  stacks->count + 1, sizeof *stacks->frames);
  record->failed |= reader.failed;
  if (record->failed)
    return;
  stacks->frames[stacks->count++]
    = (struct heap_lookup_frame){ .function = frame.function_guid,
				  .line_offset = frame.line_offset & 0xffff,
				  .column = frame.column,
				  .is_inline = frame.is_inline };
}

/* ---- Versions 3 and 4.  */

/* Add the frames of the stack at POSITION, which RECORD has just read.  */
static void
add_array_stack (struct heap_lookup_stacks *stacks, struct byte_reader *record,
		 uint32_t position)
{
  const struct stack_array *array = &stacks->array;
  uint32_t left = stack_array_length (array, record, position);
  for (size_t at = position + (size_t) 1; left > 0; left--, at++)
    {
      if (!stack_array_find_frame (array, record, &at))
	return;
      if (stacks->steps == 0)
	{
	  stack_array_fail (array, record, position,
			    "makes too many stacks overlap");
	  return;
	}
      stacks->steps--;
      size_t frame = stack_array_element (array, at);
      add_frame (stacks, record,
		 (stacks->section->frame_array + frame * MEMPROF_FRAME_BYTES));
      if (record->failed)
	return;
    }
}

/* ---- Versions 0 to 2.  */

/* Add the frame with ID, which READER has just read.  */
static void
add_frame_of_id (struct heap_lookup_stacks *stacks, struct byte_reader *reader,
		 uint64_t id)
{
  struct byte_reader table = stacks->file;
  struct ondisk_hash_entry entry;
  bool found
    = ondisk_hash_look_up_key (&table, stacks->section->frame_table, true,
			       "the frames", id, &stacks->steps, &entry);
  reader->failed |= table.failed;
  if (!found)
    byte_reader_fail (reader, reader->position - 8,
		      "unknown frame ID 0x%" PRIx64, id);
  else if (entry.data_bytes != MEMPROF_FRAME_BYTES)
    byte_reader_fail (reader, entry.data_offset,
		      "invalid frame size %zu bytes (expected %d)",
		      entry.data_bytes, MEMPROF_FRAME_BYTES);
  else
    add_frame (stacks, reader, entry.data_offset);
}

/* Add the frames with the COUNT ids at READER's position.  */
static void
add_frames_of_ids (struct heap_lookup_stacks *stacks,
		   struct byte_reader *reader, uint64_t count)
{
  if (count == 0)
    byte_reader_fail (reader, reader->position, "stack without frames");
  byte_reader_need (reader, count, 8, "a stack");
  for (; count > 0 && !reader->failed; count--)
    add_frame_of_id (stacks, reader, byte_reader_u64 (reader, "a stack"));
}

/* Add the frames of the stack with ID, of version 2, which RECORD has just
   read.  */
static void
add_stack_of_id (struct heap_lookup_stacks *stacks, struct byte_reader *record,
		 uint64_t id)
{
  struct byte_reader table = stacks->file;
  struct ondisk_hash_entry entry;
  if (!ondisk_hash_look_up_key (&table, stacks->section->stack_table, false,
				"the stacks", id, &stacks->steps, &entry))
    {
      record->failed |= table.failed;
      byte_reader_fail (record, record->position - 8,
			"unknown stack ID 0x%" PRIx64, id);
      return;
    }
  byte_reader_seek (&table, entry.data_offset, "a stack");
  if (entry.data_bytes % 8 != 0)
    byte_reader_fail (&table, entry.data_offset,
		      "invalid stack size %zu bytes (expected a "
		      "multiple of 8)",
		      entry.data_bytes);
  add_frames_of_ids (stacks, &table, entry.data_bytes / 8);
  record->failed |= table.failed;
}

size_t
heap_lookup_stacks_read (struct heap_lookup_stacks *stacks,
			 struct byte_reader *record)
{
  static const char what[] = "the stack of a record";
  size_t before = stacks->count;
  uint32_t version = stacks->section->version;
  uint64_t word = version >= 3 ? byte_reader_u32 (record, what)
			       : byte_reader_u64 (record, what);
  if (record->failed)
    return 0;
  if (version >= 3)
    add_array_stack (stacks, record, word);
  else if (version == 2)
    add_stack_of_id (stacks, record, word);
  else
    add_frames_of_ids (stacks, record, word);
  return record->failed ? 0 : stacks->count - before;
}
