/* Shared parts of the sub-commands that write a heap profile in some format.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_REPORT_COMMAND_H
#define HEAPPROF_REPORT_COMMAND_H

#include "command-options.h"
#include "heap-moment.h"
#include "heap-report.h"
#include "leak-suppressions.h"
#include "profile-inputs.h"
#include <stdbool.h>
#include <stdio.h>

/* The options that all of them have.  */
enum
{
  REPORT_OPTION_TOP = OPTION_HELP + 1,
  REPORT_OPTION_NO_DEMANGLE,
  REPORT_OPTION_FULL,
  REPORT_OPTION_DEBUG_DIRECTORY,
  REPORT_OPTION_AT,
  REPORT_OPTION_SUPPRESSIONS,
  REPORT_OPTION_END
};

/* Rows of these options in an option table.  */
/* clang-format off */
#define REPORT_OPTION_ROWS                                                    \
  FILTER_FUNCTION_ROW,                                                        \
  FILTER_OPTION_ROWS,                                                         \
  WRAPPER_OPTION_ROWS,                                                        \
  HEAP_MOMENT_ROW (REPORT_OPTION_AT),                                         \
  LEAK_SUPPRESSIONS_ROW (REPORT_OPTION_SUPPRESSIONS),                         \
  { REPORT_OPTION_TOP, "top", "N",                                            \
    "include only the N contexts that allocated the most\n"                   \
    "bytes (default 0: all)" },                                               \
  { REPORT_OPTION_NO_DEMANGLE, "no-demangle", NULL,                           \
    "do not demangle C++ names" },                                            \
  { REPORT_OPTION_FULL, "full", NULL, "show all template arguments" },        \
  BINARY_ROW,                                                                 \
  DEBUG_DIRECTORY_ROW (REPORT_OPTION_DEBUG_DIRECTORY)
/* clang-format on */

struct report_command
{
  const struct command *command;
  bool needs_output; /* -o is required; else the default is standard output */

  /* Handle an option that is neither one of the above nor -o.  If VALUE is
     invalid, print an error and return false.  */
  bool (*take_option) (void *arguments, int id, const char *value);

  /* Handle the COUNT OPERANDS before the profiles, which come last, and return
     the number of profiles; NULL: all operands are profiles.  If they are
     invalid, print an error and return a negative number.  */
  int (*take_operands) (void *arguments, char **operands, int count);

  /* Return the name of the output form if it must not be written to a terminal,
     else NULL.  The function pointer may be NULL.  */
  const char *(*binary_form) (const void *arguments);

  /* Change PROFILE, a heap profile, which was read from INPUTS, before anything
     is made of it.  On failure print an error and return false.  May be
     NULL.  */
  bool (*change) (const void *arguments, const struct profile_inputs *inputs,
		  struct profile *profile);

  /* Return true if REPORT has what ARGUMENTS ask for.  Otherwise print an error
     with TITLE, which names REPORT's source.  May be NULL.  */
  bool (*check) (const struct heap_report *report, const char *title,
		 const void *arguments);

  /* Write REPORT, whose contexts are sorted by bytes without regard to sites,
     to OUT, whose errors the caller handles.  TITLE names its source.  Return
     false if memory is exhausted.  */
  bool (*write) (const struct heap_report *report, const char *title,
		 const void *arguments, FILE *out);

  /* Return true if OUTPUT can be used.  Otherwise print an error.  May be
     NULL.  */
  bool (*check_output) (const void *arguments, const char *output);

  /* Do what remains after OUTPUT was written.  On failure print an error and
     return false.  May be NULL.  */
  bool (*finish) (const void *arguments, const char *output);
};

/* Run COMMAND with ARGUMENTS.  */
enum exit_status report_command_run (const struct report_command *command,
				     void *arguments, int argc, char **argv);

#endif /* HEAPPROF_REPORT_COMMAND_H */
