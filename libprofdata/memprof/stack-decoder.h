/* Reading the call stack array of MemProf versions 3 and 4 (stack-array.h).
   SPDX-License-Identifier: GPL-3.0-or-later

   Stacks share their outer frames in the array as contexts share their callers
   in a profile, so each element is one node of the context tree.  The node is
   created when a stack that contains it is first requested.  */

#ifndef HEAPPROF_STACK_DECODER_H
#define HEAPPROF_STACK_DECODER_H

#include "byte-reader.h"
#include "heap-profile.h"
#include "stack-array.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stack_decoder
{
  struct heap_profile *profile;
  const uint32_t *frames; /* ids in the profile, by number in the file */
  struct stack_array array;
  uint32_t *contexts; /* by element: its node, or 0 */
  uint32_t *depths;   /* by element: the depth of that node */
  size_t *path;	      /* elements of a stack, from the inside out */
  size_t steps_left;
};

/* Read the array of COUNT elements at ARRAY_OFFSET.  Return false if READER
   failed; DECODER must be freed in any case.  */
bool stack_decoder_init (struct stack_decoder *decoder,
			 struct byte_reader *reader, size_t array_offset,
			 size_t count, struct heap_profile *profile,
			 const uint32_t *frames, size_t frame_count);
void stack_decoder_free (struct stack_decoder *decoder);

/* Return the context of the stack whose length is at POSITION; 0 if READER
   failed.  */
uint32_t stack_decoder_context (struct stack_decoder *decoder,
				struct byte_reader *reader, uint32_t position);

#endif /* HEAPPROF_STACK_DECODER_H */
