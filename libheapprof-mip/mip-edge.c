/* Counting calls per call site, on machines other than x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The probe at a function's entry calls the helper below, which looks for the
   edge in a table and counts the call.  On x86-64, call sites have counters
   instead: mip-pointer-call.c.

   An edge is at the place of its key, or at another one of the block of places
   there.  If another edge is at its own place and has fewer calls, they change
   places, so that the more frequent one is found without the helper; if it has
   more, the place next to it is tried, which takes the helper a few
   instructions.  If all places of the block are taken, the call is lost, and
   the edge with the fewest calls there loses one, too; when it has none left,
   the new edge replaces it.  So the most frequent edges stay, and the number of
   lost calls is exact.

   Nothing is locked: threads may lose calls that they count at the same time.
   This is linked only if a program has such probes.  */

#ifndef __x86_64__

#include "mip-runtime.h"
#include "mip-system.h"
#include "heapprof/mip.h"

#define PLACES 4096

/* The number of places in a block, a power of 2.  */
#define BLOCK 16

/* What an edge's key does not tell.  */
struct mip_edge_origin
{
  uint32_t slot; /* as in struct heapprof_mip_edge */
  uint32_t tag;	 /* of the called function */
};

/* Calls for which there is no room are counted after the last place.  */
#define MIP_EDGE_LOST PLACES

/* Edges seen so far, by place.  A key is the return address exclusive or the
   tag of the function; its lower bits are its place.  */
struct mip_edge_table
{
  uint64_t keys[PLACES]; /* 0: none */
  uint64_t calls[PLACES + 1];
  struct mip_edge_origin origins[PLACES];
};

/* Unused pages take no memory.  */
static struct mip_edge_table mip_edge_storage;

/* Put a new edge at PLACE, without calls.  */

static void
put (struct mip_edge_table *table, uint32_t place, uint64_t key,
     struct mip_edge_origin origin)
{
  table->calls[place] = 0;
  table->origins[place] = origin;
  __atomic_store_n (&table->keys[place], key, __ATOMIC_RELEASE);
}

/* Exchange the edges at PLACE and OTHER.  */

static void
exchange (struct mip_edge_table *table, uint32_t place, uint32_t other)
{
  const uint64_t key = table->keys[place], calls = table->calls[place];
  const struct mip_edge_origin origin = table->origins[place];
  put (table, place, table->keys[other], table->origins[other]);
  table->calls[place] = table->calls[other];
  put (table, other, key, origin);
  table->calls[other] = calls;
}

/* The edge whose own place is HOME is at PLACE.  Exchange it with the one at
   HOME, or next to it, that has fewer calls.  Return where it is then.  */

static uint32_t
come_home (struct mip_edge_table *table, uint32_t home, uint32_t place)
{
  for (uint32_t i = 0; i < 2 && (home ^ i) != place; i++)
    if (table->calls[home ^ i] < table->calls[place])
      {
	exchange (table, place, home ^ i);
	return home ^ i;
      }
  return place;
}

/* Return the place where to count a call with KEY, whose own place is HOME:
   that of its edge, which is new if necessary, or MIP_EDGE_LOST.  */

static uint32_t
find_place (uint64_t key, uint32_t home, struct mip_edge_origin origin)
{
  struct mip_edge_table *const table = &mip_edge_storage;
  uint32_t least = home;
  for (uint32_t i = 0; i < BLOCK; i++)
    {
      const uint32_t place = home ^ i;
      if (table->keys[place] == key)
	return come_home (table, home, place);
      if (table->keys[place] == 0)
	{
	  put (table, place, key, origin);
	  return place;
	}
      if (table->calls[place] < table->calls[least])
	least = place;
    }
  if (table->calls[least] <= 1)
    {
      table->calls[MIP_EDGE_LOST] += table->calls[least];
      put (table, least, key, origin);
      return least;
    }
  table->calls[least]--;
  table->calls[MIP_EDGE_LOST] += 1;
  return MIP_EDGE_LOST;
}

/* Copy the edges of TABLE to EDGES, which has room for all.  Return their
   number.  */

static size_t
copy_edges (struct heapprof_mip_edge *edges, const struct mip_edge_table *table)
{
  size_t count = 0;
  for (size_t i = 0; i < PLACES; i++)
    if (table->keys[i] != 0)
      edges[count++] = (struct heapprof_mip_edge){
	.return_address
	= table->keys[i] ^ (uint64_t) (int32_t) table->origins[i].tag,
	.slot = table->origins[i].slot,
	.calls = table->calls[i]
      };
  return count;
}

static void
copy_table (struct mip_image *image, struct heapprof_mip_chunk *chunk)
{
  const struct mip_edge_table *const table = &mip_edge_storage;
  const size_t record = sizeof (struct heapprof_mip_edge);
  const long address
    = mip_map (0, PLACES * record, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  const uint64_t link_address = (uint64_t) table - image->header.bias;
  image->edge_total.calls = table->calls[MIP_EDGE_LOST];
  *chunk = mip_edge_chunk (HEAPPROF_MIP_EDGES, link_address, 0);
  if (mip_is_error (address))
    {
      for (size_t i = 0; i < PLACES; i++)
	image->edge_total.calls += table->calls[i];
      return;
    }
  image->edges = (void *) address;
  image->edge_room = PLACES * record;
  const size_t count = copy_edges (image->edges, table);
  image->edge_total.calls += count;
  *chunk = mip_edge_chunk (HEAPPROF_MIP_EDGES, link_address, count * record);
}

static void
forget (void)
{
  own_memset (&mip_edge_storage, 0, sizeof mip_edge_storage);
}

/* Also named for objects to refer to.  */
const struct mip_edge_functions mip_edges __asm__(HEAPPROF_MIP_SYMBOL_EDGES)
  = { copy_table, forget };
const struct mip_edge_functions *mip_edge_functions = &mip_edges;

/* Count a call of the function whose slot is at ADDRESS.  Called only by the
   helper, with any register in use.  */

MIP_CALLED_BY_HELPER
void
mip_edge_count (uint64_t address, uint64_t return_address)
{
  struct mip_edge_table *const table = &mip_edge_storage;
  const uint32_t slot = (uint32_t) (address - (uint64_t) table);
  const struct mip_edge_origin origin = { slot, slot * 0x9e3779b1u };
  const uint64_t key = return_address ^ (uint64_t) (int32_t) origin.tag;
  const uint32_t home = (uint32_t) key % PLACES;
  if (table->keys[home] == key)
    table->calls[home]++;
  else
    table->calls[find_place (key, home, origin)]++;
}

MIP_HELPER (HEAPPROF_MIP_SYMBOL_EDGE, "mip_edge_count");

#endif
