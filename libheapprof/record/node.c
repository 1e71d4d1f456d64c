/* What of a context is in memory: links to its children or its MIB.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "node.h"
#include "sys.h"

#define NODES_MAX ((size_t) 1 << 29)
#define NODES_MIN ((size_t) 1 << 12)

/* One return address for this many nodes is more than any program has.  */
#define NODES_PER_SITE 4

#define FIRST_SLOTS 128u

struct rt_node *rt_nodes;
uint64_t *rt_sites;

/* Addresses are reserved for so many; pages are allocated when touched.  */
static size_t node_capacity;

/* The sites by address: an open hash table, with 0 in unused entries.  Only
   writers use it.  */
static struct
{
  uint32_t *entries;
  uint32_t slots; /* a power of two */
  uint32_t count; /* of sites, number 0 included */
} sites;

/* Return the entry of ADDRESS, or the unused one where it would be.  */

static uint32_t *
find_site (uint64_t address)
{
  uint32_t slot = (uint32_t) (address * UINT64_C (0x9e3779b97f4a7c15) >> 32);
  for (;; slot++)
    {
      uint32_t *const entry = &sites.entries[slot & (sites.slots - 1)];
      if (*entry == 0 || rt_sites[*entry] == address)
	return entry;
    }
}

static bool
use_slots (uint32_t slots)
{
  uint32_t *const fresh = sys_map (slots * sizeof *fresh);
  if (fresh == NULL)
    return false;
  if (sites.entries != NULL)
    sys_unmap (sites.entries, sites.slots * sizeof *sites.entries);
  sites.entries = fresh;
  sites.slots = slots;
  for (uint32_t i = 1; i < sites.count; i++)
    *find_site (rt_sites[i]) = i;
  return true;
}

/* Return the site of ADDRESS, a new one if there is none; 0 if there is no
   space.  */

static uint32_t
site_of (uint64_t address)
{
  uint32_t *entry = find_site (address);
  if (*entry != 0)
    return *entry;
  if (sites.count == node_capacity / NODES_PER_SITE)
    return 0;
  if (sites.count >= sites.slots / 2)
    {
      if (!use_slots (sites.slots * 2) && sites.count >= sites.slots / 8 * 7)
	return 0;
      entry = find_site (address);
    }
  rt_sites[sites.count] = address;
  *entry = sites.count;
  return sites.count++;
}

bool
rt_node_prepare (uint32_t number, uint64_t address)
{
  if (number >= node_capacity)
    return false;
  rt_nodes[number].site = site_of (address);
  return rt_nodes[number].site != 0;
}

uint64_t
rt_nodes_bytes (uint32_t count)
{
  return (uint64_t) count * sizeof rt_nodes[0]
	 + (uint64_t) sites.count * sizeof rt_sites[0]
	 + (uint64_t) sites.slots * sizeof sites.entries[0];
}

/* Reserve addresses for COUNT nodes.  */

static bool
reserve (size_t count)
{
  const size_t bytes = count * sizeof rt_nodes[0];
  rt_nodes = sys_map (bytes);
  if (rt_nodes == NULL)
    return false;
  rt_sites = sys_map (count / NODES_PER_SITE * sizeof rt_sites[0]);
  if (rt_sites == NULL)
    sys_unmap (rt_nodes, bytes);
  node_capacity = count;
  return rt_sites != NULL;
}

bool
rt_nodes_start (void)
{
  const uint64_t share = sys_memory_limit () / 32;
  size_t count = NODES_MAX;
  while (count > NODES_MIN && count * sizeof rt_nodes[0] > share)
    count /= 2;
  while (!reserve (count))
    if ((count /= 2) < NODES_MIN)
      return false;
  sites.count = 1;
  return use_slots (FIRST_SLOTS);
}
