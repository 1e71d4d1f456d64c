/* Types of allocations, which the compiler plugin stored next to the debug
   information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "site-types-reader.h"
#include "text-section.h"
#include <libiberty/libiberty.h>
#include <stdlib.h>
#include <string.h>

/* Number of fields of an entry, after its kind.  */
#define SITE_FIELDS 5	/* line, column, file, type, function */
#define TYPE_FIELDS 6	/* number, size, alignment, start, kind, name */
#define MEMBER_FIELDS 6 /* offset, size, alignment, kind, name, type */

#define MAX_MEMBERS 1000

struct site
{
  uint32_t line;
  uint32_t column;
  const char *file;	/* without a path */
  const char *function; /* linkage name */
  uint64_t type;	/* number; 0: returned */
};

struct site_types
{
  char *text;	      /* the members below point into it */
  struct site *sites; /* sorted */
  size_t site_count;
  struct site_type *types; /* sorted by number */
  size_t type_count;
};

void
site_types_free (struct site_types *types)
{
  if (types == NULL)
    return;
  for (size_t i = 0; i < types->type_count; i++)
    free (types->types[i].members);
  free (types->types);
  free (types->sites);
  free (types->text);
  free (types);
}

/* ---- Parsing.  */

/* Cut off the first field of *TEXT and move *TEXT past it; return NULL if there
   is none left.  */
static char *
next_field (char **text)
{
  char *field = *text;
  if (field == NULL)
    return NULL;
  char *end = field + strcspn (field, "\t");
  *text = *end == '\t' ? end + 1 : NULL;
  *end = '\0';
  return field;
}

/* Cut COUNT fields off *TEXT.  Return false if there are fewer.  */
static bool
next_fields (char **text, char **fields, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      fields[i] = next_field (text);
      if (fields[i] == NULL)
	return false;
    }
  return true;
}

/* Return the hexadecimal number TEXT; 0 if it is not one.  */
static uint64_t
type_number (const char *text)
{
  size_t digits = strspn (text, "0123456789abcdef");
  return digits <= 16 && text[digits] == '\0' ? strtoull (text, NULL, 16) : 0;
}

static bool
is_one_of (const char *text, const char *letters)
{
  return text[0] != '\0' && text[1] == '\0' && strchr (letters, *text) != NULL;
}

static bool
parse_site (struct site *site, char *text)
{
  char *fields[SITE_FIELDS];
  if (!next_fields (&text, fields, SITE_FIELDS) || text != NULL
      || !text_section_number (fields[0], 10, &site->line)
      || !text_section_number (fields[1], 10, &site->column))
    return false;
  site->file = fields[2];
  site->type = type_number (fields[3]);
  site->function = fields[4];
  return site->type != 0 || *fields[3] == '\0';
}

static bool
parse_member (struct site_member *member, uint64_t type_size, char **text)
{
  char *fields[MEMBER_FIELDS];
  if (!next_fields (text, fields, MEMBER_FIELDS)
      || !text_section_number (fields[0], 10, &member->offset)
      || !text_section_number (fields[1], 10, &member->size)
      || !text_section_number (fields[2], 10, &member->alignment)
      || !is_one_of (fields[3], "mba") || member->alignment == 0
      || member->alignment > type_size
      || (uint64_t) member->offset + member->size > type_size)
    return false;
  member->kind = *fields[3];
  member->name = fields[4];
  member->type_name = fields[5];
  return true;
}

/* Fill *TYPE, whose members must be freed in any case.  */
static bool
parse_type (struct site_type *type, char *text)
{
  char *fields[TYPE_FIELDS];
  uint32_t size;
  uint32_t start;
  if (!next_fields (&text, fields, TYPE_FIELDS)
      || !text_section_number (fields[1], 10, &size) || size == 0
      || !text_section_number (fields[2], 10, &type->alignment)
      || !text_section_number (fields[3], 10, &start)
      || !is_one_of (fields[4], "sup"))
    return false;
  type->number = type_number (fields[0]);
  type->size = size;
  type->start = start;
  type->kind = *fields[4];
  type->name = fields[5];
  size_t count = 0;
  for (const char *at = text; at != NULL && count < MAX_MEMBERS; count++)
    {
      at = strchr (at, '\t');
      for (size_t i = 1; i < MEMBER_FIELDS && at != NULL; i++)
	at = strchr (at + 1, '\t');
      at = at != NULL ? at + 1 : NULL;
    }
  type->members = calloc (count + 1, sizeof *type->members);
  if (type->members == NULL)
    return false;
  while (text != NULL && type->member_count < count)
    {
      struct site_member *member = &type->members[type->member_count++];
      if (!parse_member (member, type->size, &text))
	return false;
    }
  return type->number != 0 && text == NULL && *type->name != '\0';
}

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* Compare by place in the source.  */
static int
compare_places (const struct site *a, const struct site *b)
{
  int order = compare_numbers (a->line, b->line);
  if (order == 0)
    order = compare_numbers (a->column, b->column);
  return order != 0 ? order : strcmp (a->file, b->file);
}

