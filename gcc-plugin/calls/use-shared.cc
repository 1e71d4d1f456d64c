/* Lists that share equal tails.
   SPDX-License-Identifier: GPL-3.0-or-later

   A profile has thousands of calling contexts, most of which reach main by the
   same few paths.  Lists, innermost frame first, whose equal tails are the same
   nodes take little memory, and little space in LTO objects.  */

#include "gcc-compat.h"
#include "use-shared.h"

/* What makes a node unique.  */
struct node_parts
{
  tree purpose;
  tree value;
  tree rest;
};

static hashval_t
hash_parts (const node_parts &parts)
{
  uint64_t hash = 0;

  for (tree part : { parts.purpose, parts.value, parts.rest })
    {
      hash ^= reinterpret_cast<uintptr_t> (part);
      hash *= UINT64_C (0x9e3779b97f4a7c15);
      hash ^= hash >> 32;
    }
  return hash;
}

/* Nodes are looked up by their parts, as most exist already.  */
struct shared_node_hash : nofree_ptr_hash<tree_node>
{
  typedef node_parts compare_type;

  static hashval_t hash (const tree node)
  {
    return hash_parts ({ TREE_PURPOSE (node), TREE_VALUE (node),
			 TREE_CHAIN (node) });
  }
  static bool equal (const tree node, const node_parts &parts)
  {
    return (TREE_PURPOSE (node) == parts.purpose
	    && TREE_VALUE (node) == parts.value
	    && TREE_CHAIN (node) == parts.rest);
  }
};

static hash_table<shared_node_hash> *nodes;

/* All nodes, to keep those in the table from being garbage collected.  */
static tree all_nodes;

static const ggc_root_tab shared_roots[]
  = { { &all_nodes, 1, sizeof all_nodes, gt_ggc_mx_tree_node,
	gt_pch_nx_tree_node },
      LAST_GGC_ROOT_TAB };

void
use_shared_register_roots (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
		     const_cast<ggc_root_tab *> (shared_roots));
}

tree
use_shared_node (tree purpose, tree value, tree rest)
{
  const node_parts parts = { purpose, value, rest };

  if (!nodes)
    nodes = new hash_table<shared_node_hash> (1021);
  tree *slot = nodes->find_slot_with_hash (parts, hash_parts (parts), INSERT);
  if (!*slot)
    {
      *slot = tree_cons (purpose, value, rest);
      all_nodes = tree_cons (NULL_TREE, *slot, all_nodes);
    }
  return *slot;
}

tree
use_shared_number (uint64_t number)
{
  return build_int_cstu (long_long_unsigned_type_node, number);
}
