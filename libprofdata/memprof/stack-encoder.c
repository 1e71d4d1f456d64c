/* Writing the call stack array of MemProf version 3.
   SPDX-License-Identifier: GPL-3.0-or-later

   The stacks lead from a node to the root of a tree whose nodes are numbered in
   preorder.  They are written from the last to the first and from the outermost
   frame inwards, each node once: a stack that reaches a node already written
   jumps there.  Finally the array is reversed.  */

#include "stack-encoder.h"
#include <stdlib.h>
#include <string.h>

#define NOT_WRITTEN UINT32_MAX

struct encoder
{
  struct encoded_stacks *stacks;
  const struct llvm_records *records;
  const struct context_node *nodes;
  uint32_t *places; /* of each node's element, or NOT_WRITTEN */
  uint32_t *depths; /* of each node: its distance from the root */
  uint32_t *path;   /* nodes of a stack that are to be written */
};

static void
append (struct encoded_stacks *stacks, uint32_t element)
{
  stacks->elements[stacks->count++] = element;
}

static void
encode_stack (struct encoder *encoder, uint32_t stack)
{
  struct encoded_stacks *stacks = encoder->stacks;
  uint32_t innermost = llvm_records_stack_node (encoder->records, stack);
  uint32_t node = innermost;
  size_t n = 0;
  for (; node != 0 && encoder->places[node] == NOT_WRITTEN;
       node = encoder->nodes[node].caller)
    encoder->path[n++] = node;
  if (node != 0)
    append (stacks, encoder->places[node] - (uint32_t) stacks->count);
  while (n > 0)
    {
      node = encoder->path[--n];
      encoder->places[node] = stacks->count;
      append (stacks, encoder->nodes[node].frame - 1);
    }
  stacks->positions[stack] = stacks->count;
  append (stacks, encoder->depths[innermost]);
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

static void
encode_stacks (struct encoder *encoder, size_t node_count, size_t stack_count)
{
  encoder->depths[0] = 0;
  for (size_t i = 1; i < node_count; i++)
    {
      encoder->depths[i] = encoder->depths[encoder->nodes[i].caller] + 1;
      encoder->places[i] = NOT_WRITTEN;
    }
  for (size_t i = stack_count; i-- > 0;)
    encode_stack (encoder, i);
  turn_round (encoder->stacks, stack_count);
}

bool
stack_encoder_encode (struct encoded_stacks *stacks,
		      struct llvm_records *records)
{
  memset (stacks, 0, sizeof *stacks);
  size_t stack_count = llvm_records_stack_count (records);
  size_t node_count = llvm_records_node_count (records);
  /* Each node once; a jump and a length for each stack.  */
  size_t most_elements = node_count + 2 * stack_count;
  if (most_elements > INT32_MAX)
    return false;
  struct scratch *scratch = llvm_records_scratch (records);
  struct scratch_mark mark = scratch_mark (scratch);
  struct encoder encoder
    = { .stacks = stacks,
	.records = records,
	.nodes = llvm_records_nodes (records),
	.places = scratch_take (scratch, node_count, sizeof *encoder.places),
	.depths = scratch_take (scratch, node_count, sizeof *encoder.depths),
	.path = scratch_take (scratch, node_count, sizeof *encoder.path) };
  stacks->elements = malloc ((most_elements + 1) * sizeof *stacks->elements);
  stacks->positions = malloc ((stack_count + 1) * sizeof *stacks->positions);
  bool done = (encoder.places && encoder.depths && encoder.path
	       && stacks->elements && stacks->positions);
  if (done)
    encode_stacks (&encoder, node_count, stack_count);
  scratch_release (scratch, mark);
  return done;
}

void
stack_encoder_free (struct encoded_stacks *stacks)
{
  free (stacks->elements);
  free (stacks->positions);
}
