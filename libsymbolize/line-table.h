/* All line tables of a file, combined.
   SPDX-License-Identifier: GPL-3.0-or-later

   symbolizer.h is for single addresses; this is for using every row of the
   debug information's line tables.  */

#ifndef HEAPPROF_LINE_TABLE_H
#define HEAPPROF_LINE_TABLE_H

#include "object-file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code from ADDRESS up to the next row belongs to LINE.  */
struct line_row
{
  uint64_t address;  /* p_vaddr */
  uint32_t file;     /* in the table's files */
  uint32_t line;     /* 0: no line */
  uint32_t number;   /* position in the debug information */
  bool is_statement; /* a statement starts here */
  bool is_end;	     /* the code ends here */
};

struct line_table
{
  struct line_row *rows; /* by address, then in original order */
  size_t count;
  size_t capacity;
  char **files; /* paths, without duplicates */
  size_t file_count;
  size_t file_capacity;
};

/* Read the line tables of FILE into TABLE, which must be all zeros; it has no
   rows without debug information.  Units whose table cannot be read are
   skipped.  Return false if memory is exhausted; TABLE must be released in any
   case.  */
bool line_table_read (struct line_table *table, struct object_file *file);
void line_table_release (struct line_table *table);

/* Return the first row of TABLE at ADDRESS or after; the number of rows if
   there is none.  */
size_t line_table_find (const struct line_table *table, uint64_t address);

#endif /* HEAPPROF_LINE_TABLE_H */
