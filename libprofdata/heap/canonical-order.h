/* The canonical order in which a profile's tables are written.
   SPDX-License-Identifier: GPL-3.0-or-later

   Ids depend on the order in which a profile was filled; files must not.
   Therefore strings are sorted by their bytes, frames by their fields, and
   contexts are numbered in preorder with the callees of a node sorted by frame.
   Only what wanted contexts use is counted.  */

#ifndef HEAPPROF_CANONICAL_ORDER_H
#define HEAPPROF_CANONICAL_ORDER_H

#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Ids in order, and the place of each id.  The first entry of each table is id
   0: the empty string, the unknown frame, the root.  */
struct canonical_table
{
  uint32_t *ids;
  uint32_t count;
  uint32_t *places; /* by id; UINT32_MAX if not counted */
};

struct canonical_order
{
  struct canonical_table strings;
  struct canonical_table frames;
  struct canonical_table contexts;
};

/* Order the contexts of PROFILE for which WANTED, indexed by context, is true.
   If it is true for a context, it must be true for its caller.  Return false if
   memory is exhausted; *ORDER must be freed in any case.  */
bool canonical_order_make (struct canonical_order *order,
			   const struct heap_profile *profile,
			   const bool *wanted);
void canonical_order_free (struct canonical_order *order);

#endif /* HEAPPROF_CANONICAL_ORDER_H */
