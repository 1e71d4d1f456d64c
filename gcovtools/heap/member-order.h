/* An order of a class's members in which fewer cache lines are touched.
   SPDX-License-Identifier: GPL-3.0-or-later

   What is accessed most goes first, so that it lies together.  Members that
   share a word of the histogram, whose accesses nobody can tell apart, stay
   together as they are; what the compiler made, bases and pointers to virtual
   tables, stays in front, and what goes on behind the class stays last.

   All is said of an object that begins where a cache line does, without what is
   behind its class.  */

#ifndef HEAPPROF_MEMBER_ORDER_H
#define HEAPPROF_MEMBER_ORDER_H

#include "type-sums.h"
#include <stdbool.h>
#include <stdint.h>

#define CACHE_LINE_BYTES 64

/* Of all accesses, how many the lines counted below have to have.  */
#define CACHE_LINES_PERCENT 99

struct member_order
{
  uint32_t *members; /* numbers of the type's members, in the new
			order; malloced */
  uint32_t count;
  uint64_t size; /* of the class then; 0: a member goes on */
  /* The fewest lines of an object that together have CACHE_LINES_PERCENT of
     its accesses: as it is, and in this order.  */
  uint32_t lines_before;
  uint32_t lines_after;
  bool is_better; /* fewer lines, or a smaller class */
};

/* Find an order for the members of SUM's type, which has words and is a class.
   False if memory is exhausted; release *ORDER in any case.  */
bool member_order_find (struct member_order *order, const struct type_sum *sum);
void member_order_release (struct member_order *order);

#endif /* HEAPPROF_MEMBER_ORDER_H */
