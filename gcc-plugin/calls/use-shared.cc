/* Lists that share equal tails.
   SPDX-License-Identifier: GPL-3.0-or-later

   A profile has thousands of calling contexts, most of which reach main by the
   same few paths.  Lists, innermost frame first, whose equal tails are the same
   nodes take little memory, and little space in LTO objects.  */

#include "gcc-compat.h"
#include "use-shared.h"

struct shared_node_hash : nofree_ptr_hash<tree_node>
{
  static hashval_t hash (const tree node)
  {
    hashval_t hash = iterative_hash_object (TREE_PURPOSE (node), 0);
    hash = iterative_hash_object (TREE_VALUE (node), hash);
    return iterative_hash_object (TREE_CHAIN (node), hash);
  }
  static bool equal (const tree a, const tree b)
  {
    return (TREE_PURPOSE (a) == TREE_PURPOSE (b)
	    && TREE_VALUE (a) == TREE_VALUE (b)
	    && TREE_CHAIN (a) == TREE_CHAIN (b));
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
  tree node = tree_cons (purpose, value, rest);

  if (!nodes)
    nodes = new hash_table<shared_node_hash> (1021);
  tree *slot = nodes->find_slot (node, INSERT);
  if (*slot)
    {
      ggc_free (node);
      return *slot;
    }
  *slot = node;
  all_nodes = tree_cons (NULL_TREE, node, all_nodes);
  return node;
}

tree
use_shared_number (uint64_t number)
{
  return build_int_cstu (long_long_unsigned_type_node, number);
}
