/* Memory for short-lived arrays.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "scratch.h"
#include "large-memory.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Arrays start at a cache line.  */
#define ALIGNMENT 64

struct scratch_block
{
  struct scratch_block *before;
  size_t bytes;	  /* including this header */
  size_t used;	  /* including this header */
  size_t touched; /* including this header; all bytes after it are zero */
};

#define HEAD_BYTES ALIGNMENT

void
scratch_init (struct scratch *scratch, size_t bytes)
{
  *scratch = (struct scratch){ .block_bytes = bytes };
}

static void
free_block (struct scratch_block *block)
{
  if (block)
    large_memory_free (block, block->bytes);
}

void
scratch_free (struct scratch *scratch)
{
  free_block (scratch->spare);
  while (scratch->last)
    {
      struct scratch_block *before = scratch->last->before;
      free_block (scratch->last);
      scratch->last = before;
    }
  scratch->spare = NULL;
}

/* Continue in a block with room for BYTES.  */
static bool
add_block (struct scratch *scratch, size_t bytes)
{
  struct scratch_block *block = scratch->spare;
  scratch->spare = NULL;
  if (block && block->bytes - HEAD_BYTES < bytes)
    {
      free_block (block);
      block = NULL;
    }
  if (!block)
    {
      size_t all
	= HEAD_BYTES
	  + (bytes > scratch->block_bytes ? bytes : scratch->block_bytes);
      block = large_memory_allocate (all);
      if (!block)
	return false;
      *block = (struct scratch_block){ .bytes = all, .touched = HEAD_BYTES };
    }
  block->used = HEAD_BYTES;
  block->before = scratch->last;
  scratch->last = block;
  return true;
}

/* Allocate COUNT elements; the last *CLEAN of their bytes are zero.  */
static void *
take (struct scratch *scratch, size_t count, size_t bytes, size_t *clean)
{
  if (bytes > 0 && count > SIZE_MAX / 4 / bytes)
    return NULL;
  size_t n = (count * bytes + ALIGNMENT) & -(size_t) ALIGNMENT;
  struct scratch_block *block = scratch->last;
  if ((!block || block->bytes - block->used < n) && !add_block (scratch, n))
    return NULL;
  block = scratch->last;
  char *place = (char *) block + block->used;
  block->used += n;
  size_t fresh
    = block->used > block->touched ? block->used - block->touched : 0;
  *clean = fresh < n ? fresh : n;
  if (fresh > 0)
    block->touched = block->used;
  return place;
}

void *
scratch_take (struct scratch *scratch, size_t count, size_t bytes)
{
  size_t clean;
  return take (scratch, count, bytes, &clean);
}

void *
scratch_zeros (struct scratch *scratch, size_t count, size_t bytes)
{
  size_t clean;
  char *place = take (scratch, count, bytes, &clean);
  size_t n = count * bytes;
  if (place && n > 0)
    {
      /* N rounded up, as when it was allocated.  */
      size_t taken = (n + ALIGNMENT) & -(size_t) ALIGNMENT;
      memset (place, 0, taken - clean < n ? taken - clean : n);
    }
  return place;
}

struct scratch_mark
scratch_mark (const struct scratch *scratch)
{
  return (struct scratch_mark){ scratch->last,
				scratch->last ? scratch->last->used : 0 };
}

void
scratch_release (struct scratch *scratch, struct scratch_mark mark)
{
  while (scratch->last != mark.block)
    {
      struct scratch_block *block = scratch->last;
      scratch->last = block->before;
      free_block (scratch->spare);
      scratch->spare = block;
    }
  if (mark.block)
    mark.block->used = mark.used;
}
