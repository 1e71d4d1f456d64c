/* A table of the live samples, by address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Blocks are near the place that their address leads to; those removed leave no
   gap before others that might be meant.  At least an eighth of the places is
   used, and at most half, so a block chosen by its place takes some tries.  */

#include "live-samples.h"
#include "sampling.h"
#include "sys.h"

#define LEAST_PLACES (SYS_PAGE_BYTES / sizeof (struct rt_block *))

static struct rt_block **places;
static uint32_t size;  /* of the table, a power of two; 0: none yet */
static uint32_t count; /* of blocks */
static uint64_t random_state;

static uint32_t
place_of (const struct rt_block *block)
{
  return rt_block_hash (block) & (size - 1);
}

static void
put (struct rt_block *block)
{
  uint32_t at = place_of (block);
  while (places[at] != NULL && places[at] != block)
    at = (at + 1) & (size - 1);
  count += places[at] == NULL;
  places[at] = block;
}

/* Make the table one of NEXT_SIZE places; false if there is no memory.  */

static bool
resize (uint32_t next_size)
{
  struct rt_block **const old = places;
  const uint32_t old_size = size;
  struct rt_block **const next = sys_map (next_size * sizeof *next);
  if (next == NULL)
    return false;
  places = next;
  size = next_size;
  count = 0;
  for (uint32_t i = 0; i < old_size; i++)
    if (old[i] != NULL)
      put (old[i]);
  if (old != NULL)
    sys_unmap (old, old_size * sizeof *old);
  return true;
}

bool
rt_live_add (struct rt_block *block)
{
  if (2 * count >= size && size <= UINT32_MAX / 4
      && !resize (size == 0 ? LEAST_PLACES : 2 * size) && count + 1 >= size)
    return false;
  put (block);
  return true;
}

/* Move the blocks after the free place AT up to it that may be there.  */

static void
close_gap (uint32_t at)
{
  const uint32_t mask = size - 1;
  for (uint32_t i = (at + 1) & mask; places[i] != NULL; i = (i + 1) & mask)
    if (((i - place_of (places[i])) & mask) >= ((i - at) & mask))
      {
	places[at] = places[i];
	places[i] = NULL;
	at = i;
      }
}

void
rt_live_remove (const struct rt_block *block)
{
  if (size == 0)
    return;
  uint32_t at = place_of (block);
  while (places[at] != block)
    {
      if (places[at] == NULL)
	return;
      at = (at + 1) & (size - 1);
    }
  places[at] = NULL;
  count--;
  close_gap (at);
  if (size > LEAST_PLACES && count < size / 8)
    resize (size / 2);
}

uint32_t
rt_live_count (void)
{
  return count;
}

struct rt_block *
rt_live_choose (void)
{
  struct rt_block *found = NULL;
  while (count > 0 && found == NULL)
    found = places[rt_sample_random (&random_state) & (size - 1)];
  return found;
}

void
rt_live_start (uint64_t seed)
{
  if (places != NULL)
    sys_unmap (places, size * sizeof *places);
  places = NULL;
  size = count = 0;
  random_state = seed;
}
