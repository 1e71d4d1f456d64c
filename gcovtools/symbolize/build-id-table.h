/* Build IDs of files by path, as listed in a recording.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_BUILD_ID_TABLE_H
#define HEAPPROF_BUILD_ID_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct build_id_entry;

/* All zeros is an empty table.  */
struct build_id_table
{
  struct build_id_entry *entries;
  size_t count;
  size_t capacity;
};

/* Add copies of the path of N bytes and its build ID of SIZE bytes, unless the
   path has one already.  Return false if memory is exhausted.  */
bool build_id_table_add (struct build_id_table *table, const char *path,
			 size_t n, const uint8_t *build_id, size_t size);

/* Return the build ID, *SIZE bytes, of the path of N bytes; set *SIZE to 0 if
   there is none.  */
const uint8_t *build_id_table_find (const struct build_id_table *table,
				    const char *path, size_t n, size_t *size);

void build_id_table_release (struct build_id_table *table);

#endif /* HEAPPROF_BUILD_ID_TABLE_H */
