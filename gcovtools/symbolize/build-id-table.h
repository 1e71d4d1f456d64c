/* The build IDs of files by their paths, as a recording lists them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_BUILD_ID_TABLE_H
#define HEAPPROF_BUILD_ID_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct build_id_entry;

/* All zeros is empty.  */
struct build_id_table
{
  struct build_id_entry *entries;
  size_t count;
  size_t capacity;
};

/* Add copies of the build ID of SIZE bytes and the path of N, unless that has
   one already.  False if memory is exhausted.  */
bool build_id_table_add (struct build_id_table *table, const char *path,
			 size_t n, const uint8_t *build_id, size_t size);

/* The build ID, *SIZE bytes, of the path of N bytes; *SIZE is 0 if there is
   none.  */
const uint8_t *build_id_table_find (const struct build_id_table *table,
				    const char *path, size_t n, size_t *size);

void build_id_table_release (struct build_id_table *table);

#endif /* HEAPPROF_BUILD_ID_TABLE_H */
