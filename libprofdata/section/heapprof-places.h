/* The heapprof section: where the functions of the heap profile are, and what
   they call, so that a compiler finds those of one function, or of one file,
   without reading all frames.
   SPDX-License-Identifier: GPL-3.0-or-later

     functions	u64 number, u64 bytes of the lists, u64 bytes of the files
     GUIDs	u64 each, ascending
     offsets	u32 each: of the function's list in the lists
     lists	number of places * 2 + 1 if it has a frame without a line; each
		place: path, start line, number of calls, each call: line
		offset - the previous one (the first: - 0), column in LLVM's
		part, number of the called function + 1, 0 if it is unknown
     files	each: path, bytes of its functions, each function: number - the
		previous one (the first: - 0)
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

/* The parts of a block.  */
struct heapprof_places_block
{
  uint64_t count; /* of functions */
  struct byte_reader guids;
  struct byte_reader offsets;
  struct byte_reader lists;
  struct byte_reader files; /* not read yet */
  struct byte_reader paths;
};

/* Open READER.  Return false if the block is damaged.  */
bool heapprof_places_open (struct heapprof_places_block *block,
			   const struct byte_reader *reader);

/* Return true if the function GUID has a list.  */
bool heapprof_places_have (const struct heapprof_places_block *block,
			   uint64_t guid);

/* The places of a function.  */
struct heapprof_places
{
  const struct heapprof_places_block *block;
  struct byte_reader list;
  uint64_t left;
  bool has_no_line; /* a frame has neither line nor column: its module has no
		       line numbers */
};

/* Find those of the function GUID in BLOCK, which must outlive the result.
   Return false if it has none, or if the block is damaged.  */
bool heapprof_places_find (const struct heapprof_places_block *block,
			   uint64_t guid, struct heapprof_places *places);

struct heapprof_place
{
  const char *path; /* in the memory of the block */
  uint32_t start_line;
  uint64_t calls_left;
  uint64_t line_offset; /* of the last call */
};

/* Read the next of PLACES into *PLACE.  Return false after the last one, or if
   the block is damaged.  */
bool heapprof_places_next (struct heapprof_places *places,
			   struct heapprof_place *place);

struct heapprof_place_call
{
  uint64_t line_offset;
  uint32_t column;
  uint64_t callee; /* number + 1; 0: unknown */
};

/* Read the next call of PLACE, the last of PLACES that was read, into *CALL.
   All have to be read before the next place.  Return false after the last one,
   or if the block is damaged.  */
bool heapprof_places_next_call (struct heapprof_places *places,
				struct heapprof_place *place,
				struct heapprof_place_call *call);

/* Return the GUID of what CALL, of BLOCK, calls; 0 if unknown.  */
uint64_t heapprof_places_callee (const struct heapprof_places_block *block,
				 const struct heapprof_place_call *call);

struct heapprof_places_file
{
  const char *path;
  struct byte_reader functions;
  uint64_t number; /* of the last function */
};

/* Read the next file of BLOCK into *FILE.  Return false after the last one, or
   if the block is damaged.  */
bool heapprof_places_next_file (struct heapprof_places_block *block,
				struct heapprof_places_file *file);

/* Store the next function of FILE, of BLOCK, in *GUID.  Return false after the
   last one, or if the block is damaged.  */
bool heapprof_places_next_function (const struct heapprof_places_block *block,
				    struct heapprof_places_file *file,
				    uint64_t *guid);

#endif /* HEAPPROF_HEAPPROF_PLACES_H */
