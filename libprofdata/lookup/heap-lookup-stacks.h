/* The stacks of a single heap record, found in the file.
   SPDX-License-Identifier: GPL-3.0-or-later

   Nothing of a stack is kept from one record to the next.  Made-up stacks can
   share their frames, and made-up tables their entries, in any way; so the
   frames and entries that one record may take are limited: to a multiple of the
   file's bytes, which stacks as deep as a profiler keeps do not reach, and to
   so many millions.  */

#ifndef HEAPPROF_HEAP_LOOKUP_STACKS_H
#define HEAPPROF_HEAP_LOOKUP_STACKS_H

#include "byte-reader.h"
#include "heap-lookup.h"
#include "memprof-section.h"
#include "stack-array.h"
#include <stddef.h>

struct heap_lookup_stacks
{
  struct byte_reader file; /* all of it */
  const struct memprof_section *section;
  struct stack_array array;	    /* versions 3 and 4 */
  struct heap_lookup_frame *frames; /* of all stacks of the record, malloced */
  size_t count;
  size_t capacity;
  size_t steps; /* frames and entries that are left */
};

/* Make room for NEEDED elements of ELEMENT_BYTES in ARRAY, malloced, which has
   room for *CAPACITY.  Return where it is then; if memory cannot be had, READER
   fails and ARRAY stays.  */
void *heap_lookup_need (struct byte_reader *reader, void *array,
			size_t *capacity, size_t needed, size_t element_bytes);

/* Begin a record, of the file of READER and SECTION.  Frames found before are
   forgotten.  */
void heap_lookup_stacks_begin (struct heap_lookup_stacks *stacks,
			       const struct byte_reader *reader,
			       const struct memprof_section *section);

/* Read which stack is next in RECORD, and add its frames.  Return how many, at
   least 1; 0 if RECORD failed.  */
size_t heap_lookup_stacks_read (struct heap_lookup_stacks *stacks,
				struct byte_reader *record);

#endif /* HEAPPROF_HEAP_LOOKUP_STACKS_H */
