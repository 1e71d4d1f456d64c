/* Counts of pairs of addresses in spaces, which are processes at a time, or
   object files.
   SPDX-License-Identifier: GPL-3.0-or-later

   A recording has tens of millions of branches, but thousands of different
   ones; each is looked up here and nowhere else.  */

#ifndef HEAPPROF_ADDRESS_PAIRS_H
#define HEAPPROF_ADDRESS_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

struct address_pair
{
  uint64_t first;
  uint64_t second;
  uint64_t count; /* not 0, unless the entry is free */
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

/* Add COUNT, not 0, to the pair FIRST and SECOND in SPACE.  False if memory is
   exhausted.  */
bool address_pairs_add (struct address_pairs *pairs, uint32_t space,
			uint64_t first, uint64_t second, uint64_t count);

/* Make the entries of PAIRS a list without gaps, its count at SLOTS, by space
   and addresses; nothing can be added then.  */
void address_pairs_sort (struct address_pairs *pairs);

#endif /* HEAPPROF_ADDRESS_PAIRS_H */
