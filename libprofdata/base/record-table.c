/* Numbered records that never move.
   SPDX-License-Identifier: GPL-3.0-or-later

   The first records are in small blocks, since most tables are small; records
   from FIRST_LARGE on are in blocks of FIRST_LARGE records.  */

#include "record-table.h"
#include "large-memory.h"
#include <stdlib.h>
#include <string.h>

#define SMALL_SHIFT 8
#define SMALL_RECORDS (1u << SMALL_SHIFT)
#define LARGE_SHIFT 14
#define FIRST_LARGE (1u << LARGE_SHIFT)
#define SMALL_BLOCKS (FIRST_LARGE / SMALL_RECORDS)

/* Least number of large blocks allocated at once: a single block would waste
   part of its last huge page, while untouched memory costs nothing.  */
#define RUN_BLOCKS 8

void
record_table_init (struct record_table *table, size_t record_bytes)
{
  *table = (struct record_table){ .record_bytes = record_bytes,
				  .first_run = RUN_BLOCKS };
}

static size_t
block_of (uint32_t index)
{
  return index < FIRST_LARGE ? index >> SMALL_SHIFT
			     : SMALL_BLOCKS - 1 + (index >> LARGE_SHIFT);
}

void
record_table_expect (struct record_table *table, uint32_t count)
{
  const uint32_t blocks = count >> LARGE_SHIFT;
  if (table->count <= FIRST_LARGE && blocks > RUN_BLOCKS)
    table->first_run = blocks;
}

/* Return the number of blocks of TABLE allocated together with BLOCK; 0 if
   BLOCK was allocated with an earlier one.  */
static size_t
run_blocks (const struct record_table *table, size_t block)
{
  if (block < SMALL_BLOCKS)
    return 1;
  size_t large = block - SMALL_BLOCKS;
  if (large < table->first_run)
    return large == 0 ? table->first_run : 0;
  return (large - table->first_run) % RUN_BLOCKS == 0 ? RUN_BLOCKS : 0;
}

uint32_t
record_table_contiguous (const struct record_table *table, uint32_t index)
{
  const uint32_t end = FIRST_LARGE + (table->first_run << LARGE_SHIFT);
  return index < FIRST_LARGE || index >= end ? 1 : end - index;
}

static size_t
block_bytes (const struct record_table *table, size_t block)
{
  return (block < SMALL_BLOCKS ? SMALL_RECORDS : FIRST_LARGE)
	 * table->record_bytes;
}

void
record_table_free (struct record_table *table)
{
  size_t count = table->count ? block_of (table->count - 1) + 1 : 0;
  for (size_t i = 0; i < count; i++)
    if (run_blocks (table, i) > 0)
      large_memory_free (table->blocks[i],
			 run_blocks (table, i) * block_bytes (table, i));
  free (table->blocks);
  record_table_init (table, table->record_bytes);
}

/* Append an empty block.  Return 0 if memory is exhausted.  */
static int
add_block (struct record_table *table)
{
  size_t count = block_of (table->count);
  if (count == table->block_capacity)
    {
      size_t capacity = count + count / 2 + 8;
      char **blocks = realloc (table->blocks, capacity * sizeof *blocks);
      if (!blocks)
	return 0;
      table->blocks = blocks;
      table->block_capacity = capacity;
    }
  size_t bytes = block_bytes (table, count);
  size_t run = run_blocks (table, count);
  table->blocks[count] = run > 0 ? large_memory_allocate (run * bytes)
				 : table->blocks[count - 1] + bytes;
  return table->blocks[count] != NULL;
}

void *
record_table_add (struct record_table *table)
{
  uint32_t index = table->count;
  if (index == UINT32_MAX)
    return NULL;
  uint32_t in_block = index < FIRST_LARGE ? SMALL_RECORDS : FIRST_LARGE;
  if (index % in_block == 0 && !add_block (table))
    return NULL;
  table->count++;
  return record_table_get (table, index);
}

void *
record_table_get (const struct record_table *table, uint32_t index)
{
  char *block = table->blocks[block_of (index)];
  uint32_t in_block = index < FIRST_LARGE ? SMALL_RECORDS : FIRST_LARGE;
  return block + (index & (in_block - 1)) * table->record_bytes;
}

uint32_t *
record_order (uint32_t count, record_comparer *compare, const void *data)
{
  uint32_t *order = malloc ((count + (size_t) 1) * sizeof *order);
  if (!order)
    return NULL;
  for (uint32_t i = 0; i < count; i++)
    order[i] = i;
  /* qsort_r takes no const pointer.  */
  qsort_r (order, count, sizeof *order, compare, (void *) data);
  return order;
}
