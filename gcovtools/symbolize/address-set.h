/* A set of addresses in address spaces, numbered in the order in which they
   were first added.
   SPDX-License-Identifier: GPL-3.0-or-later

   Calling contexts are millions, the addresses in them thousands; each is
   looked up once.  */

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
  uint32_t *slots; /* number plus 1, 0 if free; a power of two */
  uint32_t slot_mask;
};

/* Make *SET empty.  False if memory is exhausted; *SET is to be freed in any
   case.  */
bool address_set_init (struct address_set *set);
void address_set_free (struct address_set *set);

/* Add ADDRESS in SPACE, or find it; its number, UINT32_MAX if memory is
   exhausted.  */
uint32_t address_set_add (struct address_set *set, uint32_t space,
			  uint64_t address);

#endif /* HEAPPROF_ADDRESS_SET_H */
