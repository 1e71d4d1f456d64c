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
  const char *name; /* of its symbol, the object file's */
};

/* All zeros is none.  */
struct virtual_tables
{
  struct virtual_table *tables; /* by address */
  size_t count;
  size_t capacity;
};

/* Fill TABLES with those of FILE: what has a symbol that begins with `_ZTV'.
   False if memory is exhausted.  */
bool virtual_tables_read (struct virtual_tables *tables,
			  struct object_file *file);
void virtual_tables_release (struct virtual_tables *tables);

/* The one with ADDRESS; NULL if none has.  */
const struct virtual_table *
virtual_tables_find (const struct virtual_tables *tables, uint64_t address);

#endif /* HEAPPROF_OBJECT_TABLES_H */
