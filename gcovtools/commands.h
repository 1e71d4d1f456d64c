/* The sub-commands of heapprof-gcov.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COMMANDS_H
#define HEAPPROF_COMMANDS_H

#include "command-options.h"

extern const struct command command_convert;
extern const struct command command_merge;
extern const struct command command_show;

#endif /* HEAPPROF_COMMANDS_H */
