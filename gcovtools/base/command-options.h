/* Options of sub-commands: one table makes both the parser and --help.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COMMAND_OPTIONS_H
#define HEAPPROF_COMMAND_OPTIONS_H

#include "diagnostics.h"
#include <stdbool.h>

struct command_option
{
  int id;		/* its letter, or a number above 255 if it has
			   none; 0 ends the table */
  const char *name;	/* of the long form */
  const char *argument; /* what follows it, NULL if nothing does */
  const char *help;	/* lines separated by newlines */
};

struct command
{
  const char *name;	   /* of a sub-command's own one, both */
  const char *operands;	   /* for the line of usage */
  const char *summary;	   /* in the list of sub-commands */
  const char *description; /* under the line of usage */
  const struct command_option *options;
  const struct command *const *commands; /* sub-commands of its own, and NULL
					     at their end; NULL: it has none */
  void (*print_more) (void); /* print what --help ends with; NULL: nothing */
  enum exit_status (*run) (int argc, char **argv);
};

/* The id of --help, which every sub-command has.  */
#define OPTION_HELP 256

/* Take the next option of COMMAND from ARGV.  Return its id and set *VALUE to
   its argument; -1 if no option is left, with *OPERANDS the index of the first
   operand; '?' if the option is wrong, which has been printed then.  --help is
   answered here: OPTION_HELP is returned and there is nothing left to do.  */
int command_options_next (const struct command *command, int argc, char **argv,
			  const char **value, int *operands);

/* Take all options of COMMAND from ARGV: TAKE gets ARGUMENTS, the id and the
   argument of each, and returns false if it is wrong, which was printed.  True
   with *OPERANDS the index of the first operand; else *STATUS is the command's,
   and there is nothing left to do.  */
bool
command_options_take (const struct command *command, int argc, char **argv,
		      bool (*take) (void *arguments, int id, const char *value),
		      void *arguments, int *operands, enum exit_status *status);

/* Print the usage of COMMAND on standard output.  */
void command_options_help (const struct command *command);

/* Print the lines of OPTIONS as --help has them.  */
void command_options_list (const struct command_option *options);

#endif /* HEAPPROF_COMMAND_OPTIONS_H */
