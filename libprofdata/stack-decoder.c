/* Reading the call stack array of MemProf versions 3 and 4.
   SPDX-License-Identifier: GPL-3.0-or-later

   In a sane array each element has one depth: the number of frames from it
   outwards.  Made-up stacks can overlap in any way and would make a small file
   cost time and memory without bound, so the steps that find no node made
   before are limited to a multiple of the elements.  */

#include "stack-decoder.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS_PER_ELEMENT 8

bool
stack_decoder_init (struct stack_decoder *decoder, struct byte_reader *reader,
		    size_t array_offset, size_t count,
		    struct heap_profile *profile, const uint32_t *frames,
		    size_t frame_count)
{
  *decoder = (struct stack_decoder) {
    .profile = profile,
    .frames = frames,
    .frame_count = frame_count,
    .array_offset = array_offset,
    .count = count,
    .elements = calloc (count + 1, sizeof *decoder->elements),
    .contexts = calloc (count + 1, sizeof *decoder->contexts),
    .depths = calloc (count + 1, sizeof *decoder->depths),
    .path = calloc (count + 1, sizeof *decoder->path),
    .steps_left = count * MOST_STEPS_PER_ELEMENT
  };
  if (!decoder->elements || !decoder->contexts || !decoder->depths
      || !decoder->path)
    return byte_reader_fail_memory (reader);
  byte_reader_seek (reader, array_offset, "the call stacks");
  for (size_t i = 0; i < count; i++)
    decoder->elements[i] = byte_reader_u32 (reader, "the call stacks");
  return !reader->failed;
}

void
stack_decoder_free (struct stack_decoder *decoder)
{
  free (decoder->elements);
  free (decoder->contexts);
  free (decoder->depths);
  free (decoder->path);
}

static bool
fail_at (const struct stack_decoder *decoder, struct byte_reader *reader,
	 size_t position, const char *cause)
{
  return byte_reader_fail (reader, decoder->array_offset + 4 * position,
			   "call stack element %zu of %zu %s", position,
			   decoder->count, cause);
}

/* Follow a jump at *POSITION, if there is one, to the element of a frame.  */
static bool
find_frame (const struct stack_decoder *decoder, struct byte_reader *reader,
	    size_t *position)
{
  if (*position >= decoder->count)
    return fail_at (decoder, reader, *position, "is after the last");
  int32_t element = (int32_t) decoder->elements[*position];
  if (element < 0)
    {
      size_t distance = -(int64_t) element;
      if (distance >= decoder->count - *position)
	return fail_at (decoder, reader, *position, "jumps after the last");
      *position += distance;
      element = (int32_t) decoder->elements[*position];
      if (element < 0)
	return fail_at (decoder, reader, *position, "jumps again");
    }
  if ((size_t) element >= decoder->frame_count)
    return fail_at (decoder, reader, *position, "is no frame");
  return true;
}

/* Make the nodes of the N elements of the path, the last being the callee of
   CALLER, at DEPTH.  Return the first's, 0 if memory cannot be had.  */
static uint32_t
add_path (struct stack_decoder *decoder, struct byte_reader *reader, size_t n,
	  uint32_t caller, uint32_t depth)
{
  while (n > 0)
    {
      size_t position = decoder->path[--n];
      uint32_t frame = decoder->frames[decoder->elements[position]];
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
  if (position >= decoder->count)
    {
      byte_reader_fail (reader, reader->position - 4, "call stack %" PRIu32
			" of %zu elements", position, decoder->count);
      return 0;
    }
  uint32_t depth = decoder->elements[position];
  if (depth == 0 || depth > decoder->count)
    {
      fail_at (decoder, reader, position, "is no length of a stack");
      return 0;
    }
  size_t n = 0;
  for (size_t at = position + 1; depth > 0; depth--, at++)
    {
      if (!find_frame (decoder, reader, &at))
	return 0;
      if (decoder->contexts[at] != 0 && decoder->depths[at] == depth)
	return add_path (decoder, reader, n, decoder->contexts[at], depth);
      if (decoder->steps_left == 0)
	{
	  fail_at (decoder, reader, position, "makes more stacks overlap than "
		   "a writer does");
	  return 0;
	}
      decoder->steps_left--;
      decoder->path[n++] = at;
    }
  return add_path (decoder, reader, n, 0, 0);
}
