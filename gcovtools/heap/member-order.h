/* Search for an order of class members that touches fewer cache lines.
   SPDX-License-Identifier: GPL-3.0-or-later

   The most accessed members come first, next to each other.  Members that share
   a word of the histogram stay together, since their accesses cannot be
   separated; what the compiler generates (bases, virtual table pointers) stays
   first, and open-ended members stay last.

   Cache lines are counted for an object that starts at a cache line, without
   data beyond its class.  */

#ifndef HEAPPROF_MEMBER_ORDER_H
#define HEAPPROF_MEMBER_ORDER_H

#include "type-sums.h"
#include <stdbool.h>
#include <stdint.h>

#define CACHE_LINE_BYTES 64

/* The lines counted below must have this share of all accesses.  */
#define CACHE_LINES_PERCENT 99

struct member_order
{
  uint32_t *members; /* member numbers in the new order; malloced */
  uint32_t count;
  uint64_t size; /* of the class in this order; 0: it is open-ended */
  /* The smallest number of an object's cache lines that together have
     CACHE_LINES_PERCENT of its accesses: currently, and in this order.  */
  uint32_t lines_before;
  uint32_t lines_after;
  bool is_better; /* fewer lines, or a smaller class */
};

/* Find an order for the members of SUM's type, a class with access counts.
   Return false if memory is exhausted; release *ORDER in any case.  */
bool member_order_find (struct member_order *order, const struct type_sum *sum);
void member_order_release (struct member_order *order);

#endif /* HEAPPROF_MEMBER_ORDER_H */
