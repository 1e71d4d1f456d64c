/* heapprof-gcov: the table of sub-commands, --help and --version.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "completion.h"
#include "pager.h"
#include <config.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define PROGRAM_NAME "heapprof-gcov"
#define COMPLETION_OPTION "--completion="

static const struct command command_help;

static const struct command *const commands[]
  = { &command_run,    &command_attach,	 &command_top,	    &command_mark,
      &command_merge,  &command_convert, &command_show,	    &command_annotate,
      &command_report, &command_export,	 &command_push,	    &command_overlap,
      &command_diff,   &command_trend,	 &command_matching, &command_advise,
      &command_prove,  &command_profgen, &command_match,    &command_mip,
      &command_doctor, &command_help };

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static enum exit_status
print_help (void)
{
  printf ("Usage: %s COMMAND [OPTION]... FILE...\n"
	  "Read, combine and print heap profiles of programs built with "
	  "heapprof.\n"
	  "\n"
	  "Commands:\n",
	  PROGRAM_NAME);
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    printf ("  %-8s %s\n", commands[i]->name, commands[i]->summary);
  printf ("\n"
	  "Options:\n"
	  "  --help     print this help and exit; after COMMAND, help on "
	  "COMMAND\n"
	  "  --version  print the version and exit\n"
	  "  --no-pager\n"
	  "             before COMMAND: print on a terminal without a pager\n"
	  "  --completion=SHELL\n"
	  "             print a completion script for SHELL (bash, zsh or "
	  "fish)\n"
	  "\n"
	  "Exit status: 0 on success, 1 if a file is invalid, 2 on a usage "
	  "error.\n"
	  "\n"
	  "Manual pages: %s(1), and %s-COMMAND(1) for each COMMAND;\n"
	  "the manual, with a tutorial: info heapprof\n",
	  PROGRAM_NAME, PROGRAM_NAME);
  return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
}

static enum exit_status
print_version (void)
{
  printf ("%s (heapprof) %s\n"
	  "Copyright (C) 2026 the heapprof authors.\n"
	  "License GPLv3+: GNU GPL version 3 or later "
	  "<https://gnu.org/licenses/gpl.html>.\n"
	  "This is free software: you are free to change and redistribute it.\n"
	  "There is NO WARRANTY, to the extent permitted by law.\n",
	  PROGRAM_NAME, PACKAGE_VERSION);
  return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
}

static enum exit_status
print_completion (const char *shell)
{
  if (!completion_print (shell, PROGRAM_NAME, commands, COMMAND_COUNT))
    return diagnostics_usage (NULL,
			      "unknown shell '%s' (expected bash, zsh or fish)",
			      shell);
  return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
}

static const struct command *
find_command (const char *name)
{
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (strcmp (name, commands[i]->name) == 0)
      return commands[i];
  return NULL;
}

static enum exit_status
run_help (int argc, char **argv)
{
  static char help_option[] = "--help";
  const char *value;
  int operands;
  int id = command_options_next (&command_help, argc, argv, &value, &operands);
  if (id == OPTION_HELP)
    return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
  if (id != -1)
    return STATUS_USAGE;
  if (operands == argc)
    return print_help ();
  const struct command *command = find_command (argv[operands]);
  if (command == NULL)
    return diagnostics_usage (NULL, "unknown command '%s'", argv[operands]);
  /* Pass on the words that follow, such as a command of mip.  */
  char **words = argv + operands;
  int count = argc - operands;
  memmove (words, words + 1, (size_t) (count - 1) * sizeof *words);
  words[count - 1] = help_option;
  argv[operands - 1] = argv[0];
  optind = 0;
  return command->run (count + 1, argv + operands - 1);
}

/* Defined here, not in its own file: it needs the table above.  */
static const struct command_option help_options[] = { { 0 } };
static const struct command command_help
  = { .name = "help",
      .operands = "[COMMAND]",
      .summary = "print the help of a command",
      .description = "Print the help of the program or of COMMAND.",
      .options = help_options,
      .run = run_help };

int
main (int argc, char **argv)
{
  static char program_name[] = PROGRAM_NAME;
  diagnostics_start (PROGRAM_NAME, true);
  if (argc < 2)
    return diagnostics_usage (NULL, "no command given");
  if (strcmp (argv[1], "--no-pager") == 0)
    {
      pager_disable ();
      argc--;
      argv++;
      if (argc < 2)
	return diagnostics_usage (NULL, "no command given");
    }
  if (strcmp (argv[1], "--help") == 0)
    return print_help ();
  if (strcmp (argv[1], "--version") == 0)
    return print_version ();
  if (strncmp (argv[1], COMPLETION_OPTION, strlen (COMPLETION_OPTION)) == 0)
    return print_completion (argv[1] + strlen (COMPLETION_OPTION));
  const struct command *command = find_command (argv[1]);
  if (command != NULL)
    {
      argv[1] = program_name;
      return command->run (argc - 1, argv + 1);
    }
  if (argv[1][0] == '-')
    return diagnostics_usage (NULL, "unknown option '%s'", argv[1]);
  return diagnostics_usage (NULL, "unknown command '%s'", argv[1]);
}
