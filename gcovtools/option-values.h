/* Values of options, which several sub-commands take.
   SPDX-License-Identifier: GPL-3.0-or-later

   If VALUE is wrong, the functions print that, as an error in the use of the
   sub-command COMMAND, and return false.  */

#ifndef HEAPPROF_OPTION_VALUES_H
#define HEAPPROF_OPTION_VALUES_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

bool option_take_size (const char *command, const char *value, size_t *size);

/* Compile VALUE, an extended regular expression, to *COMPILED, and let *CHOSEN
   point there.  If *CHOSEN is not NULL, *COMPILED has one, which is released
   first.  */
bool option_take_regex (const char *command, const char *value,
			regex_t *compiled, const regex_t **chosen);

#endif /* HEAPPROF_OPTION_VALUES_H */
