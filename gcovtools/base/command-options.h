/* Options of sub-commands: one table drives the parser and --help.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COMMAND_OPTIONS_H
#define HEAPPROF_COMMAND_OPTIONS_H

#include "diagnostics.h"
#include <stdbool.h>

struct command_option
{
  int
    id; /* its letter, or a number above 255 if it has none; 0 ends the table */
  const char *name;	/* long form */
  const char *argument; /* placeholder of its argument, NULL if it takes none;
			   [=...]: it may be left out, then its value is NULL */
  const char *help;	/* description; lines separated by newlines */
};

/* Return true if OPTION must have an argument.  */
static inline bool
command_option_needs_argument (const struct command_option *option)
{
  return option->argument != NULL && option->argument[0] != '[';
}

struct command
{
  const char *name;	   /* of a nested sub-command, both words */
  const char *operands;	   /* for the usage line */
  const char *summary;	   /* for the list of sub-commands */
  const char *description; /* printed below the usage line */
  const struct command_option *options;
  bool runs_command; /* operands are a command with options of its own: the
			first one ends the options */
  const struct command *const
    *commands; /* nested sub-commands, NULL-terminated; NULL if none */
  void (*print_more) (void); /* prints the end of --help; NULL: nothing */
  enum exit_status (*run) (int argc, char **argv);
};

/* The id of --help, which every sub-command has.  */
#define OPTION_HELP 256

/* Parse the next option of COMMAND in ARGV.  Return its id and set *VALUE to
   its argument; return -1 after the last option, with *OPERANDS the index of
   the first operand; return '?' after printing an error if the option is
   invalid.  --help is handled here: its text is printed and OPTION_HELP
   returned, and the caller has nothing left to do.  */
int command_options_next (const struct command *command, int argc, char **argv,
			  const char **value, int *operands);

/* Parse all options of COMMAND in ARGV: pass ARGUMENTS, the id and the argument
   of each to TAKE, which prints an error and returns false if it is invalid.
   Return true with *OPERANDS the index of the first operand.  Otherwise
   set *STATUS to the exit status of the command, which has nothing left to
   do.  */
bool
command_options_take (const struct command *command, int argc, char **argv,
		      bool (*take) (void *arguments, int id, const char *value),
		      void *arguments, int *operands, enum exit_status *status);

/* Print the usage of COMMAND on standard output.  */
void command_options_help (const struct command *command);

/* Print OPTIONS as in --help.  */
void command_options_list (const struct command_option *options);

/* Rows of options that several sub-commands have, in a table of options.  */
/* clang-format off */
#define BINARY_ROW                                                            \
  { 'b', "binary", "FILE",                                                    \
    "use FILE to symbolize addresses of the program or\n"                     \
    "library with its build ID; may be repeated" }
#define DEBUG_DIRECTORY_ROW(ID)                                               \
  { ID, "debug-directory", "DIRS",                                            \
    "search the colon-separated DIRS for separate debug\n"                    \
    "files (default: /usr/lib/debug)" }
/* clang-format on */

#endif /* HEAPPROF_COMMAND_OPTIONS_H */
