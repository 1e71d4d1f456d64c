/* Numbered records that never move.
   SPDX-License-Identifier: GPL-3.0-or-later

   Records are kept in blocks, so that a hash table may point at them while
   the table grows.  */

#ifndef HEAPPROF_RECORD_TABLE_H
#define HEAPPROF_RECORD_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct record_table
{
  char **blocks;
  size_t block_capacity; /* number of pointers that fit in BLOCKS */
  size_t record_bytes;
  uint32_t count;
  uint32_t first_run; /* number of large blocks that are contiguous */
};

/* Make *TABLE an empty table of records of RECORD_BYTES bytes.  */
void record_table_init (struct record_table *table, size_t record_bytes);
void record_table_free (struct record_table *table);

/* Append a zeroed record, whose number is the previous count.  NULL if memory
   or numbers are exhausted (UINT32_MAX is not used).  */
void *record_table_add (struct record_table *table);

/* There will probably be at most COUNT records: most of them will be contiguous
   in memory.  Memory for records that are not added costs nothing.  */
void record_table_expect (struct record_table *table, uint32_t count);

/* Return for how many records there is contiguous memory from INDEX on, which
   must be less than the count.  */
uint32_t record_table_contiguous (const struct record_table *table,
				  uint32_t index);

/* Return record number INDEX, which must be less than the count.  */
void *record_table_get (const struct record_table *table, uint32_t index);

/* Compare the records whose numbers, uint32_t, are at NUMBER1 and NUMBER2.  */
typedef int record_comparer (const void *number1, const void *number2,
			     void *data);

/* Return the numbers of COUNT records, malloced, sorted by COMPARE, which gets
   DATA and must not modify it.  NULL if memory is exhausted.  */
uint32_t *record_order (uint32_t count, record_comparer *compare,
			const void *data);

#endif /* HEAPPROF_RECORD_TABLE_H */
