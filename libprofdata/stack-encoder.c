/* The call stack array of MemProf version 3.
   SPDX-License-Identifier: GPL-3.0-or-later

   The stacks come sorted from the outermost frame inwards, a stack before
   those that begin with it.  They are written from the last to the first and
   from the outermost frame inwards, so that a stack can refer back to what it
   shares with the stack before; at the end all is turned round.  */

#include "stack-encoder.h"
#include <stdlib.h>
#include <string.h>

struct encoder
{
  struct encoded_stacks *stacks;
  const struct llvm_records *records;
  uint32_t *places;		/* of the last stack's frames, outermost first */
  const uint32_t *last;		/* the last stack, innermost first */
  size_t last_count;
};

/* How many outermost frames FRAMES, of COUNT, has in common with the last
   stack.  */
static size_t
shared_frames (const struct encoder *encoder, const uint32_t *frames,
	       size_t count)
{
  size_t most = count < encoder->last_count ? count : encoder->last_count;
  size_t shared = 0;
  while (shared < most
	 && frames[count - 1 - shared]
	      == encoder->last[encoder->last_count - 1 - shared])
    shared++;
  return shared;
}

static void
append (struct encoded_stacks *stacks, uint32_t element)
{
  stacks->elements[stacks->count++] = element;
}

static void
encode_stack (struct encoder *encoder, uint32_t stack)
{
  struct encoded_stacks *stacks = encoder->stacks;
  size_t count;
  const uint32_t *frames = llvm_records_stack_frames (encoder->records, stack,
						      &count);
  size_t shared = shared_frames (encoder, frames, count);
  if (shared > 0)
    append (stacks, encoder->places[shared - 1] - (uint32_t) stacks->count);
  for (size_t i = shared; i < count; i++)
    {
      encoder->places[i] = stacks->count;
      append (stacks, frames[count - 1 - i]);
    }
  stacks->positions[stack] = stacks->count;
  append (stacks, count);
  encoder->last = frames;
  encoder->last_count = count;
}

static void
turn_round (struct encoded_stacks *stacks, size_t stack_count)
{
  for (size_t i = 0; i < stacks->count / 2; i++)
    {
      uint32_t element = stacks->elements[i];
      stacks->elements[i] = stacks->elements[stacks->count - 1 - i];
      stacks->elements[stacks->count - 1 - i] = element;
    }
  for (size_t i = 0; i < stack_count; i++)
    stacks->positions[i] = stacks->count - 1 - stacks->positions[i];
}

bool
stack_encoder_encode (struct encoded_stacks *stacks,
		      const struct llvm_records *records)
{
  memset (stacks, 0, sizeof *stacks);
  size_t stack_count = llvm_records_stack_count (records);
  size_t longest = 0;
  size_t most_elements = 0;
  for (size_t i = 0; i < stack_count; i++)
    {
      size_t count;
      llvm_records_stack_frames (records, i, &count);
      longest = count > longest ? count : longest;
      most_elements += count + 2;
    }
  if (most_elements > INT32_MAX)
    return false;
  struct encoder encoder = {
    .stacks = stacks,
    .records = records,
    .places = malloc ((longest + 1) * sizeof *encoder.places)
  };
  stacks->elements = malloc ((most_elements + 1) * sizeof *stacks->elements);
  stacks->positions = malloc ((stack_count + 1) * sizeof *stacks->positions);
  bool done = encoder.places && stacks->elements && stacks->positions;
  if (done)
    {
      for (size_t i = stack_count; i-- > 0;)
	encode_stack (&encoder, i);
      turn_round (stacks, stack_count);
    }
  free (encoder.places);
  return done;
}

void
stack_encoder_free (struct encoded_stacks *stacks)
{
  free (stacks->elements);
  free (stacks->positions);
}
