/* An interned tree of calling contexts: nodes are looked up by caller and
   frame.
   SPDX-License-Identifier: GPL-3.0-or-later

   A profile has millions of nodes, so each is just two numbers in an array, and
   the hash table has one number for each.  */

#ifndef HEAPPROF_CONTEXT_TABLE_H
#define HEAPPROF_CONTEXT_TABLE_H

#include "context-node.h"
#include <stdbool.h>
#include <stdint.h>

struct context_table
{
  struct context_node *nodes; /* number 0 is the root */
  uint32_t count;
  uint32_t capacity;
  uint32_t *slots;	/* number of a node, 0 if free; their count is a power
			   of two; NULL: dropped */
  uint32_t found_count; /* nodes that have slots */
  uint32_t slot_mask;
};

/* Initialize *TABLE with only the root.  Return false if memory is
   exhausted; *TABLE must be freed in any case.  */
bool context_table_init (struct context_table *table);
void context_table_free (struct context_table *table);

/* Find or add the node for FRAME called from CALLER.  Return its number, or
   UINT32_MAX if memory or numbers are exhausted.  */
uint32_t context_table_add (struct context_table *table, uint32_t caller,
			    uint32_t frame);

/* Make room for COUNT nodes in total; context_table_reserve_nodes expects that
   most of them will not be looked up.  Return false if memory is exhausted.  */
bool context_table_reserve (struct context_table *table, uint64_t count);
bool context_table_reserve_nodes (struct context_table *table, uint64_t count);

/* Add a node that is known to be new and will not be looked up before the slots
   are dropped.  */
uint32_t context_table_append (struct context_table *table, uint32_t caller,
			       uint32_t frame);

/* Free the slots.  They are rebuilt for all nodes when one is added.  */
void context_table_drop_slots (struct context_table *table);

#endif /* HEAPPROF_CONTEXT_TABLE_H */
