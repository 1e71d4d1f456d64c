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
  size_t block_capacity; /* pointers that fit BLOCKS */
  size_t record_bytes;
  uint32_t count;
};

/* Make *TABLE empty, for records of RECORD_BYTES bytes.  */
void record_table_init (struct record_table *table, size_t record_bytes);
void record_table_free (struct record_table *table);

/* Append a record of zeros, numbered by the count before.  NULL if memory or
   numbers (UINT32_MAX is none) are exhausted.  */
void *record_table_add (struct record_table *table);

/* The record numbered INDEX, which is less than the count.  */
void *record_table_get (const struct record_table *table, uint32_t index);

/* Compare the records whose numbers, uint32_t, are at NUMBER1 and NUMBER2.  */
typedef int record_comparer (const void *number1, const void *number2,
			     void *data);

/* The numbers of COUNT records, malloced, sorted by COMPARE, which gets DATA
   and does not change it.  NULL if memory cannot be had.  */
uint32_t *record_order (uint32_t count, record_comparer *compare,
			const void *data);

#endif /* HEAPPROF_RECORD_TABLE_H */
