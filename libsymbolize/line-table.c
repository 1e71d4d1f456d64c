/* All line tables of a file, combined.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "line-table.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libiberty/hashtab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of the reader.  */
struct reader
{
  struct line_table *table;
  htab_t numbers; /* struct named_file by its path */
  uint64_t bias;
  const char *directory; /* of the unit; NULL: unknown */
  const char *last;	 /* libdw's name for the file of the last row */
  uint32_t last_file;
};

struct named_file
{
  const char *path; /* in the table */
  uint32_t number;
};

static hashval_t
hash_file (const void *entry)
{
  return htab_hash_string (((const struct named_file *) entry)->path);
}

static int
equal_files (const void *a, const void *b)
{
  const struct named_file *one = a;
  const struct named_file *other = b;
  return strcmp (one->path, other->path) == 0;
}

void
line_table_release (struct line_table *table)
{
  for (size_t i = 0; i < table->file_count; i++)
    free (table->files[i]);
  free (table->files);
  free (table->rows);
  memset (table, 0, sizeof *table);
}

/* Make room for more than COUNT elements of SIZE bytes in ARRAY, which has room
   for *CAPACITY.  Return the new array, or NULL if memory is exhausted.  */
static void *
make_room (void *array, size_t count, size_t *capacity, size_t size)
{
  if (count < *capacity)
    return array;
  size_t larger = *capacity > 0 ? 2 * *capacity : 64;
  if (larger > UINT32_MAX)
    return NULL;
  array = realloc (array, larger * size);
  if (array != NULL)
    *capacity = larger;
  return array;
}

/* Add PATH, which the table owns from then on, to the files.  */
static bool
add_file (struct line_table *table, char *path)
{
  char **files = make_room (table->files, table->file_count,
			    &table->file_capacity, sizeof *files);
  if (files == NULL)
    return false;
  table->files = files;
  table->files[table->file_count++] = path;
  return true;
}

/* Return the complete path of libdw's NAME, malloced; NULL if memory is
   exhausted.  */
static char *
make_path (const struct reader *reader, const char *name)
{
  const char *directory = reader->directory;
  char *path;
  if (name[0] == '/' || directory == NULL)
    return strdup (name);
  return asprintf (&path, "%s/%s", directory, name) >= 0 ? path : NULL;
}

/* Set the file of the last row to libdw's NAME.  */
static bool
find_file (struct reader *reader, const char *name)
{
  struct line_table *table = reader->table;
  if (name == reader->last)
    return true;
  char *path = make_path (reader, name);
  if (path == NULL)
    return false;
  struct named_file wanted = { path, (uint32_t) table->file_count };
  void **slot = htab_find_slot (reader->numbers, &wanted, INSERT);
  if (slot != NULL && *slot == NULL)
    {
      struct named_file *entry = malloc (sizeof *entry);
      if (entry == NULL || !add_file (table, path))
	{
	  free (entry);
	  slot = NULL;
	}
      else
	{
	  *entry = wanted;
	  *slot = entry;
	  path = NULL;
	}
    }
  free (path);
  if (slot == NULL)
    return false;
  reader->last = name;
  reader->last_file = ((const struct named_file *) *slot)->number;
  return true;
}

static bool
add_row (struct reader *reader, Dwarf_Line *line)
{
  struct line_table *table = reader->table;
  const char *name = dwarf_linesrc (line, NULL, NULL);
  Dwarf_Addr address;
  int number = 0;
  bool is_statement = false;
  bool is_end = false;
  if (name == NULL || dwarf_lineaddr (line, &address) != 0
      || dwarf_lineno (line, &number) != 0
      || dwarf_linebeginstatement (line, &is_statement) != 0
      || dwarf_lineendsequence (line, &is_end) != 0)
    return true;
  struct line_row *rows
    = make_room (table->rows, table->count, &table->capacity, sizeof *rows);
  if (rows == NULL)
    return false;
  table->rows = rows;
  if (!find_file (reader, name))
    return false;
  rows[table->count]
    = (struct line_row){ .address = address + reader->bias,
			 .file = reader->last_file,
			 .line = number > 0 ? (uint32_t) number : 0,
			 .number = (uint32_t) table->count,
			 .is_statement = is_statement,
			 .is_end = is_end };
  table->count++;
  return true;
}

static bool
add_unit (struct reader *reader, Dwarf_Die *unit)
{
  Dwarf_Attribute attribute;
  Dwarf_Lines *lines;
  size_t count;
  if (dwarf_getsrclines (unit, &lines, &count) != 0)
    return true;
  reader->last = NULL;
  reader->directory = dwarf_attr (unit, DW_AT_comp_dir, &attribute) != NULL
			? dwarf_formstring (&attribute)
			: NULL;
  for (size_t i = 0; i < count; i++)
    if (!add_row (reader, dwarf_onesrcline (lines, i)))
      return false;
  return true;
}

static bool
add_units (struct reader *reader, Dwarf *dwarf)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  while (dwarf_get_units (dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
    if (!add_unit (reader, &die))
      return false;
  return true;
}

/* Compare by address; the end of one unit's code comes before the start of
   another's.  */
static int
compare_rows (const void *a, const void *b)
{
  const struct line_row *one = a;
  const struct line_row *other = b;
  if (one->address != other->address)
    return one->address < other->address ? -1 : 1;
  if (one->is_end != other->is_end)
    return one->is_end ? -1 : 1;
  return one->number < other->number ? -1 : one->number > other->number;
}

bool
line_table_read (struct line_table *table, struct object_file *file)
{
  struct reader reader = { .table = table };
  Dwarf *dwarf = object_file_debug_info (file, &reader.bias);
  if (dwarf == NULL)
    return true;
  reader.numbers
    = htab_create_alloc (64, hash_file, equal_files, free, calloc, free);
  bool is_done = reader.numbers != NULL && add_units (&reader, dwarf);
  if (reader.numbers != NULL)
    htab_delete (reader.numbers);
  if (is_done && table->count > 0)
    qsort (table->rows, table->count, sizeof *table->rows, compare_rows);
  return is_done;
}

size_t
line_table_find (const struct line_table *table, uint64_t address)
{
  size_t low = 0;
  size_t high = table->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (table->rows[middle].address < address)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}
