/* A tree of calling contexts, interned: nodes that are found by their caller
   and their frame.
   SPDX-License-Identifier: GPL-3.0-or-later

   A profile has millions of nodes, so one is two numbers in one array, and the
   hash table has a number for each.  */

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
  uint32_t *slots;	/* number of a node, 0 if free; a power of two;
			   NULL: dropped */
  uint32_t found_count; /* nodes that have slots */
  uint32_t slot_mask;
};

/* Make *TABLE of the root alone.  False if memory cannot be had; *TABLE is to
   be freed in any case.  */
bool context_table_init (struct context_table *table);
void context_table_free (struct context_table *table);

/* Find or make the node for FRAME called from CALLER.  Return its number, or
   UINT32_MAX if memory or numbers are exhausted.  */
uint32_t context_table_add (struct context_table *table, uint32_t caller,
			    uint32_t frame);

/* Make room for COUNT nodes in all, or for as many of which most will not be
   looked for.  False if memory cannot be had.  */
bool context_table_reserve (struct context_table *table, uint64_t count);
bool context_table_reserve_nodes (struct context_table *table, uint64_t count);

/* Add a node that is known not to be there and will not be looked for before
   slots are dropped.  */
uint32_t context_table_append (struct context_table *table, uint32_t caller,
			       uint32_t frame);

/* Free what nodes are found by.  When one is added to *TABLE it is made again,
   for all of them.  */
void context_table_drop_slots (struct context_table *table);

#endif /* HEAPPROF_CONTEXT_TABLE_H */
