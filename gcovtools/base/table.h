/* Text tables, and numbers formatted with units.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TABLE_H
#define HEAPPROF_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table_column
{
  const char *title;
  bool is_text; /* left-aligned */
};

struct table;

/* Make a table of COUNT columns, which must outlive it.  NULL if memory is
   exhausted.  */
struct table *table_new (const struct table_column *columns, size_t count);
void table_free (struct table *table);

/* Set the next cell, row by row, to TEXT, escaped as in plain-text.h.  Return
   false if memory is exhausted.  */
bool table_add (struct table *table, const char *text);

/* Print TABLE on standard output with its titles.  */
void table_print (const struct table *table);

/* These functions write to TEXT, of NUMBER_TEXT_BYTES, and return it.  */
#define NUMBER_TEXT_BYTES 40

/* 1234567 as 1,234,567.  */
const char *number_text (char *text, uint64_t number);

/* Bytes as 999 B, 1.2 KiB, 3.4 MiB ...  */
const char *bytes_text (char *text, double bytes);

/* Nanoseconds as 1.2 us, 3.4 ms, 5.6 s, 7.8 h.  */
const char *time_text (char *text, double nanoseconds);

/* A ratio with two or three significant digits, or <0.01.  */
const char *ratio_text (char *text, double ratio);

/* A percentage without decimals; values close to but not 0 or 100 are <1% and
   >99%.  */
const char *percent_text (char *text, double percent);

/* PART of WHOLE in percent with one decimal, without the sign; values close to
   but not 0 or 100 are <0.1 and >99.9.  0 of 0 is 0.0.  */
const char *share_text (char *text, double part, double whole);

#endif /* HEAPPROF_TABLE_H */
