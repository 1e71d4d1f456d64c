/* Lists of regular expressions; a text matches if any of them does.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pattern-list.h"
#include <stdio.h>
#include <stdlib.h>

bool
pattern_list_add (struct pattern_list *list, const char *text, char *why,
		  size_t why_bytes)
{
  regex_t *grown = realloc (list->patterns, (list->count + 1) * sizeof *grown);
  if (grown == NULL)
    {
      snprintf (why, why_bytes, "memory exhausted");
      return false;
    }
  list->patterns = grown;
  int status = regcomp (&grown[list->count], text, REG_EXTENDED | REG_NOSUB);
  if (status != 0)
    {
      regerror (status, &grown[list->count], why, why_bytes);
      return false;
    }
  list->count++;
  return true;
}

void
pattern_list_release (struct pattern_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    regfree (&list->patterns[i]);
  free (list->patterns);
  *list = (struct pattern_list){ 0 };
}

bool
pattern_list_matches (const struct pattern_list *list, const char *text)
{
  for (size_t i = 0; i < list->count; i++)
    if (regexec (&list->patterns[i], text, 0, NULL, 0) == 0)
      return true;
  return false;
}
