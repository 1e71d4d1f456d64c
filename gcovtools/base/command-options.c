/* Options of sub-commands: one table drives the parser and --help.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "command-options.h"
#include "plain-text.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define MAX_OPTIONS 48

/* Column where option descriptions start.  */
#define HELP_COLUMN 26

static const struct command_option help_option
  = { OPTION_HELP, "help", NULL, "print this help and exit" };

/* Build getopt's tables LETTERS and LONG_OPTIONS from OPTIONS.  */
static void
make_tables (const struct command_option *options, char *letters,
	     struct option *long_options)
{
  size_t count = 0;
  for (; options[count].id != 0; count++)
    {
      const struct command_option *option = &options[count];
      long_options[count]
	= (struct option){ option->name,
			   command_option_needs_argument (option)
			     ? required_argument
			   : option->argument != NULL ? optional_argument
						      : no_argument,
			   NULL, option->id };
      if (option->id > 255)
	continue;
      *letters++ = (char) option->id;
      if (option->argument != NULL)
	*letters++ = ':';
    }
  *letters = '\0';
  long_options[count++]
    = (struct option){ help_option.name, no_argument, NULL, OPTION_HELP };
  memset (&long_options[count], 0, sizeof long_options[count]);
}

/* Return the first of the COUNT WORDS that starts with a dash and contains
   characters that getopt's own message would print unescaped; NULL if none.  */
static const char *
find_odd_option (char **words, int count)
{
  for (int i = 1; i < count; i++)
    if (words[i][0] == '-'
	&& !plain_text_is_all_plain (words[i], strlen (words[i])))
      return words[i];
  return NULL;
}

int
command_options_next (const struct command *command, int argc, char **argv,
		      const char **value, int *operands)
{
  char letters[2 * MAX_OPTIONS + 2] = "+";
  struct option long_options[MAX_OPTIONS + 2];
  make_tables (command->options, letters + command->runs_command, long_options);
  const char *odd = find_odd_option (argv, argc);
  /* Only ever clear opterr: it is 0 already if another process prints
     errors.  */
  if (odd != NULL)
    opterr = 0;
  /* Accept long options with one dash, as LLVM's tools do.  */
  int id = getopt_long_only (argc, argv, letters, long_options, NULL);
  *value = optarg;
  *operands = optind;
  if (id == OPTION_HELP)
    command_options_help (command);
  else if (id == '?' && odd != NULL)
    diagnostics_usage (command->name, "invalid option '%s'", odd);
  else if (id == '?')
    diagnostics_point_to_help (command->name);
  return id;
}

bool
command_options_take (const struct command *command, int argc, char **argv,
		      bool (*take) (void *arguments, int id, const char *value),
		      void *arguments, int *operands, enum exit_status *status)
{
  const char *value;
  int id;
  *status = STATUS_USAGE;
  while ((id = command_options_next (command, argc, argv, &value, operands))
	 != -1)
    {
      if (id == OPTION_HELP)
	{
	  *status = diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
	  return false;
	}
      if (id == '?' || !take (arguments, id, value))
	return false;
    }
  return true;
}

/* Print OPTION and its description, with continuation lines indented.  */
static void
print_option (const struct command_option *option)
{
  char left[80];
  char letter[8] = "    ";
  if (option->id <= 255)
    snprintf (letter, sizeof letter, "-%c, ", option->id);
  int bytes = snprintf (left, sizeof left, "  %s--%s%s%s", letter, option->name,
			command_option_needs_argument (option) ? "=" : "",
			option->argument != NULL ? option->argument : "");
  printf ("%s", left);
  if (bytes + 2 > HELP_COLUMN)
    {
      putchar ('\n');
      bytes = 0;
    }
  for (const char *line = option->help; line != NULL;)
    {
      size_t length = strcspn (line, "\n");
      printf ("%*s%.*s\n", HELP_COLUMN - bytes, "", (int) length, line);
      bytes = 0;
      line = line[length] != '\0' ? line + length + 1 : NULL;
    }
}

void
command_options_list (const struct command_option *options)
{
  for (; options->id != 0; options++)
    print_option (options);
  print_option (&help_option);
}

void
command_options_help (const struct command *command)
{
  printf ("Usage: %s [OPTION]... %s\n%s\n\n",
	  diagnostics_invocation (command->name), command->operands,
	  command->description);
  command_options_list (command->options);
  printf ("\nManual page: %s(1)\n", diagnostics_manual_page (command->name));
  if (command->print_more != NULL)
    command->print_more ();
}
