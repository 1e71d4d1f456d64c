/* LLVM's view of a heap profile: numbering of stacks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "llvm-records-parts.h"
#include "preorder.h"
#include <stdlib.h>

/* Set WANTED, initially all false, for nodes of the tree that lead to
   stacks.  */
static void
find_wanted (const struct llvm_tree *tree, bool *wanted)
{
  for (uint32_t node = tree->contexts.count; node-- > 0;)
    {
      wanted[node] |= tree->roles[node] != 0;
      if (wanted[node])
	wanted[tree->contexts.nodes[node].caller] = true;
    }
}

/* Number the nodes: PLACES [node of the tree].  */
static bool
number (struct llvm_records *records, uint32_t *places)
{
  const struct llvm_tree *tree = &records->tree;
  uint32_t count = tree->contexts.count;
  bool *wanted = scratch_zeros (&records->scratch, count, sizeof *wanted);
  if (!wanted)
    return false;
  find_wanted (tree, wanted);
  records->node_count
    = preorder_number (tree->contexts.nodes, count, NULL, tree->frame_count,
		       wanted, places, records->tree_nodes, &records->scratch);
  return records->node_count > 0;
}

bool
llvm_stacks_number_nodes (struct llvm_records *records)
{
  const struct llvm_tree *tree = &records->tree;
  struct scratch *scratch = &records->scratch;
  uint32_t count = tree->contexts.count;
  records->nodes = scratch_take (scratch, count, sizeof *records->nodes);
  records->tree_nodes
    = scratch_take (scratch, count, sizeof *records->tree_nodes);
  struct scratch_mark mark = scratch_mark (scratch);
  uint32_t *places = scratch_take (scratch, count, sizeof *places);
  bool done = (records->nodes && records->tree_nodes && places
	       && number (records, places));
  for (uint32_t i = 0; done && i < records->node_count; i++)
    {
      const struct context_node *node
	= &tree->contexts.nodes[records->tree_nodes[i]];
      records->nodes[i]
	= (struct context_node){ places[node->caller], node->frame };
    }
  scratch_release (scratch, mark);
  return done;
}

/* Return true if a stack starts at NODE: blocks are allocated there, or it is
   known to be the call site of some function.  */
static bool
begins_stack (const struct llvm_records *records, uint32_t node)
{
  uint8_t role = llvm_records_role (records, node);
  if (role & (LLVM_HAS_INFO | LLVM_CALL_SITE | LLVM_GIVEN_CALL_SITE))
    return true;
  return (role & LLVM_ALLOCATING_CALL && records->nodes[node].caller != 0);
}

bool
llvm_stacks_number (struct llvm_records *records)
{
  records->stack_nodes = scratch_take (&records->scratch, records->node_count,
				       sizeof *records->stack_nodes);
  /* No stack is longer than this, and untouched memory costs nothing.  */
  records->list = malloc (records->node_count * sizeof *records->list);
  if (!records->stack_nodes || !records->list)
    return false;
  for (uint32_t i = 1; i < records->node_count; i++)
    if (begins_stack (records, i))
      records->stack_nodes[records->stack_count++] = i;
  return true;
}
