/* Lists of regular expressions; a text matches if any of them does.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PATTERN_LIST_H
#define HEAPPROF_PATTERN_LIST_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/* All zeros is an empty list.  */
struct pattern_list
{
  regex_t *patterns; /* malloced */
  size_t count;
};

/* Add the extended regular expression TEXT to LIST.  If it is invalid or memory
   is exhausted, return false and store the reason in the WHY_BYTES at WHY.  */
bool pattern_list_add (struct pattern_list *list, const char *text, char *why,
		       size_t why_bytes);
void pattern_list_release (struct pattern_list *list);

/* Return true if any expression of LIST matches TEXT.  */
bool pattern_list_matches (const struct pattern_list *list, const char *text);

#endif /* HEAPPROF_PATTERN_LIST_H */
