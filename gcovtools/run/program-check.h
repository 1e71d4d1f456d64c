/* Finding a program, and whether it can be profiled without recompiling.
   SPDX-License-Identifier: GPL-3.0-or-later

   The run-time library is preloaded, which works only for programs that the
   dynamic linker of the GNU C library loads with the rights of their user.  A
   script is what its interpreter is.  */

#ifndef HEAPPROF_PROGRAM_CHECK_H
#define HEAPPROF_PROGRAM_CHECK_H

#include "profile-error.h"
#include <limits.h>

/* Exit statuses of commands that run others, as in shells.  */
enum
{
  PROGRAM_USABLE = 0,
  PROGRAM_REFUSED = 126,
  PROGRAM_ABSENT = 127
};

struct checked_program
{
  char path[PATH_MAX]; /* to execute */
};

/* Find the program NAME as execvp would.  Return PROGRAM_USABLE.  Otherwise
   set *ERR to why it cannot be run or profiled, and what to do, and return the
   exit status.  */
int program_check (struct checked_program *program, const char *name,
		   struct profile_error *err);

#endif /* HEAPPROF_PROGRAM_CHECK_H */
