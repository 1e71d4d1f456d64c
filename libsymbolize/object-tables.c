/* The virtual tables of an object file by address.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "object-tables.h"
#include "object-layout.h"
#include <stdlib.h>
#include <string.h>

/* Prefix of a table's name in the C++ ABI.  */
#define PREFIX "_ZTV"

static bool
add_table (void *closure, const char *name, uint64_t address, uint64_t bytes,
	   bool is_code)
{
  struct virtual_tables *tables = closure;
  if (is_code || bytes == 0 || strncmp (name, PREFIX, strlen (PREFIX)) != 0)
    return true;
  if (tables->count == tables->capacity)
    {
      size_t capacity = tables->capacity > 0 ? 2 * tables->capacity : 64;
      void *grown = realloc (tables->tables, capacity * sizeof *tables->tables);
      if (grown == NULL)
	return false;
      tables->tables = grown;
      tables->capacity = capacity;
    }
  tables->tables[tables->count++]
    = (struct virtual_table){ address, address + bytes, name };
  return true;
}

static int
compare_tables (const void *a, const void *b)
{
  const struct virtual_table *x = a;
  const struct virtual_table *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return strcmp (x->name, y->name);
}

bool
virtual_tables_read (struct virtual_tables *tables, struct object_file *file)
{
  *tables = (struct virtual_tables){ 0 };
  if (!object_visit_symbols (file, add_table, tables))
    {
      virtual_tables_release (tables);
      return false;
    }
  if (tables->count > 0)
    qsort (tables->tables, tables->count, sizeof *tables->tables,
	   compare_tables);
  return true;
}

void
virtual_tables_release (struct virtual_tables *tables)
{
  free (tables->tables);
  *tables = (struct virtual_tables){ 0 };
}

const struct virtual_table *
virtual_tables_find (const struct virtual_tables *tables, uint64_t address)
{
  size_t low = 0;
  size_t high = tables->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (tables->tables[middle].start <= address)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == 0 || address >= tables->tables[low - 1].end)
    return NULL;
  return &tables->tables[low - 1];
}
