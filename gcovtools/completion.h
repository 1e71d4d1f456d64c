/* Shell completion of command lines, generated from the option tables.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COMPLETION_H
#define HEAPPROF_COMPLETION_H

#include "command-options.h"
#include <stdbool.h>
#include <stddef.h>

/* Print the completion script of SHELL for PROGRAM with its COUNT COMMANDS.
   Return false if SHELL is not bash, zsh or fish.  */
bool completion_print (const char *shell, const char *program,
		       const struct command *const *commands, size_t count);

#endif /* HEAPPROF_COMPLETION_H */
