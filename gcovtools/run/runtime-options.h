/* Options that a command passes on to the run-time library.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RUNTIME_OPTIONS_H
#define HEAPPROF_RUNTIME_OPTIONS_H

#include <limits.h>
#include <stdbool.h>

#define RUNTIME_OPTIONS_BYTES (4 * PATH_MAX)

struct runtime_options
{
  const char *command;	    /* the sub-command, for messages */
  const char *const *owned; /* names that it sets itself; NULL-terminated */
  bool is_off;		    /* they switch profiling off: enabled=0 */
  char text[RUNTIME_OPTIONS_BYTES]; /* NAME=VALUE:NAME=VALUE... */
};

/* Take the values of --sample, --max-depth, --recursion and --option.  Return
   false after printing a usage error if VALUE is invalid.  */
bool runtime_options_take_sample (struct runtime_options *options,
				  const char *value);
bool runtime_options_take_depth (struct runtime_options *options,
				 const char *value);
bool runtime_options_take_recursion (struct runtime_options *options,
				     const char *value);
bool runtime_options_take (struct runtime_options *options, const char *value);

#endif /* HEAPPROF_RUNTIME_OPTIONS_H */
