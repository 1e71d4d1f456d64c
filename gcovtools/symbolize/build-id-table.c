/* Build IDs of files by path, as listed in a recording.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "build-id-table.h"
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 64

struct build_id_entry
{
  char *path; /* malloced */
  size_t path_bytes;
  uint8_t build_id[MOST_BYTES];
  size_t size;
};

const uint8_t *
build_id_table_find (const struct build_id_table *table, const char *path,
		     size_t n, size_t *size)
{
  for (size_t i = 0; i < table->count; i++)
    {
      const struct build_id_entry *entry = &table->entries[i];
      if (entry->path_bytes == n && memcmp (entry->path, path, n) == 0)
	{
	  *size = entry->size;
	  return entry->build_id;
	}
    }
  *size = 0;
  return NULL;
}

bool
build_id_table_add (struct build_id_table *table, const char *path, size_t n,
		    const uint8_t *build_id, size_t size)
{
  size_t known;
  if (size == 0 || size > MOST_BYTES
      || build_id_table_find (table, path, n, &known) != NULL)
    return true;
  if (table->count == table->capacity)
    {
      size_t capacity = table->capacity > 0 ? 2 * table->capacity : 16;
      void *grown = realloc (table->entries, capacity * sizeof *table->entries);
      if (grown == NULL)
	return false;
      table->entries = grown;
      table->capacity = capacity;
    }
  struct build_id_entry *entry = &table->entries[table->count];
  entry->path = strndup (path, n);
  if (entry->path == NULL)
    return false;
  entry->path_bytes = n;
  memcpy (entry->build_id, build_id, size);
  entry->size = size;
  table->count++;
  return true;
}

void
build_id_table_release (struct build_id_table *table)
{
  for (size_t i = 0; i < table->count; i++)
    free (table->entries[i].path);
  free (table->entries);
  *table = (struct build_id_table){ 0 };
}
