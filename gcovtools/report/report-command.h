/* Sub-commands that write a heap profile in a form of their own: what they have
   in common.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_REPORT_COMMAND_H
#define HEAPPROF_REPORT_COMMAND_H

#include "command-options.h"
#include "heap-report.h"
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
  REPORT_OPTION_END
};

/* Their rows in a table of options.  */
/* clang-format off */
#define REPORT_OPTION_ROWS                                                    \
  FILTER_FUNCTION_ROW,                                                        \
  FILTER_OPTION_ROWS,                                                         \
  { REPORT_OPTION_TOP, "top", "N",                                            \
    "include only the N contexts that allocated the most\n"                   \
    "bytes (default 0: all)" },                                               \
  { REPORT_OPTION_NO_DEMANGLE, "no-demangle", NULL,                           \
    "do not demangle C++ names" },                                            \
  { REPORT_OPTION_FULL, "full", NULL, "show all template arguments" },        \
  { 'b', "binary", "FILE",                                                    \
    "use FILE to symbolize addresses of the program or\n"                     \
    "library with its build ID; may be repeated" },                           \
  { REPORT_OPTION_DEBUG_DIRECTORY, "debug-directory", "DIRS",                 \
    "search the colon-separated DIRS for separate debug\n"                    \
    "files (default: /usr/lib/debug)" }
/* clang-format on */

struct report_command
{
  const struct command *command;
  bool needs_output; /* -o has to be given; else standard output is
			the default */

  /* Take an option that is not one of the above, nor -o.  False if it is wrong,
     which was printed.  */
  bool (*take_option) (void *arguments, int id, const char *value);

  /* Take what the COUNT OPERANDS say besides profiles, and return how many of
     them are profiles, which come last; NULL: all are.  Negative: they are
     wrong, which was printed.  */
  int (*take_operands) (void *arguments, char **operands, int count);

  /* The name of the output if it is not for a terminal, else NULL.  The
     function may be NULL.  */
  const char *(*binary_form) (const void *arguments);

  /* Can what ARGUMENTS ask for be made of REPORT?  If not, print why, with
     TITLE, which says what REPORT was made from; the function may be NULL.  */
  bool (*check) (const struct heap_report *report, const char *title,
		 const void *arguments);

  /* Write REPORT, whose contexts are sorted by bytes without regard to sites,
     to OUT, where errors need no care.  TITLE says what it was made from. False
     if memory is exhausted.  */
  bool (*write) (const struct heap_report *report, const char *title,
		 const void *arguments, FILE *out);
};

/* Run COMMAND, which gets ARGUMENTS.  */
enum exit_status report_command_run (const struct report_command *command,
				     void *arguments, int argc, char **argv);

#endif /* HEAPPROF_REPORT_COMMAND_H */
