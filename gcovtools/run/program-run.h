/* Running a program in the foreground, as if the shell had started it.
   SPDX-License-Identifier: GPL-3.0-or-later

   The program is in this process's group, so the terminal's signals reach it
   directly; this process survives them and waits.  Signals that other processes
   send to this one are passed on.  If the program stops, so does this process,
   so that the shell's job control works.  */

#ifndef HEAPPROF_PROGRAM_RUN_H
#define HEAPPROF_PROGRAM_RUN_H

#include "profile-error.h"
#include <stdbool.h>
#include <sys/types.h>

struct program_command
{
  const char *path;	 /* of the file to execute */
  char **words;		 /* the program and its arguments, NULL-terminated */
  const char *library;	 /* to preload, before others */
  const char *options;	 /* for HEAPPROF_OPTIONS, after those set there */
  bool has_children;	 /* also profile its children */
  bool has_plain_python; /* Python allocates its objects by malloc */
  double timeout_s;	 /* then it is asked to end; 0: never */
};

struct program_end
{
  pid_t process;
  int status;	/* as of waitpid */
  bool is_late; /* the timeout had passed */
};

/* Run COMMAND until it ends, and fill *END.  If it cannot be executed, set *ERR
   and return the exit status for that, otherwise 0.  */
int program_run (const struct program_command *command, struct program_end *end,
		 struct profile_error *err);

/* End this process as the program ended: by the same signal, without a memory
   dump, or return the exit status.  */
int program_end_alike (int status);

#endif /* HEAPPROF_PROGRAM_RUN_H */
