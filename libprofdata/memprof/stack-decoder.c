/* Reading the call stack array of MemProf versions 3 and 4.
   SPDX-License-Identifier: GPL-3.0-or-later

   In a valid array each element has one depth: the number of frames from it
   outwards.  Forged stacks can overlap in any way, so that a small file could
   cost unbounded time and memory.  Therefore the steps that find no existing
   node are limited to a multiple of the number of elements.  */

#include "stack-decoder.h"
#include <stdlib.h>

#define MOST_STEPS_PER_ELEMENT 8

bool
stack_decoder_init (struct stack_decoder *decoder, struct byte_reader *reader,
		    size_t array_offset, size_t count,
		    struct heap_profile *profile, const uint32_t *frames,
		    size_t frame_count)
{
  *decoder = (struct stack_decoder){
    .profile = profile,
    .frames = frames,
    .contexts = calloc (count + 1, sizeof *decoder->contexts),
    .depths = calloc (count + 1, sizeof *decoder->depths),
    .path = calloc (count + 1, sizeof *decoder->path),
    .steps_left = count * MOST_STEPS_PER_ELEMENT
  };
  if (!decoder->contexts || !decoder->depths || !decoder->path)
    return byte_reader_fail_memory (reader);
  return stack_array_init (&decoder->array, reader, array_offset, count,
			   frame_count);
}

void
stack_decoder_free (struct stack_decoder *decoder)
{
  free (decoder->contexts);
  free (decoder->depths);
  free (decoder->path);
}

/* Create the nodes of the N elements of the path, the last of which is the
   callee of CALLER, at DEPTH.  Return the node of the first, 0 if memory is
   exhausted.  */
static uint32_t
add_path (struct stack_decoder *decoder, struct byte_reader *reader, size_t n,
	  uint32_t caller, uint32_t depth)
{
  while (n > 0)
    {
      size_t position = decoder->path[--n];
      uint32_t frame
	= decoder->frames[stack_array_element (&decoder->array, position)];
      caller = heap_profile_add_context (decoder->profile, caller, frame);
      if (caller == UINT32_MAX)
	{
	  byte_reader_fail_memory (reader);
	  return 0;
	}
      decoder->contexts[position] = caller;
      decoder->depths[position] = ++depth;
    }
  return caller;
}

uint32_t
stack_decoder_context (struct stack_decoder *decoder,
		       struct byte_reader *reader, uint32_t position)
{
  const struct stack_array *array = &decoder->array;
  uint32_t depth = stack_array_length (array, reader, position);
  if (depth == 0)
    return 0;
  size_t n = 0;
  for (size_t at = position + 1; depth > 0; depth--, at++)
    {
      if (!stack_array_find_frame (array, reader, &at))
	return 0;
      if (decoder->contexts[at] != 0 && decoder->depths[at] == depth)
	return add_path (decoder, reader, n, decoder->contexts[at], depth);
      if (decoder->steps_left == 0)
	{
	  stack_array_fail (array, reader, position,
			    "makes too many stacks overlap");
	  return 0;
	}
      decoder->steps_left--;
      decoder->path[n++] = at;
    }
  return add_path (decoder, reader, n, 0, 0);
}
