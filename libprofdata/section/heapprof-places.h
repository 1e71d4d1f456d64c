/* The heapprof section: where the functions of the heap profile are, so that a
   compiler finds those of one function without reading all frames.
   SPDX-License-Identifier: GPL-3.0-or-later

     functions	u64 number, u64 bytes of the lists
     GUIDs	u64 each, ascending
     offsets	u32 each: of the function's list in the lists
     lists	number of places * 2 + 1 if it has a frame without a line; each
		place: path, start line, number of line offsets, each: line
		offset - the previous one (the first: - 0)
     paths	each ends with a zero byte; a path is its offset here

   All numbers of the lists are ULEB128.  The block is always plain.  */

#ifndef HEAPPROF_HEAPPROF_PLACES_H
#define HEAPPROF_HEAPPROF_PLACES_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "canonical-order.h"
#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Append the block for PROFILE to WRITER, even if no function has a place, so
   that readers know; nothing if there are no frames, or too many.  WRITER fails
   if memory is exhausted.  */
void heapprof_places_write (struct byte_writer *writer,
			    const struct heap_profile *profile,
			    const struct canonical_order *order);

/* The places of a function.  */
struct heapprof_places
{
  struct byte_reader list;
  struct byte_reader paths;
  uint64_t left;
  bool has_no_line; /* a frame has neither line nor column: its module has no
		       line numbers */
};

/* Find those of the function GUID in BLOCK.  Return false if it has none, or if
   the block is damaged.  */
bool heapprof_places_find (const struct byte_reader *block, uint64_t guid,
			   struct heapprof_places *places);

struct heapprof_place
{
  const char *path; /* in the memory of the block */
  uint32_t start_line;
  bool has_call; /* in the line in question */
};

/* Read the next of PLACES into *PLACE: whether it has a call at LINE_OFFSET.
   Return false after the last one, or if the block is damaged.  */
bool heapprof_places_next (struct heapprof_places *places, uint32_t line_offset,
			   struct heapprof_place *place);

#endif /* HEAPPROF_HEAPPROF_PLACES_H */
