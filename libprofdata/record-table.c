/* Numbered records that never move.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "record-table.h"
#include <stdlib.h>
#include <string.h>

#define BLOCK_SHIFT 8
#define BLOCK_RECORDS (1u << BLOCK_SHIFT)

void
record_table_init (struct record_table *table, size_t record_bytes)
{
  *table = (struct record_table) { .record_bytes = record_bytes };
}

void
record_table_free (struct record_table *table)
{
  for (uint64_t i = 0; i < table->count; i += BLOCK_RECORDS)
    free (table->blocks[i >> BLOCK_SHIFT]);
  free (table->blocks);
  record_table_init (table, table->record_bytes);
}

/* Append an empty block.  Return 0 if memory cannot be had.  */
static int
add_block (struct record_table *table)
{
  size_t count = table->count >> BLOCK_SHIFT;
  if (count == table->block_capacity)
    {
      size_t capacity = count + count / 2 + 8;
      char **blocks = realloc (table->blocks, capacity * sizeof *blocks);
      if (!blocks)
	return 0;
      table->blocks = blocks;
      table->block_capacity = capacity;
    }
  table->blocks[count] = malloc (BLOCK_RECORDS * table->record_bytes);
  return table->blocks[count] != NULL;
}

void *
record_table_add (struct record_table *table)
{
  if (table->count == UINT32_MAX)
    return NULL;
  if (table->count % BLOCK_RECORDS == 0 && !add_block (table))
    return NULL;
  table->count++;
  return memset (record_table_get (table, table->count - 1), 0,
		 table->record_bytes);
}

void *
record_table_get (const struct record_table *table, uint32_t index)
{
  char *block = table->blocks[index >> BLOCK_SHIFT];
  return block + index % BLOCK_RECORDS * table->record_bytes;
}
