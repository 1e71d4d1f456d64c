/* heapprof-gcov doctor: diagnose problems and suggest fixes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "doctor.h"
#include "pager.h"
#include <stdio.h>

enum
{
  OPTION_COMPILER = OPTION_HELP + 1,
  OPTION_FOLDER,
  OPTION_DEBUG_DIRECTORY,
  OPTION_JSON
};

static const struct command_option doctor_options[]
  = { { OPTION_COMPILER, "compiler", "NAME",
	"check the compiler NAME as run by heapprof-NAME\n"
	"(default: gcc)" },
      { OPTION_FOLDER, "folder", "DIR",
	"the folder where raw profiles will be written\n"
	"(default: .)" },
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { OPTION_JSON, "json", NULL, "print all data as JSON" },
      { 0 } };

struct arguments
{
  const char *compiler;
  const char *folder;
  struct doctor_search search;
  bool is_json;
};

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  switch (id)
    {
    case OPTION_COMPILER:
      arguments->compiler = value;
      return true;
    case OPTION_FOLDER:
      arguments->folder = value;
      return true;
    case OPTION_DEBUG_DIRECTORY:
      arguments->search.debug_directories = value;
      return true;
    case OPTION_JSON:
      arguments->is_json = true;
      return true;
    default:
      return false;
    }
}

/* Check the COUNT files PATHS, or this machine if COUNT is 0, and print the
   findings.  */
static enum exit_status
examine (const struct arguments *arguments, char **paths, int count)
{
  struct findings *findings = findings_new ();
  if (findings == NULL)
    return diagnostics_memory ();
  for (int i = 0; i < count; i++)
    doctor_check_file (findings, paths[i], &arguments->search);
  if (count == 0)
    {
      doctor_check_compiler (findings, arguments->compiler);
      doctor_check_machine (findings, arguments->folder);
    }
  enum exit_status status = findings_count (findings, FINDING_WRONG) == 0
			      ? STATUS_DONE
			      : STATUS_FAILED;
  pager_start ();
  if (!(arguments->is_json ? findings_print_json (findings)
			   : findings_print_text (findings)))
    status = diagnostics_memory ();
  findings_free (findings);
  return diagnostics_close_stdout () ? status : STATUS_FAILED;
}

static enum exit_status
run_doctor (int argc, char **argv)
{
  struct arguments arguments = { .compiler = "gcc", .folder = "." };
  int operands;
  enum exit_status status;
  if (!command_options_take (&command_doctor, argc, argv, take_option,
			     &arguments, &operands, &status))
    return status;
  return examine (&arguments, argv + operands, argc - operands);
}

const struct command command_doctor = {
  .name = "doctor",
  .operands = "[FILE...]",
  .summary = "diagnose problems and suggest fixes",
  .description
  = "Check that programs can be compiled, run and profiled on this machine.\n"
    "If FILEs (programs, shared objects or profiles) are given, check these\n"
    "instead: whether accesses are counted, debug information is found, and\n"
    "anything is missing.  Exit with status 1 if a problem is found.",
  .options = doctor_options,
  .run = run_doctor
};
