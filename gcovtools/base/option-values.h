/* Parsers of option values that several sub-commands share.
   SPDX-License-Identifier: GPL-3.0-or-later

   If VALUE is invalid, they print a usage error of the sub-command COMMAND and
   return false.  */

#ifndef HEAPPROF_OPTION_VALUES_H
#define HEAPPROF_OPTION_VALUES_H

#include "pattern-list.h"
#include <stdbool.h>
#include <stddef.h>

bool option_take_size (const char *command, const char *value, size_t *size);

/* Take a number of seconds, more than 0.  */
bool option_take_seconds (const char *command, const char *value,
			  double *seconds);

/* Take a number from 0 to 100.  */
bool option_take_percent (const char *command, const char *value,
			  double *percent);

/* Add VALUE, an extended regular expression, to PATTERNS; if VALUE is @FILE,
   add the expressions in FILE, one per line.  Empty lines and lines that start
   with # are ignored.  */
bool option_take_patterns (const char *command, const char *value,
			   struct pattern_list *patterns);

#endif /* HEAPPROF_OPTION_VALUES_H */
