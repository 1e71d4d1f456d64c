/* Text tables, and numbers formatted with units.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "table.h"
#include "plain-text.h"
#include "terminal.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table
{
  const struct table_column *columns;
  size_t column_count;
  size_t *widths;
  char **cells; /* row by row */
  size_t cell_count;
  size_t cell_capacity;
};

struct table *
table_new (const struct table_column *columns, size_t count)
{
  struct table *table = calloc (1, sizeof *table);
  if (table == NULL)
    return NULL;
  table->columns = columns;
  table->column_count = count;
  table->widths = calloc (count, sizeof *table->widths);
  if (table->widths == NULL)
    {
      free (table);
      return NULL;
    }
  for (size_t i = 0; i < count; i++)
    table->widths[i] = strlen (columns[i].title);
  return table;
}

void
table_free (struct table *table)
{
  if (table == NULL)
    return;
  for (size_t i = 0; i < table->cell_count; i++)
    free (table->cells[i]);
  free (table->cells);
  free (table->widths);
  free (table);
}

/* Return how many bytes the first COLUMNS characters of TEXT, valid UTF-8,
   take.  */
static size_t
bytes_of_columns (const char *text, size_t columns)
{
  size_t i = 0;
  for (; text[i] != '\0'; i++)
    if (((unsigned char) text[i] & 0xc0) != 0x80 && columns-- == 0)
      break;
  return i;
}

/* Return the number of characters in TEXT.  */
static size_t
count_columns (const char *text)
{
  size_t columns = 0;
  for (; *text != '\0'; text++)
    columns += ((unsigned char) *text & 0xc0) != 0x80;
  return columns;
}

bool
table_add (struct table *table, const char *text)
{
  if (table->cell_count == table->cell_capacity)
    {
      size_t capacity
	= table->cell_capacity > 0 ? 2 * table->cell_capacity : 64;
      void *grown = realloc (table->cells, capacity * sizeof *table->cells);
      if (grown == NULL)
	return false;
      table->cells = grown;
      table->cell_capacity = capacity;
    }
  char *copy = plain_text_copy (text, strlen (text), "");
  if (copy == NULL)
    return false;
  size_t *width = &table->widths[table->cell_count % table->column_count];
  size_t columns = count_columns (copy);
  if (columns > *width)
    *width = columns;
  table->cells[table->cell_count++] = copy;
  return true;
}

/* Print CELL of the last column, truncated to the width left on the
   terminal.  */
static void
print_last_cell (const struct table *table, const char *cell)
{
  size_t width = terminal_width ();
  size_t before = 0;
  for (size_t i = 0; i + 1 < table->column_count; i++)
    before += table->widths[i] + 2;
  size_t room = width > before ? width - before : 0;
  if (room > 3 && count_columns (cell) > room)
    printf ("%.*s...\n", (int) bytes_of_columns (cell, room - 3), cell);
  else
    puts (cell);
}

static void
print_cell (const struct table *table, size_t number, const char *cell)
{
  size_t fill = table->widths[number] - count_columns (cell);
  if (number + 1 == table->column_count)
    {
      print_last_cell (table, cell);
      return;
    }
  if (!table->columns[number].is_text)
    printf ("%*s", (int) fill, "");
  fputs (cell, stdout);
  if (table->columns[number].is_text)
    printf ("%*s", (int) fill, "");
  fputs ("  ", stdout);
}

void
table_print (const struct table *table)
{
  fputs (terminal_colour (TERMINAL_BOLD), stdout);
  for (size_t i = 0; i < table->column_count; i++)
    print_cell (table, i, table->columns[i].title);
  fputs (terminal_colour (TERMINAL_PLAIN), stdout);
  for (size_t i = 0; i < table->cell_count; i++)
    print_cell (table, i % table->column_count, table->cells[i]);
}

const char *
number_text (char *text, uint64_t number)
{
  char digits[NUMBER_TEXT_BYTES];
  int count = snprintf (digits, sizeof digits, "%" PRIu64, number);
  char *out = text;
  for (int i = 0; i < count; i++)
    {
      if (i > 0 && (count - i) % 3 == 0)
	*out++ = ',';
      *out++ = digits[i];
    }
  *out = '\0';
  return text;
}

struct unit
{
  double size;
  const char *name;
};

/* Write VALUE in the largest of UNITS, sorted ascending, that gives at least
   1.  */
static const char *
unit_text (char *text, double value, const struct unit *units, size_t count)
{
  size_t i = count - 1;
  /* 0.9995 prints as 1.000: use the next unit.  */
  while (i > 0 && value < units[i].size * 0.9995)
    i--;
  value /= units[i].size;
  int decimals = value >= 99.95 || (i == 0 && value == (double) (long) value)
		   ? 0
		 : value >= 9.995 ? 1
				  : 2;
  snprintf (text, NUMBER_TEXT_BYTES, "%.*f %s", decimals, value, units[i].name);
  return text;
}

const char *
bytes_text (char *text, double bytes)
{
  static const struct unit units[] = { { 1, "B" },
				       { 1024, "KiB" },
				       { 1048576, "MiB" },
				       { 1073741824, "GiB" },
				       { 1099511627776, "TiB" } };
  return unit_text (text, bytes, units, sizeof units / sizeof *units);
}

const char *
time_text (char *text, double nanoseconds)
{
  static const struct unit units[]
    = { { 1, "ns" },  { 1e3, "us" },   { 1e6, "ms" },
	{ 1e9, "s" }, { 6e10, "min" }, { 3.6e12, "h" } };
  return unit_text (text, nanoseconds, units, sizeof units / sizeof *units);
}

const char *
ratio_text (char *text, double ratio)
{
  if (ratio > 0 && ratio < 0.005)
    return strcpy (text, "<0.01");
  int decimals = ratio >= 99.95 ? 0 : ratio >= 9.995 ? 1 : 2;
  snprintf (text, NUMBER_TEXT_BYTES, "%.*f", decimals, ratio);
  return text;
}

const char *
percent_text (char *text, double percent)
{
  if (percent > 0 && percent < 0.5)
    strcpy (text, "<1%");
  else if (percent >= 99.5 && percent < 100)
    strcpy (text, ">99%");
  else
    snprintf (text, NUMBER_TEXT_BYTES, "%.0f%%", percent);
  return text;
}

const char *
share_text (char *text, double part, double whole)
{
  double percent = whole > 0 ? 100 * part / whole : 0;
  if (percent > 0 && percent < 0.05)
    return strcpy (text, "<0.1");
  if (percent >= 99.95 && percent < 100)
    return strcpy (text, ">99.9");
  snprintf (text, NUMBER_TEXT_BYTES, "%.1f", percent);
  return text;
}