static int
compare_sites (const void *a, const void *b)
{
  const struct site *x = a;
  const struct site *y = b;
  int order = compare_places (x, y);
  if (order == 0)
    order = strcmp (x->function, y->function);
  return order != 0 ? order : compare_numbers (x->type, y->type);
}

static int
compare_types (const void *a, const void *b)
{
  const struct site_type *x = a;
  const struct site_type *y = b;
  return compare_numbers (x->number, y->number);
}

/* Parse the entries in TYPES->text, of BYTES bytes.  */
static void
parse_entries (struct site_types *types, size_t bytes)
{
  char *end = types->text + bytes;
  for (char *at = types->text; at < end;)
    {
      char *next = at + strlen (at) + 1;
      if (strncmp (at, "S\t", 2) == 0)
	types->site_count
	  += parse_site (&types->sites[types->site_count], at + 2);
      else if (strncmp (at, "T\t", 2) == 0)
	{
	  struct site_type *type = &types->types[types->type_count];
	  *type = (struct site_type){ 0 };
	  if (parse_type (type, at + 2))
	    types->type_count++;
	  else
	    free (type->members);
	}
      at = next;
    }
  qsort (types->sites, types->site_count, sizeof *types->sites, compare_sites);
  qsort (types->types, types->type_count, sizeof *types->types, compare_types);
}

struct site_types *
site_types_parse (const char *text, size_t bytes)
{
  while (bytes > 0 && text[bytes - 1] != '\0')
    bytes--;
  size_t count = text_section_count (text, bytes);
  struct site_types *types = count > 0 ? calloc (1, sizeof *types) : NULL;
  if (types == NULL)
    return NULL;
  types->text = malloc (bytes);
  types->sites = calloc (count, sizeof *types->sites);
  types->types = calloc (count, sizeof *types->types);
  if (types->text == NULL || types->sites == NULL || types->types == NULL)
    {
      site_types_free (types);
      return NULL;
    }
  memcpy (types->text, text, bytes);
  parse_entries (types, bytes);
  return types;
}

struct site_types *
site_types_read (Elf *elf)
{
  const Elf_Data *data = text_section_find (elf, ".debug_heapprof_types",
					    ".zdebug_heapprof_types");
  return data != NULL ? site_types_parse (data->d_buf, data->d_size) : NULL;
}

/* ---- Lookup.  */

/* Return true if NAME, of BYTES bytes, is a variant of the function ENTRY.
   Constructors and destructors have several, and the plugin names the unified
   one: C4, D4 instead of C1, D0 and so on.  */
static bool
is_variant (const char *entry, const char *name, size_t bytes)
{
  if (name == NULL || strlen (entry) != bytes)
    return false;
  for (size_t i = 0; i < bytes; i++)
    if (entry[i] != name[i]
	&& !(entry[i] == '4' && i > 0
	     && (entry[i - 1] == 'C' || entry[i - 1] == 'D') && name[i] >= '0'
	     && name[i] <= '5'))
      return false;
  return true;
}

/* Return the number of the type that the sites of FUNCTION, of BYTES bytes,
   from BEGIN to END agree on; 0 if they are returned, UINT64_MAX if there are
   none or several types.  */
static uint64_t
common_type (const struct site_types *types, size_t begin, size_t end,
	     const char *function, size_t bytes)
{
  bool is_found = false;
  uint64_t number = UINT64_MAX;
  for (size_t i = begin; i < end; i++)
    {
      const struct site *site = &types->sites[i];
      if (!is_variant (site->function, function, bytes))
	continue;
      if (is_found && site->type != number)
	return UINT64_MAX;
      is_found = true;
      number = site->type;
    }
  return number;
}

enum site_answer
site_types_find (const struct site_types *types, const char *file,
		 uint32_t line, uint32_t column, const char *function,
		 size_t function_bytes, const struct site_type **type)
{
  if (types == NULL || file == NULL)
    return SITE_UNKNOWN;
  const struct site key
    = { .line = line, .column = column, .file = lbasename (file) };
  size_t low = 0;
  size_t high = types->site_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (compare_places (&types->sites[middle], &key) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  size_t end = low;
  while (end < types->site_count
	 && compare_places (&types->sites[end], &key) == 0)
    end++;
  uint64_t number = common_type (types, low, end, function, function_bytes);
  if (number == UINT64_MAX)
    return SITE_UNKNOWN;
  if (number == 0)
    return SITE_RETURNED;
  const struct site_type wanted = { .number = number };
  *type = bsearch (&wanted, types->types, types->type_count,
		   sizeof *types->types, compare_types);
  return *type != NULL ? SITE_TYPED : SITE_UNKNOWN;
}
