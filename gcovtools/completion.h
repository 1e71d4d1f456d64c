/* Completion of command lines by shells, made from the tables of options.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COMPLETION_H
#define HEAPPROF_COMPLETION_H

#include "command-options.h"
#include <stdbool.h>
#include <stddef.h>

/* Print for SHELL how to complete command lines of PROGRAM, which has the COUNT
   COMMANDS.  False if SHELL is not bash, zsh or fish.  */
bool completion_print (const char *shell, const char *program,
		       const struct command *const *commands, size_t count);

#endif /* HEAPPROF_COMPLETION_H */
