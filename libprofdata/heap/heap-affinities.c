/* Affinities of heap profiles: which contexts' blocks are used together.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-affinities.h"
#include "heap-detail-tables.h"
#include "saturating.h"

static hashval_t
hash_affinity (const void *record)
{
  const struct heap_affinity *affinity = record;
  const uint32_t key[] = { affinity->first, affinity->second };
  return iterative_hash (key, sizeof key, 0);
}

static int
equal_affinity (const void *record1, const void *record2)
{
  const struct heap_affinity *affinity1 = record1;
  const struct heap_affinity *affinity2 = record2;
  return (affinity1->first == affinity2->first
	  && affinity1->second == affinity2->second);
}

bool
heap_details_add_affinity (struct heap_details *details, uint32_t one,
			   uint32_t other, uint64_t lines)
{
  const struct heap_affinity key
    = { one < other ? one : other, one < other ? other : one, 0 };
  bool is_new;
  struct heap_affinity *affinity
    = heap_details_find_or_add (&details->affinity_index, hash_affinity,
				equal_affinity, &details->affinities, &key,
				&is_new);
  if (!affinity)
    return false;
  affinity->lines = saturating_add (affinity->lines, lines);
  return true;
}

uint32_t
heap_details_affinity_count (const struct heap_details *details)
{
  return details->affinities.count;
}

const struct heap_affinity *
heap_details_affinity_at (const struct heap_details *details, uint32_t number)
{
  return record_table_get (&details->affinities, number);
}

bool
heap_affinities_merge (struct heap_details *details,
		       const struct heap_details *source,
		       const uint32_t *contexts)
{
  bool done = true;
  for (uint32_t i = 0; done && i < source->affinities.count; i++)
    {
      const struct heap_affinity *affinity
	= heap_details_affinity_at (source, i);
      done = heap_details_add_affinity (details, contexts[affinity->first],
					contexts[affinity->second],
					affinity->lines);
    }
  return done;
}

void
heap_affinities_scale (struct heap_details *details, uint64_t weight)
{
  for (uint32_t i = 0; i < details->affinities.count; i++)
    {
      struct heap_affinity *affinity
	= record_table_get (&details->affinities, i);
      affinity->lines = saturating_multiply (affinity->lines, weight);
    }
}
