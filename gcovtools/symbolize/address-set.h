/* A set of addresses in address spaces, numbered in the order of insertion.
   SPDX-License-Identifier: GPL-3.0-or-later

   A profile has millions of calling contexts but only thousands of distinct
   addresses; each is looked up once.  */

#ifndef HEAPPROF_ADDRESS_SET_H
#define HEAPPROF_ADDRESS_SET_H

#include <stdbool.h>
#include <stdint.h>

struct address_set_entry
{
  uint64_t address;
  uint32_t space;
};

struct address_set
{
  struct address_set_entry *entries; /* by number */
  uint32_t count;
  uint32_t capacity;
  uint32_t *slots; /* number plus 1, 0 if free; their count is a power of two */
  uint32_t slot_mask;
};

/* Make *SET empty.  Return false if memory is exhausted; free *SET in any
   case.  */
bool address_set_init (struct address_set *set);
void address_set_free (struct address_set *set);

/* Return the number of ADDRESS in SPACE, adding it if it is new; UINT32_MAX if
   memory is exhausted.  */
uint32_t address_set_add (struct address_set *set, uint32_t space,
			  uint64_t address);

#endif /* HEAPPROF_ADDRESS_SET_H */
