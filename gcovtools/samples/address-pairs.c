/* Counts of pairs of addresses in address spaces.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "address-pairs.h"
#include "number-sort.h"
#include "sample-profile.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 4096

void
address_pairs_release (struct address_pairs *pairs)
{
  free (pairs->slots);
  *pairs = (struct address_pairs){ 0 };
}

/* Return the entry of the pair, or the free slot for it.  */
static struct address_pair *
find_slot (const struct address_pairs *pairs, uint32_t space, uint64_t first,
	   uint64_t second)
{
  /* Contexts have branches in common, so the space counts as much.  */
  uint64_t key = (first ^ (second << 31 | second >> 33)
		  ^ space * UINT64_C (0xff51afd7ed558ccd))
		 * UINT64_C (0x9e3779b97f4a7c15);
  uint32_t mask = pairs->slot_count - 1;
  uint32_t slot = (uint32_t) (key >> 32) & mask;
  for (;; slot = (slot + 1) & mask)
    {
      struct address_pair *entry = &pairs->slots[slot];
      if (entry->count == 0
	  || (entry->first == first && entry->second == second
	      && entry->space == space))
	return entry;
    }
}

/* Double the capacity.  */
static bool
grow (struct address_pairs *pairs)
{
  struct address_pairs grown = { .count = pairs->count };
  if (pairs->slot_count > UINT32_MAX / 2)
    return false;
  grown.slot_count
    = pairs->slot_count > 0 ? 2 * pairs->slot_count : FIRST_SLOTS;
  grown.slots = calloc (grown.slot_count, sizeof *grown.slots);
  if (grown.slots == NULL)
    return false;
  for (uint32_t i = 0; i < pairs->slot_count; i++)
    {
      const struct address_pair *entry = &pairs->slots[i];
      if (entry->count != 0)
	*find_slot (&grown, entry->space, entry->first, entry->second) = *entry;
    }
  free (pairs->slots);
  *pairs = grown;
  return true;
}

/* Return the entry of the pair, which is added with count 0 if there is none:
   the caller sets it.  NULL if memory is exhausted.  */
static struct address_pair *
need_entry (struct address_pairs *pairs, uint32_t space, uint64_t first,
	    uint64_t second)
{
  if (pairs->count >= pairs->slot_count / 2 && !grow (pairs))
    return NULL;
  struct address_pair *entry = find_slot (pairs, space, first, second);
  if (entry->count == 0)
    {
      *entry = (struct address_pair){ first, second, 0, space };
      pairs->count++;
    }
  return entry;
}

bool
address_pairs_add (struct address_pairs *pairs, uint32_t space, uint64_t first,
		   uint64_t second, uint64_t count)
{
  struct address_pair *entry = need_entry (pairs, space, first, second);
  if (entry == NULL)
    return false;
  sample_count_add (&entry->count, count);
  return true;
}

bool
address_pairs_add_least (struct address_pairs *pairs, uint32_t space,
			 uint64_t first, uint64_t second, uint64_t count)
{
  struct address_pair *entry = need_entry (pairs, space, first, second);
  if (entry == NULL)
    return false;
  if (entry->count == 0 || count < entry->count)
    entry->count = count;
  return true;
}

/* A number to sort by, and the pair that it is of.  */
struct pair_key
{
  uint64_t number; /* first, for sorting */
  const struct address_pair *pair;
};

/* Sort the COUNT pairs at PAIRS, by their last part first.  */
static bool
sort_pairs (struct address_pair *pairs, uint32_t count)
{
  struct pair_key *keys = calloc (2 * (size_t) count, sizeof *keys);
  struct address_pair *sorted = calloc (count, sizeof *sorted);
  bool is_done = keys != NULL && sorted != NULL;
  for (uint32_t i = 0; i < count && is_done; i++)
    keys[i] = (struct pair_key){ pairs[i].second, &pairs[i] };
  for (unsigned int part = 0; part < 3 && is_done; part++)
    {
      for (uint32_t i = 0; i < count && part > 0; i++)
	keys[i].number = part == 1 ? keys[i].pair->first : keys[i].pair->space;
      number_sort (keys, keys + count, count, sizeof *keys);
    }
  for (uint32_t i = 0; i < count && is_done; i++)
    sorted[i] = *keys[i].pair;
  if (is_done)
    memcpy (pairs, sorted, count * sizeof *pairs);
  free (keys);
  free (sorted);
  return is_done;
}

bool
address_pairs_sort (struct address_pairs *pairs)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < pairs->slot_count; i++)
    if (pairs->slots[i].count != 0)
      pairs->slots[kept++] = pairs->slots[i];
  return kept == 0 || sort_pairs (pairs->slots, kept);
}
