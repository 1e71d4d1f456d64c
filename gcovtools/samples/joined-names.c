/* Names in debug information that several functions of a program share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "joined-names.h"
#include "function-name.h"
#include <stdlib.h>
#include <string.h>

/* Return the entry of name NUMBER; NULL if memory is exhausted.  */
static struct joined_name *
need_name (struct joined_names *names, uint32_t number)
{
  if (number < names->count)
    return &names->names[number];
  uint32_t count = 2 * (number + 1);
  struct joined_name *grown = realloc (names->names, count * sizeof *grown);
  if (grown == NULL)
    return NULL;
  memset (grown + names->count, 0, (count - names->count) * sizeof *grown);
  names->names = grown;
  names->count = count;
  return &grown[number];
}

/* Keep FIRST and SECOND demangled, without parameters if they differ then.  */
static bool
keep_examples (struct joined_names *names, const char *first,
	       const char *second)
{
  bool are_different = false;
  for (int with_parameters = 0; with_parameters <= 1 && !are_different;
       with_parameters++)
    {
      free (names->examples[0]);
      free (names->examples[1]);
      names->examples[0] = function_name_demangle (first, with_parameters);
      names->examples[1] = function_name_demangle (second, with_parameters);
      if (names->examples[0] == NULL || names->examples[1] == NULL)
	return false;
      are_different = strcmp (names->examples[0], names->examples[1]) != 0;
    }
  return true;
}

/* NAME has SYMBOL in addition to its first one.  Constructors have several
   symbols, which are one function when demangled.  */
static bool
compare (struct joined_names *names, struct joined_name *name,
	 const char *symbol)
{
  char *first = function_name_demangle (name->symbol, true);
  char *second = function_name_demangle (symbol, true);
  bool is_done = first != NULL && second != NULL;
  if (is_done && strcmp (first, second) != 0)
    {
      name->is_joined = true;
      if (names->joined_count++ == 0)
	is_done = keep_examples (names, name->symbol, symbol);
    }
  free (first);
  free (second);
  return is_done;
}

bool
joined_names_add (struct joined_names *names, uint32_t number,
		  const char *described, const char *symbol, size_t bytes)
{
  /* A linkage name is that of one function.  An inlined one may have no symbol,
     only its plain name.  */
  if (strncmp (described, "_Z", 2) == 0 || symbol == NULL || bytes < 2
      || memcmp (symbol, "_Z", 2) != 0)
    return true;
  const char *suffix = memchr (symbol, '.', bytes);
  if (suffix != NULL)
    bytes = (size_t) (suffix - symbol);
  struct joined_name *name = need_name (names, number);
  if (name == NULL)
    return false;
  if (name->is_joined
      || (name->symbol != NULL && strlen (name->symbol) == bytes
	  && memcmp (name->symbol, symbol, bytes) == 0))
    return true;
  char *copy = strndup (symbol, bytes);
  if (copy == NULL)
    return false;
  if (name->symbol == NULL)
    {
      name->symbol = copy;
      return true;
    }
  bool is_done = compare (names, name, copy);
  free (copy);
  return is_done;
}

void
joined_names_release (struct joined_names *names)
{
  for (uint32_t i = 0; i < names->count; i++)
    free (names->names[i].symbol);
  free (names->names);
  free (names->examples[0]);
  free (names->examples[1]);
  *names = (struct joined_names){ 0 };
}
