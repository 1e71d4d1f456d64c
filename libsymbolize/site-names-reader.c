/* Linkage names that the compiler plugin stored next to the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "site-names-reader.h"
#include "text-section.h"
#include <libiberty/libiberty.h>
#include <stdlib.h>
#include <string.h>

/* Fields of an entry, each followed by a tab, the last by 0.  */
enum field
{
  FIELD_LINE,
  FIELD_COLUMN,
  FIELD_SCOPE,
  FIELD_FILE,
  FIELD_NAME,
  FIELD_LINKAGE_NAME,
  FIELD_COUNT
};

void
site_names_release (struct site_names *names)
{
  free (names->entries);
  free (names->text);
  *names = (struct site_names){ 0 };
}

/* Split TEXT at its tabs into FIELDS.  */
static bool
split_fields (char *text, char *fields[FIELD_COUNT])
{
  for (size_t i = 0; i < FIELD_COUNT; i++)
    {
      fields[i] = text;
      text += strcspn (text, "\t");
      bool is_last = i + 1 == FIELD_COUNT;
      if ((*text == '\0') != is_last)
	return false;
      *text++ = '\0';
    }
  return true;
}

/* Fill *ENTRY from TEXT, into which it points from then on.  Return false if
   TEXT is not a valid entry.  */
static bool
parse_entry (struct site_entry *entry, char *text)
{
  char *fields[FIELD_COUNT];
  if (!split_fields (text, fields)
      || !text_section_number (fields[FIELD_LINE], 10, &entry->key.line)
      || !text_section_number (fields[FIELD_COLUMN], 10, &entry->key.column)
      || !text_section_number (fields[FIELD_SCOPE], 16, &entry->scope)
      || *fields[FIELD_NAME] == '\0' || *fields[FIELD_LINKAGE_NAME] == '\0')
    return false;
  entry->key.file = fields[FIELD_FILE];
  entry->key.name = fields[FIELD_NAME];
  entry->linkage_name = fields[FIELD_LINKAGE_NAME];
  return true;
}

static int
compare_numbers (uint32_t a, uint32_t b)
{
  return (a > b) - (a < b);
}

/* Compare what the debug information has directly.  */
static int
compare_keys (const struct site_key *a, const struct site_key *b)
{
  int order = compare_numbers (a->line, b->line);
  if (order == 0)
    order = compare_numbers (a->column, b->column);
  if (order == 0)
    order = strcmp (a->name, b->name);
  return order != 0 ? order : strcmp (a->file, b->file);
}

static int
compare_entries (const void *a, const void *b)
{
  const struct site_entry *x = a;
  const struct site_entry *y = b;
  int order = compare_keys (&x->key, &y->key);
  if (order == 0)
    order = compare_numbers (x->scope, y->scope);
  return order != 0 ? order : strcmp (x->linkage_name, y->linkage_name);
}

void
site_names_parse (struct site_names *names, const char *text, size_t bytes)
{
  *names = (struct site_names){ 0 };
  while (bytes > 0 && text[bytes - 1] != '\0')
    bytes--;
  size_t count = text_section_count (text, bytes);
  if (count == 0)
    return;
  names->text = malloc (bytes);
  names->entries = calloc (count, sizeof *names->entries);
  if (names->text == NULL || names->entries == NULL)
    {
      site_names_release (names);
      return;
    }
  memcpy (names->text, text, bytes);
  char *end = names->text + bytes;
  for (char *at = names->text; at < end;)
    {
      char *next = at + strlen (at) + 1;
      names->count += parse_entry (&names->entries[names->count], at);
      at = next;
    }
  qsort (names->entries, names->count, sizeof *names->entries, compare_entries);
}

void
site_names_read (struct site_names *names, Elf *elf)
{
  const Elf_Data *data = text_section_find (elf, ".debug_heapprof_names",
					    ".zdebug_heapprof_names");
  *names = (struct site_names){ 0 };
  if (data != NULL)
    site_names_parse (names, data->d_buf, data->d_size);
}

/* Return the number of the first entry not before KEY and, unless SCOPE is
   NULL, *SCOPE; with AFTER, of the first entry after them.  */
static size_t
find_bound (const struct site_names *names, const struct site_key *key,
	    const uint32_t *scope, bool after)
{
  size_t low = 0;
  size_t high = names->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      const struct site_entry *entry = &names->entries[middle];
      int order = compare_keys (&entry->key, key);
      if (order == 0 && scope != NULL)
	order = compare_numbers (entry->scope, *scope);
      if (order < 0 || (after && order == 0))
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

const char *
site_names_find (const struct site_names *names, const struct site_key *key,
		 const uint32_t *scope, bool *is_ambiguous)
{
  *is_ambiguous = false;
  if (names->count == 0 || key->file == NULL || key->name == NULL)
    return NULL;
  struct site_key wanted = *key;
  wanted.file = lbasename (key->file);
  size_t begin = find_bound (names, &wanted, scope, false);
  size_t end = find_bound (names, &wanted, scope, true);
  if (begin == end)
    return NULL;
  const struct site_entry *first = &names->entries[begin];
  const struct site_entry *last = &names->entries[end - 1];
  /* Entries of one scope are sorted by linkage name.  */
  *is_ambiguous = first->scope != last->scope;
  if (*is_ambiguous || strcmp (first->linkage_name, last->linkage_name) != 0)
    return NULL;
  return first->linkage_name;
}
