/* Readers of raw profiles: heapprof's, mapped and packed, and those of LLVM's
   MemProf.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof/raw-packed.h"
#include "heap-profile.h"
#include "memprof-raw.h"
#include "raw-packer.h"
#include "raw-profile.h"
#include "reader.h"
#include "write-again.h"
#include <stdlib.h>
#include <string.h>

static volatile uint64_t sink;

/* ---- heapprof's raw profiles.  */

/* Use all data that the library returns.  */
static void
look_at_raw (const struct raw_profile *profile)
{
  sink += strlen (raw_profile_program_name (profile));
  sink += raw_profile_header (profile)->pid;
  sink += raw_profile_in_flight_count (profile);
  uint32_t segments = raw_profile_segment_count (profile);
  for (uint32_t i = 0; i < segments; i++)
    {
      const struct heapprof_raw_segment *segment
	= raw_profile_segment (profile, i);
      sink += strlen (raw_profile_segment_path (profile, i));
      for (uint32_t j = 0; j < segment->build_id_bytes; j++)
	sink += segment->build_id[j];
    }
  uint32_t contexts = raw_profile_context_count (profile);
  for (uint32_t i = 0; i < contexts; i++)
    {
      int64_t segment = raw_profile_find_segment (profile, i);
      struct memory_info info;
      struct raw_interpreted frame;
      if (segment < -1 || segment >= (int64_t) segments)
	reader_fail ("a context in a segment that does not exist");
      if (raw_profile_interpreted (profile, i, &frame))
	sink += strlen (frame.function) + strlen (frame.file) + frame.line
		+ frame.first_line;
      if (raw_profile_context_info (profile, i, &info))
	sink += info.alloc_count + info.unfinished_count;
      /* The callers must end at the root.  */
      for (uint32_t at = i; at != 0;
	   at = raw_profile_context (profile, at)->parent)
	sink++;
    }
}

/* If IS_DONE, write HEAP.  Free it.  CHOICE chooses the options.  */
static bool
write_heap (struct heap_profile *heap, bool is_done, size_t choice,
	    struct profile_error *err)
{
  const struct profile profile = { .heap = heap };
  is_done = (is_done || profile_error_set_memory (err, READER_PATH))
	    && write_indexed_again (&profile, (unsigned int) choice, err)
	    && write_yaml_again (heap, err);
  heap_profile_free (heap);
  return is_done;
}

/* Return the node of HEAP for context CONTEXT of RAW and its callers, whose
   frames have only addresses; UINT32_MAX if memory is exhausted.  */
static uint32_t
add_context (const struct raw_profile *raw, uint32_t context,
	     struct heap_profile *heap)
{
  uint32_t stack[64];
  size_t depth = 0;
  uint32_t node = 0;
  for (; context != 0 && depth < sizeof stack / sizeof *stack;
       context = raw_profile_context (raw, context)->parent)
    stack[depth++] = context;
  while (depth > 0 && node != UINT32_MAX)
    {
      const struct heap_frame frame
	= { .function_guid
	    = raw_profile_context (raw, stack[--depth])->return_address };
      uint32_t id = heap_profile_add_frame (heap, &frame);
      node = id == UINT32_MAX ? UINT32_MAX
			      : heap_profile_add_context (heap, node, id);
    }
  return node;
}

/* Add the first 100 contexts of RAW to HEAP.  */
static bool
fold_raw (const struct raw_profile *raw, struct heap_profile *heap)
{
  uint32_t count = raw_profile_context_count (raw);
  for (uint32_t i = 1; i < count && i < 100; i++)
    {
      struct memory_info info;
      if (!raw_profile_context_info (raw, i, &info))
	continue;
      uint32_t node = add_context (raw, i, heap);
      if (node == UINT32_MAX || !heap_profile_add_info (heap, node, &info))
	return false;
    }
  return true;
}

static bool
read_raw (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct raw_profile *profile
    = raw_profile_parse (READER_PATH, data, size, err);
  reader_has_read ();
  if (!profile)
    return false;
  look_at_raw (profile);
  struct heap_profile *heap = heap_profile_new ();
  bool is_done = heap && fold_raw (profile, heap);
  raw_profile_close (profile);
  return write_heap (heap, is_done, size, err);
}

/* Only the packed form has a checksum.  */
static unsigned char *
repair_raw (const unsigned char *data, size_t size, size_t *repaired_size)
{
  const size_t flags = offsetof (struct heapprof_packed_header, flags);
  if (size <= flags || !(data[flags] & HEAPPROF_RAW_PACKED))
    return NULL;
  unsigned char *repaired = reader_copy (data, size);
  raw_packed_repair (repaired, size);
  *repaired_size = size;
  return repaired;
}

const struct reader reader_raw
  = { .name = "raw",
      .recognise = raw_profile_has_magic,
      .read = read_raw,
      .repair = repair_raw,
      /* Two bytes of a packed profile can be a MIB of 264 with 32 more in
	 indexes; five bytes, one with live blocks, in an array that doubles.
	 MIBs are allocated in blocks of 256.  */
      .bounds = { 8192 + 256 * 264, 160 } };

/* ---- MemProf's raw profiles.  */

/* Read all of RAW into HEAP.  */
static bool
fold_memprof_raw (const struct memprof_raw *raw, struct heap_profile *heap)
{
  for (size_t dump = 0; dump < memprof_raw_dump_count (raw); dump++)
    {
      sink += memprof_raw_version (raw, dump);
      for (size_t i = 0; i < memprof_raw_segment_count (raw, dump); i++)
	{
	  struct memprof_raw_segment segment
	    = memprof_raw_segment_at (raw, dump, i);
	  for (size_t k = 0; k < segment.build_id_bytes; k++)
	    sink += segment.build_id[k];
	}
      struct memprof_raw_walk walk;
      struct memprof_raw_allocation allocation;
      memprof_raw_begin (raw, dump, &walk);
      while (memprof_raw_next (&walk, &allocation))
	{
	  struct memory_info info = memprof_raw_info (&walk, &allocation);
	  uint32_t context = 0;
	  for (uint32_t i = 0; i < allocation.histogram_count; i++)
	    sink += memprof_raw_histogram (&walk, &allocation, i);
	  for (uint64_t i = allocation.depth; i > 0; i--)
	    {
	      const struct heap_frame frame
		= { .function_guid = memprof_raw_address (&allocation, i - 1) };
	      uint32_t id = heap_profile_add_frame (heap, &frame);
	      if (id == UINT32_MAX)
		return false;
	      context = heap_profile_add_context (heap, context, id);
	      if (context == UINT32_MAX)
		return false;
	    }
	  if (context != 0 && !heap_profile_add_info (heap, context, &info))
	    return false;
	}
    }
  return true;
}

static bool
read_memprof_raw (const unsigned char *data, size_t size,
		  struct profile_error *err)
{
  struct memprof_raw *raw = memprof_raw_parse (READER_PATH, data, size, err);
  reader_has_read ();
  if (!raw)
    return false;
  struct heap_profile *heap = heap_profile_new ();
  bool is_done = heap && fold_memprof_raw (raw, heap);
  memprof_raw_close (raw);
  return write_heap (heap, is_done, size, err);
}

const struct reader reader_memprof_raw
  = { .name = "memprof-raw",
      .recognise = memprof_raw_has_magic,
      .read = read_memprof_raw,
      /* A dump of 48 bytes, or a stack of 16, takes less than 128, in arrays
	 that double.  */
      .bounds = { 8192, 8 } };
