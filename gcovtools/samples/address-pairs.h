/* Counts of pairs of addresses in address spaces: processes at some moment, or
   object files.
   SPDX-License-Identifier: GPL-3.0-or-later

   A recording has tens of millions of branches but only thousands of distinct
   ones; only these are looked up later.  */

#ifndef HEAPPROF_ADDRESS_PAIRS_H
#define HEAPPROF_ADDRESS_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

struct address_pair
{
  uint64_t first;
  uint64_t second;
  uint64_t count; /* not 0, unless the slot is free */
  uint32_t space;
};

/* All zeros is empty.  */
struct address_pairs
{
  struct address_pair *slots; /* SLOT_COUNT, a power of two */
  uint32_t slot_count;
  uint32_t count;
};

void address_pairs_release (struct address_pairs *pairs);

/* Add COUNT, not 0, to the pair FIRST and SECOND in SPACE.  Return false if
   memory is exhausted.  */
bool address_pairs_add (struct address_pairs *pairs, uint32_t space,
			uint64_t first, uint64_t second, uint64_t count);

/* The same, but set the count to the least COUNT of all calls.  */
bool address_pairs_add_least (struct address_pairs *pairs, uint32_t space,
			      uint64_t first, uint64_t second, uint64_t count);

/* Turn PAIRS into a list of COUNT entries at SLOTS, sorted by space and
   addresses.  Nothing can be added afterwards.  Return false if memory is
   exhausted.  */
bool address_pairs_sort (struct address_pairs *pairs);

#endif /* HEAPPROF_ADDRESS_PAIRS_H */
