/* The virtual tables of an object file by address.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_OBJECT_TABLES_H
#define HEAPPROF_OBJECT_TABLES_H

#include "object-file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct virtual_table
{
  uint64_t start;
  uint64_t end;	    /* after the last byte */
  const char *name; /* of its symbol, owned by the object file */
};

/* All zeros is empty.  */
struct virtual_tables
{
  struct virtual_table *tables; /* by address */
  size_t count;
  size_t capacity;
};

/* Fill TABLES with those of FILE: symbols whose names start with `_ZTV'.
   Return false if memory is exhausted.  */
bool virtual_tables_read (struct virtual_tables *tables,
			  struct object_file *file);
void virtual_tables_release (struct virtual_tables *tables);

/* Return the table that contains ADDRESS; NULL if none does.  */
const struct virtual_table *
virtual_tables_find (const struct virtual_tables *tables, uint64_t address);

#endif /* HEAPPROF_OBJECT_TABLES_H */
