/* The placement class of each calling context in LLVM's part of a file, and the
   tokens of calls, so that a compiler finds those of a stack and of a call
   without reading all contexts (doc/profdata-extension.md).
   SPDX-License-Identifier: GPL-3.0-or-later

     count	u64
     stacks	COUNT u64: bits 4 to 63 of the stack's hash; bit 3 is 1 if a
		token decides; bits 0 to 2 are its enum placement_class; sorted
     calls	u64 each: bits 4 to 63 of the call's hash; bits 0 to 2 are its
		token (stack-tokens.h); sorted

   Another block has the groups of calls (stack-groups.h):

     calls	u64 each: bits 8 to 63 of the call's hash; bits 0 to 7 are the
		group of the hot blocks that it allocates; sorted

   A stack's hash is that of its frames, from the outermost one on; a call's is
   that of its frame, as if not inlined.  */

#ifndef HEAPPROF_STACK_CLASSES_H
#define HEAPPROF_STACK_CLASSES_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "heap-profile.h"
#include "llvm-records.h"
#include "placement.h"
#include <stdbool.h>
#include <stdint.h>

/* Return the hash of a stack whose innermost frame is in the function GUID, at
   PLACE, and whose other frames have the hash OUTER; 0 without others.  */
static inline uint64_t
stack_classes_hash (uint64_t outer, uint64_t guid, uint64_t place)
{
  uint64_t hash = (outer ^ guid) * UINT64_C (0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 32 ^ place) * UINT64_C (0xd6e8feb86659fd93);
  return hash ^ hash >> 32;
}

/* Return PLACE above: the line offset has 16 bits.  */
static inline uint64_t
stack_classes_place (uint32_t line_offset, uint32_t column, bool is_inline)
{
  return (uint64_t) line_offset << 33 | (uint64_t) column << 1 | is_inline;
}

/* Return the hash of the call in the function GUID.  */
static inline uint64_t
stack_classes_call_hash (uint64_t guid, uint32_t line_offset, uint32_t column)
{
  return stack_classes_hash (0, guid,
			     stack_classes_place (line_offset, column, false));
}

/* Append the block for RECORDS, which must still have their stacks, of PROFILE.
   Append that of groups, which may be empty, to GROUPS.  Return false if memory
   is exhausted.  */
bool stack_classes_write (struct byte_writer *writer,
			  struct byte_writer *groups,
			  const struct llvm_records *records,
			  const struct heap_profile *profile);

/* The two lists of a block.  */
struct stack_classes
{
  struct byte_reader stacks;
  struct byte_reader calls;
};

/* Divide BLOCK.  Both lists are empty if it is damaged.  */
void stack_classes_read (struct stack_classes *classes,
			 const struct byte_reader *block);

/* Return the class of the stack with HASH in CLASSES; PLACEMENT_UNKNOWN if it
   has none.  Store in *BY_TOKEN whether a token decides where its blocks go. */
enum placement_class stack_classes_find (const struct stack_classes *classes,
					 uint64_t hash, bool *by_token);

/* Return the token of the call with HASH in CLASSES; PLACEMENT_UNKNOWN if it
   has none.  */
enum placement_class
stack_classes_find_token (const struct stack_classes *classes, uint64_t hash);

/* Return the group of the call with HASH in GROUPS, the block of groups; 0 if
   it has none.  */
unsigned int stack_groups_find (const struct byte_reader *groups,
				uint64_t hash);

#endif /* HEAPPROF_STACK_CLASSES_H */
