/* heapprof-gcov mip: machine-level profiles; the table of sub-commands.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "mip-commands.h"
#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = { &command_mip_extract,
						  &command_mip_create,
						  &command_mip_merge,
						  &command_mip_show,
						  &command_mip_covered,
						  &command_mip_uncovered,
						  &command_mip_edges,
						  &command_mip_order,
						  &command_mip_info,
						  &command_mip_diff,
						  &command_mip_to_text,
						  &command_mip_from_text,
						  NULL };

#define COMMAND_COUNT (sizeof commands / sizeof *commands - 1)

/* Only its sub-commands have options.  */
static const struct command_option mip_options[] = { { 0 } };

static enum exit_status
print_help (void)
{
  printf ("Usage: %s COMMAND [OPTION]... FILE...\n"
	  "Report which functions of a program ran, if it was compiled with\n"
	  "-fplugin-arg-heapprof-mip=KIND.\n"
	  "\n"
	  "Commands:\n",
	  diagnostics_invocation ("mip"));
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    printf ("  %-10s %s\n", strchr (commands[i]->name, ' ') + 1,
	    commands[i]->summary);
  printf ("\n"
	  "Options:\n"
	  "  --help     print this help and exit; after COMMAND, help on "
	  "COMMAND\n"
	  "\n"
	  "Manual page: %s(1)\n",
	  diagnostics_manual_page ("mip"));
  return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
}

static enum exit_status
run_mip (int argc, char **argv)
{
  if (argc < 2)
    return diagnostics_usage ("mip", "no command given");
  if (strcmp (argv[1], "--help") == 0)
    return print_help ();
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (strcmp (argv[1], strchr (commands[i]->name, ' ') + 1) == 0)
      {
	argv[1] = argv[0];
	return commands[i]->run (argc - 1, argv + 1);
      }
  return diagnostics_usage ("mip", "unknown %s '%s'",
			    argv[1][0] == '-' ? "option" : "command", argv[1]);
}

const struct command command_mip
  = { .name = "mip",
      .operands = "COMMAND ...",
      .summary = "report which functions ran (machine-level profiles)",
      .options = mip_options,
      .commands = commands,
      .run = run_mip };
