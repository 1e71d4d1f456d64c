/* LLVM's view of a heap profile: the numbers of its stacks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "large-memory.h"
#include "llvm-records-parts.h"
#include "preorder.h"
#include <stdlib.h>

/* Which nodes of the tree lead to stacks.  */
static bool *
find_wanted (const struct llvm_tree *tree)
{
  bool *wanted = calloc (tree->contexts.count, sizeof *wanted);
  if (!wanted)
    return NULL;
  for (uint32_t node = tree->contexts.count; node-- > 0;)
    {
      wanted[node] |= tree->roles[node] != 0;
      if (wanted[node])
	wanted[tree->contexts.nodes[node].caller] = true;
    }
  return wanted;
}

bool
llvm_stacks_number_nodes (struct llvm_records *records)
{
  const struct llvm_tree *tree = &records->tree;
  uint32_t count = tree->contexts.count;
  bool *wanted = find_wanted (tree);
  uint32_t *places = malloc (count * sizeof *places);
  records->tree_nodes = malloc (count * sizeof *records->tree_nodes);
  if (wanted && places && records->tree_nodes)
    records->node_count
      = preorder_number (tree->contexts.nodes, count, NULL, tree->frame_count,
			 wanted, places, records->tree_nodes);
  free (wanted);
  if (records->node_count)
    records->nodes = large_memory_array (records->node_count,
					 sizeof *records->nodes);
  for (uint32_t i = 0; records->nodes && i < records->node_count; i++)
    {
      const struct context_node *node
	= &tree->contexts.nodes[records->tree_nodes[i]];
      records->nodes[i]
	= (struct context_node) { places[node->caller], node->frame };
    }
  free (places);
  return records->nodes != NULL;
}

/* Make room for the longest stack.  */
static bool
allocate_list (struct llvm_records *records)
{
  uint32_t *depths = calloc (records->node_count, sizeof *depths);
  if (!depths)
    return false;
  uint32_t longest = 0;
  for (uint32_t i = 1; i < records->node_count; i++)
    {
      depths[i] = depths[records->nodes[i].caller] + 1;
      longest = depths[i] > longest ? depths[i] : longest;
    }
  free (depths);
  records->list = malloc (((size_t) longest + 1) * sizeof *records->list);
  return records->list != NULL;
}

/* Does a stack begin at NODE, since blocks are allocated there, or since it is
   sure that it is the call site of some function?  */
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
  records->stack_nodes = malloc (records->node_count
				 * sizeof *records->stack_nodes);
  if (!records->stack_nodes || !allocate_list (records))
    return false;
  for (uint32_t i = 1; i < records->node_count; i++)
    if (begins_stack (records, i))
      records->stack_nodes[records->stack_count++] = i;
  return true;
}
