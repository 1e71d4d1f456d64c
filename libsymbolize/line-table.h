/* The line tables of one file, all together.
   SPDX-License-Identifier: GPL-3.0-or-later

   symbolizer.h answers for single addresses; this is for those who want every
   row of the debug information's line tables.  */

#ifndef HEAPPROF_LINE_TABLE_H
#define HEAPPROF_LINE_TABLE_H

#include "object-file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From ADDRESS on, up to the next row, code is of LINE.  */
struct line_row
{
  uint64_t address;  /* p_vaddr */
  uint32_t file;     /* in the table's files */
  uint32_t line;     /* 0: of no line */
  uint32_t number;   /* in the order of the debug information */
  bool is_statement; /* a statement begins here */
  bool is_end;	     /* the code ends here */
};

struct line_table
{
  struct line_row *rows; /* by address, then as they were */
  size_t count;
  size_t capacity;
  char **files; /* paths; each is there once */
  size_t file_count;
  size_t file_capacity;
};

/* Read the line tables of FILE into TABLE, which is all zeros; no rows if there
   is no debug information.  Units whose table cannot be read are left out.
   False if memory is exhausted; release TABLE in any case.  */
bool line_table_read (struct line_table *table, struct object_file *file);
void line_table_release (struct line_table *table);

/* The first row of TABLE at ADDRESS or after; its count of rows if there is
   none.  */
size_t line_table_find (const struct line_table *table, uint64_t address);

#endif /* HEAPPROF_LINE_TABLE_H */
