/* Runs of commands, one at a time, and what they use.
   SPDX-License-Identifier: GPL-3.0-or-later

   A command is a program; its processes, also those that it leaves behind, end
   with it at the latest.  */

#ifndef HEAPPROF_PROCESS_RUN_H
#define HEAPPROF_PROCESS_RUN_H

#include "profile-error.h"
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct process_command
{
  const char *name;    /* for errors */
  char **settings;     /* NAME=VALUE for the environment, NULL-terminated */
  char **words;	       /* the program and its arguments, NULL-terminated */
  const char **before; /* the same of a program that runs the command; NULL:
			  none */
  const char *setting; /* for the environment, before SETTINGS; NULL: none */
  const char *input;   /* file for standard input */
  int output;	       /* for standard output; emptied before */
  double timeout_s;    /* 0: none */
  int expected_status; /* exit status */
  bool small_pages;    /* whatever the program asks the kernel for */

  /* Called with WATCH_DATA every WATCH_NS nanoseconds while the command runs;
     0: never.  */
  void (*watch) (void *watch_data);
  void *watch_data;
  double watch_ns;
};

/* Includes all children that the processes waited for, and those that their
   parents left behind.  */
struct process_usage
{
  double cpu_ns; /* user and system */
  double wall_ns;
  double peak_bytes; /* of the process with the largest peak */
  double minor_faults;
  double major_faults;
};

/* Prepare for running commands: from now on, the signals that ask to end are
   handled during runs only.  Return false and set *ERR on failure.  */
bool process_run_start (struct profile_error *err);

/* Return the file for standard error of all commands, empty when one starts. */
int process_run_messages (void);

/* Run COMMAND.  Return false and set *ERR if it fails; if it was interrupted,
 *INTERRUPTION is the signal's number, and *ERR is not set.  */
bool process_run (const struct process_command *command,
		  struct process_usage *usage, int *interruption,
		  struct profile_error *err);

/* Let the signals end this process again.  */
void process_run_stop (void);

/* End this process by the signal NUMBER, as it would have without
   process_run_start.  */
void process_run_end_by (int number);

#endif /* HEAPPROF_PROCESS_RUN_H */
