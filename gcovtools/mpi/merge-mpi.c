/* heapprof-merge-mpi: heapprof-gcov merge in parallel processes.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every process runs the same command on its share of the inputs; then the
   profiles are merged pairwise into that of the first process, which writes it.
   The first process also prints the messages of the others.  */

#include "commands.h"
#include "mpi-group.h"
#include <config.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define PROGRAM_NAME "heapprof-merge-mpi"

/* Keep this process from printing.  Return false on failure.  */
static bool
be_quiet (struct diagnostics_lines *lines)
{
  opterr = 0;
  diagnostics_hold (lines);
  return freopen ("/dev/null", "w", stdout) != NULL;
}

static enum exit_status
print_version (void)
{
  printf ("%s (heapprof) %s\n", PROGRAM_NAME, PACKAGE_VERSION);
  return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
}

int
main (int argc, char **argv)
{
  struct diagnostics_lines lines = { 0 };
  enum exit_status status;
  const struct process_group *group = mpi_group_start (&argc, &argv);
  diagnostics_start (PROGRAM_NAME, false);
  if (group->rank > 0 && !be_quiet (&lines))
    opterr = 0;
  if (argc == 2 && strcmp (argv[1], "--version") == 0)
    status = print_version ();
  else
    status = command_merge_run (argc, argv, group);
  mpi_group_print_lines (&lines);
  diagnostics_hold (NULL);
  diagnostics_lines_free (&lines);
  mpi_group_end ();
  return status;
}
