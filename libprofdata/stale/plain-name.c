/* Names of functions without parameters, classes and namespaces.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "plain-name.h"
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

/* Return the start of the last part of the demangled NAME, which has no
   parameters, and set *BYTES to its length without template arguments.  */
static const char *
last_part (const char *name, size_t *bytes)
{
  const char *operator_start = strstr (name, "operator");
  if (operator_start != NULL)
    {
      *bytes = strlen (operator_start);
      return operator_start;
    }
  const char *start = name;
  const char *end = NULL;
  int depth = 0;
  for (const char *at = name; *at != '\0'; at++)
    {
      if (*at == '<' && depth++ == 0 && end == NULL)
	end = at;
      else if (*at == '>' && depth > 0)
	depth--;
      else if (depth == 0 && (*at == ':' || *at == ' '))
	{
	  start = at + 1;
	  end = NULL;
	}
    }
  *bytes = end != NULL && end > start ? (size_t) (end - start) : strlen (start);
  return start;
}

uint64_t
plain_name_hash (const char *name)
{
  char *text = cplus_demangle (name, DMGL_NO_OPTS);
  if (text == NULL)
    return 0;
  size_t bytes;
  const char *part = last_part (text, &bytes);
  uint64_t hash = UINT64_C (0xcbf29ce484222325);
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ (unsigned char) part[i]) * UINT64_C (0x100000001b3);
  free (text);
  return hash | 1;
}
