/* Linkage names that the compiler plugin left beside the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "site-names.h"
#include <gelf.h>
#include <libiberty/libiberty.h>
#include <stdlib.h>
#include <string.h>

/* A greater section, uncompressed, is not read.  Entries have about 100 bytes:
   no program has half a million such functions.  */
#define MAX_SECTION_BYTES ((size_t) 64 << 20)

/* Fields of an entry, each ended by a tab, the last by 0.  */
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

/* Parse TEXT, all of it a number to BASE, into *VALUE.  */
static bool
parse_number (const char *text, int base, uint32_t *value)
{
  char *end;
  if (*text < '0')		/* strtoull takes blanks and signs */
    return false;
  unsigned long long number = strtoull (text, &end, base);
  if (*end != '\0' || number > UINT32_MAX)
    return false;
  *value = (uint32_t) number;
  return true;
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

/* Fill *ENTRY from TEXT, into which it points from then on.  False if TEXT is
   no entry.  */
static bool
parse_entry (struct site_entry *entry, char *text)
{
  char *fields[FIELD_COUNT];
  if (!split_fields (text, fields)
      || !parse_number (fields[FIELD_LINE], 10, &entry->key.line)
      || !parse_number (fields[FIELD_COLUMN], 10, &entry->key.column)
      || !parse_number (fields[FIELD_SCOPE], 16, &entry->scope)
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

/* By what the debug information says directly.  */
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

/* How many texts NAMES->text of BYTES bytes holds, each ended by 0.  */
static size_t
count_texts (const char *text, size_t bytes)
{
  size_t count = 0;
  for (size_t i = 0; i < bytes; i++)
    count += text[i] == '\0';
  return count;
}

void
site_names_parse (struct site_names *names, const char *text, size_t bytes)
{
  *names = (struct site_names){ 0 };
  while (bytes > 0 && text[bytes - 1] != '\0')
    bytes--;
  size_t count = count_texts (text, bytes);
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
  qsort (names->entries, names->count, sizeof *names->entries,
	 compare_entries);
}

/* Is SECTION's content, uncompressed, of a size that can be read?  The old form
   of compression has the size behind four letters, its name begins ".z".  */
static bool
has_good_size (Elf_Scn *section, const GElf_Shdr *header, bool is_old_form)
{
  GElf_Chdr compression;
  uint64_t size = header->sh_size;
  if ((header->sh_flags & SHF_COMPRESSED) != 0)
    {
      if (gelf_getchdr (section, &compression) == NULL)
	return false;
      size = compression.ch_size;
    }
  else if (is_old_form)
    {
      const Elf_Data *data = elf_rawdata (section, NULL);
      if (data == NULL || data->d_buf == NULL || data->d_size < 12)
	return false;
      size = 0;
      for (size_t i = 4; i < 12; i++)
	size = size << 8 | ((const unsigned char *) data->d_buf)[i];
    }
  return size <= MAX_SECTION_BYTES;
}

/* The content of SECTION, uncompressed, if it holds names and can be read;
   else NULL.  */
static const Elf_Data *
names_in_section (Elf *elf, Elf_Scn *section, size_t section_names)
{
  GElf_Shdr header;
  if (gelf_getshdr (section, &header) == NULL
      || header.sh_type != SHT_PROGBITS)
    return NULL;
  const char *name = elf_strptr (elf, section_names, header.sh_name);
  if (name == NULL)
    return NULL;
  bool is_old_form = strcmp (name, ".zdebug_heapprof_names") == 0;
  if (!is_old_form && strcmp (name, ".debug_heapprof_names") != 0)
    return NULL;
  if (!has_good_size (section, &header, is_old_form))
    return NULL;
  if ((header.sh_flags & SHF_COMPRESSED) != 0
      && elf_compress (section, 0, 0) < 0)
    return NULL;
  if (is_old_form && elf_compress_gnu (section, 0, 0) < 0)
    return NULL;
  const Elf_Data *data = elf_getdata (section, NULL);
  return data != NULL && data->d_buf != NULL ? data : NULL;
}

void
site_names_read (struct site_names *names, Elf *elf)
{
  size_t section_names;
  *names = (struct site_names){ 0 };
  if (elf == NULL || elf_getshdrstrndx (elf, &section_names) != 0)
    return;
  Elf_Scn *section = NULL;
  const Elf_Data *data = NULL;
  while (data == NULL && (section = elf_nextscn (elf, section)) != NULL)
    data = names_in_section (elf, section, section_names);
  if (data != NULL)
    site_names_parse (names, data->d_buf, data->d_size);
}

/* Number of the first entry not before KEY and, unless SCOPE is NULL, *SCOPE;
   with AFTER, of the first that comes after them.  */
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
