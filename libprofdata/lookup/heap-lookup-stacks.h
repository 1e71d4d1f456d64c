/* Reading the stacks of a single heap record from the file.
   SPDX-License-Identifier: GPL-3.0-or-later

   Nothing is kept from one record to the next.  Forged stacks can share their
   frames, and forged tables their entries, in any way; so the frames and
   entries that one record may use are limited: to a multiple of the file's
   size, which stacks as deep as a profiler records do not reach, and to a fixed
   maximum.  */

#ifndef HEAPPROF_HEAP_LOOKUP_STACKS_H
#define HEAPPROF_HEAP_LOOKUP_STACKS_H

#include "byte-reader.h"
#include "heap-lookup.h"
#include "memprof-section.h"
#include "stack-array.h"
#include <stddef.h>

struct heap_lookup_stacks
{
  struct byte_reader file; /* the complete file */
  const struct memprof_section *section;
  struct stack_array array;	    /* versions 3 and 4 */
  struct heap_lookup_frame *frames; /* of all stacks of the record, malloced */
  size_t count;
  size_t capacity;
  size_t steps; /* frames and entries that may still be read */
};

/* Make room for NEEDED elements of ELEMENT_BYTES in ARRAY, malloced, which has
   room for *CAPACITY.  Return its new address; if memory is exhausted, READER
   fails and ARRAY is unchanged.  */
void *heap_lookup_need (struct byte_reader *reader, void *array,
			size_t *capacity, size_t needed, size_t element_bytes);

/* Start a record, of the file of READER and SECTION.  Drop the frames of the
   previous one.  */
void heap_lookup_stacks_begin (struct heap_lookup_stacks *stacks,
			       const struct byte_reader *reader,
			       const struct memprof_section *section);

/* Read a reference to a stack from RECORD, and add the frames of the stack.
   Return their number, at least 1; 0 if RECORD failed.  */
size_t heap_lookup_stacks_read (struct heap_lookup_stacks *stacks,
				struct byte_reader *record);

#endif /* HEAPPROF_HEAP_LOOKUP_STACKS_H */
