/* Cells of comma-separated values, which spreadsheets take as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CSV_TEXT_H
#define HEAPPROF_CSV_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Write BEFORE and TEXT as a cell to OUT.  */
void csv_write_cell (const char *before, const char *text, FILE *out);

/* The same in parts: write BEFORE and start a cell whose text starts with TEXT;
   write the N bytes at TEXT, a part of it; end it by a quotation mark.  */
void csv_begin_cell (const char *before, const char *text, FILE *out);
void csv_write_part (const char *text, size_t n, FILE *out);

#endif /* HEAPPROF_CSV_TEXT_H */
