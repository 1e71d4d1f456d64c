/* Lists of regular expressions, of which one has to match.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PATTERN_LIST_H
#define HEAPPROF_PATTERN_LIST_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/* All zeros: an empty list.  */
struct pattern_list
{
  regex_t *patterns; /* malloced */
  size_t count;
};

/* Add TEXT, an extended regular expression, to LIST.  False, with the reason in
   the WHY_BYTES at WHY, if it is none or memory is exhausted.  */
bool pattern_list_add (struct pattern_list *list, const char *text, char *why,
		       size_t why_bytes);
void pattern_list_release (struct pattern_list *list);

/* Does any of LIST match TEXT?  */
bool pattern_list_matches (const struct pattern_list *list, const char *text);

#endif /* HEAPPROF_PATTERN_LIST_H */
