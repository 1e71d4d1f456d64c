/* Names of the functions in GCC's own counters.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-names.h"
#include "gcov-ident.h"
#include "gcov-unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A known name of an ident.  */
struct known_name
{
  uint32_t ident;
  uint32_t lineno_checksum;
  const char *name;
  const char *file;
};

/* Set name and file of FUNCTION to copies of NAME and FILE, which may be NULL
   or empty.  */
static bool
set_name (struct gcov_function *function, const char *name, const char *file)
{
  function->name = gcov_copy_text (name, strlen (name));
  if (!function->name || !file || *file == '\0')
    return function->name != NULL;
  function->file = gcov_copy_text (file, strlen (file));
  return function->file != NULL;
}

bool
gcov_names_from_notes (struct gcov_unit *unit, const struct gcov_notes *notes)
{
  uint32_t hint = 0;
  for (uint32_t i = 0; i < unit->function_count; i++)
    {
      struct gcov_function *function = &unit->functions[i];
      const struct gcov_notes_function *note
	= gcov_notes_find (notes, function->ident, function->lineno_checksum,
			   function->cfg_checksum, &hint);
      if (!note || *note->name == '\0' || function->name)
	continue;
      if (!set_name (function, note->name, note->file))
	return false;
    }
  return true;
}

static int
compare_numbers (uint32_t a, uint32_t b)
{
  return (a > b) - (a < b);
}

static int
compare_known (const void *element1, const void *element2)
{
  const struct known_name *a = element1;
  const struct known_name *b = element2;
  int order = compare_numbers (a->ident, b->ident);
  if (order == 0)
    order = compare_numbers (a->lineno_checksum, b->lineno_checksum);
  if (order == 0)
    order = strcmp (a->name, b->name);
  if (order == 0)
    order = strcmp (a->file ? a->file : "", b->file ? b->file : "");
  return order;
}

/* Return the index of the first of the N elements at KNOWN that is not less
   than KEY.  */
static size_t
find_known (const struct known_name *known, size_t n,
	    const struct known_name *key)
{
  size_t low = 0;
  while (low < n)
    {
      size_t middle = low + (n - low) / 2;
      if (compare_known (&known[middle], key) < 0)
	low = middle + 1;
      else
	n = middle;
    }
  return low;
}

/* Set the name of FUNCTION to the one that KNOWN, N sorted elements, has for
   its ident and LINENO_CHECKSUM, if there is only one.  */
static bool
take_name (struct gcov_function *function, const struct known_name *known,
	   size_t n, uint32_t lineno_checksum)
{
  const struct known_name key = { .ident = function->ident,
				  .lineno_checksum = lineno_checksum,
				  .name = "" };
  const struct known_name *found = NULL;
  for (size_t i = find_known (known, n, &key);
       i < n && known[i].ident == key.ident
       && known[i].lineno_checksum == lineno_checksum;
       i++)
    {
      if (found && strcmp (found->name, known[i].name) != 0)
	return true;
      if (!found)
	found = &known[i];
    }
  return !found || set_name (function, found->name, found->file);
}

/* Name each unnamed function of PROFILE after one of the N elements at KNOWN,
   which are sorted here.  If HAS_LINES is false, their checksums are 0.  */
static bool
take_names (struct gcov_profile *profile, struct known_name *known, size_t n,
	    bool has_lines)
{
  if (n == 0)
    return true;
  qsort (known, n, sizeof *known, compare_known);
  for (size_t i = 0; i < profile->unit_count; i++)
    {
      struct gcov_unit *unit = profile->units[i];
      for (uint32_t j = 0; j < unit->function_count; j++)
	{
	  struct gcov_function *function = &unit->functions[j];
	  uint32_t checksum = has_lines ? function->lineno_checksum : 0;
	  if (!function->name && !take_name (function, known, n, checksum))
	    return false;
	}
    }
  return true;
}

/* Use names of PROFILE itself.  */
static bool
take_own_names (struct gcov_profile *profile)
{
  size_t count = 0;
  size_t unknown = 0;
  for (size_t i = 0; i < profile->unit_count; i++)
    for (uint32_t j = 0; j < profile->units[i]->function_count; j++)
      {
	count++;
	unknown += !profile->units[i]->functions[j].name;
      }
  if (unknown == 0 || unknown == count)
    return true;
  struct known_name *known = calloc (count, sizeof *known);
  size_t n = 0;
  for (size_t i = 0; known && i < profile->unit_count; i++)
    for (uint32_t j = 0; j < profile->units[i]->function_count; j++)
      {
	const struct gcov_function *function = &profile->units[i]->functions[j];
	if (function->name)
	  known[n++]
	    = (struct known_name){ function->ident, function->lineno_checksum,
				   function->name, function->file };
      }
  bool done = known && take_names (profile, known, n, true);
  free (known);
  return done;
}

bool
gcov_names_complete (struct gcov_profile *profile, const char *const *names,
		     size_t n)
{
  if (!take_own_names (profile))
    return false;
  struct known_name *known = calloc (n + 1, sizeof *known);
  if (!known)
    return false;
  for (size_t i = 0; i < n; i++)
    known[i] = (struct known_name){ .ident = gcov_ident_public (names[i]),
				    .name = names[i] };
  bool done = take_names (profile, known, n, false);
  free (known);
  return done;
}

bool
gcov_names_is_public (const struct gcov_function *function)
{
  return gcov_ident_public (function->name) == function->ident;
}

char *
gcov_names_indexed (const struct gcov_function *function)
{
  char unknown[20];
  snprintf (unknown, sizeof unknown, "?%08x", function->ident);
  const char *name = unknown;
  const char *file = NULL;
  if (function->name)
    {
      /* An asterisk means that the assembler uses the rest unchanged.  */
      name = function->name + (*function->name == '*');
      if (function->file && !gcov_names_is_public (function))
	file = function->file;
    }
  size_t size = strlen (name) + (file ? strlen (file) + 1 : 0) + 1;
  char *text = malloc (size);
  if (text)
    snprintf (text, size, "%s%s%s", file ? file : "", file ? ";" : "", name);
  return text;
}
