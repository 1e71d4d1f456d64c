/* Values of options, which several sub-commands take.
   SPDX-License-Identifier: GPL-3.0-or-later

   If VALUE is wrong, the functions print that, as an error in the use of the
   sub-command COMMAND, and return false.  */

#ifndef HEAPPROF_OPTION_VALUES_H
#define HEAPPROF_OPTION_VALUES_H

#include "pattern-list.h"
#include <stdbool.h>
#include <stddef.h>

bool option_take_size (const char *command, const char *value, size_t *size);

/* Add VALUE, an extended regular expression, or those in FILE if it is @FILE,
   to PATTERNS.  FILE has one on each line; empty lines and those that begin
   with # mean nothing.  */
bool option_take_patterns (const char *command, const char *value,
			   struct pattern_list *patterns);

#endif /* HEAPPROF_OPTION_VALUES_H */
