/* heapprof-gcov run: run a program and profile its heap.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "option-values.h"
#include "output-file.h"
#include "program-check.h"
#include "program-run.h"
#include "run-profile.h"
#include "runtime-library.h"
#include "runtime-options.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Exit statuses besides those of the program, as of timeout(1).  */
#define STATUS_LATE 124
#define STATUS_NO_PROFILE 125

#define DEFAULT_TOP 10

enum
{
  OPTION_REPORT = OPTION_HELP + 1,
  OPTION_SARIF,
  OPTION_SUPPRESSIONS,
  OPTION_LEAK_EXIT_CODE,
  OPTION_GITHUB,
  OPTION_GITLAB,
  OPTION_RAW,
  OPTION_CHILDREN,
  OPTION_PYTHON_MALLOC,
  OPTION_TIMEOUT,
  OPTION_SAMPLE,
  OPTION_MAX_DEPTH,
  OPTION_RECURSION,
  OPTION_RUNTIME,
  OPTION_TOP,
  OPTION_DEBUG_DIRECTORY
};

static const struct command_option run_options[]
  = { { 'o', "output", "OUT",
	"write the profile to OUT (default: NAME.PID.profdata\n"
	"with the program's name and process ID)" },
      { OPTION_REPORT, "report", "FILE",
	"also write the profile as an HTML page" },
      LEAK_SUPPRESSIONS_ROW (OPTION_SUPPRESSIONS),
      { OPTION_LEAK_EXIT_CODE, "leak-exit-code", "N",
	"exit with status N, 1 to 255, if the program ends with\n"
	"status 0 but has lost blocks: that no pointer leads to" },
      { OPTION_SARIF, "sarif", "FILE",
	"also write advice on the profile (see advise) to FILE,\n"
	"as SARIF 2.1.0; -: standard error" },
      { OPTION_GITHUB, "github", "FILE", "the same as annotations of GitHub" },
      { OPTION_GITLAB, "gitlab", "FILE",
	"the same as a Code Quality report of GitLab" },
      { OPTION_RAW, "raw", "DIR",
	"keep the raw profiles, in DIR, which is new or empty" },
      { OPTION_CHILDREN, "children", NULL,
	"also profile the program's child processes" },
      { OPTION_PYTHON_MALLOC, "python-malloc", NULL,
	"let Python allocate each object by malloc, so that\n"
	"small ones are recorded, too (PYTHONMALLOC=malloc)" },
      { OPTION_TIMEOUT, "timeout", "SECONDS",
	"send SIGTERM to the program after this time, and\n"
	"SIGKILL 10 seconds later; the exit status is 124" },
      { OPTION_SAMPLE, "sample", "BYTES",
	"profile a random sample of blocks, one for each BYTES\n"
	"allocated on average (512k: for production); numbers\n"
	"are estimates, other blocks are not touched" },
      { OPTION_MAX_DEPTH, "max-depth", "N",
	"record the N innermost frames of each calling context\n"
	"(default: 256; at most 1024)" },
      { OPTION_RECURSION, "recursion", "keep|fold",
	"fold: shorten recursion in calling contexts (default:\n"
	"keep)" },
      { OPTION_RUNTIME, "option", "NAME=VALUE",
	"set another option of the run-time library; may be\n"
	"repeated" },
      { OPTION_TOP, "top", "N",
	"print N sites in the summary (default 10; 0: all)" },
      WRAPPER_OPTION_ROWS,
      { 'q', "quiet", NULL, "print no summary" },
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { 0 } };

struct arguments
{
  struct run_profile profile;
  struct program_command command;
  const char *raw;
  size_t leak_status; /* 0: not given */
  struct runtime_options options;
};

static bool
take_leak_status (struct arguments *arguments, const char *value)
{
  if (!option_take_size ("run", value, &arguments->leak_status))
    return false;
  if (arguments->leak_status >= 1 && arguments->leak_status <= 255)
    return true;
  diagnostics_usage ("run", "invalid status '%s' (expected 1 to 255)", value);
  return false;
}

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  if (wrapper_options_have (id))
    return wrapper_options_take (&arguments->profile.wrappers, "run", id,
				 value);
  switch (id)
    {
    case 'o':
      arguments->profile.output = value;
      return true;
    case OPTION_REPORT:
      arguments->profile.report = value;
      return true;
    case OPTION_SUPPRESSIONS:
      return leak_suppressions_take (&arguments->profile.suppressions, value);
    case OPTION_LEAK_EXIT_CODE:
      return take_leak_status (arguments, value);
    case OPTION_SARIF:
      arguments->profile.findings[OUTPUT_SARIF] = value;
      return true;
    case OPTION_GITHUB:
      arguments->profile.findings[OUTPUT_GITHUB] = value;
      return true;
    case OPTION_GITLAB:
      arguments->profile.findings[OUTPUT_GITLAB] = value;
      return true;
    case OPTION_RAW:
      arguments->raw = value;
      return true;
    case OPTION_CHILDREN:
      arguments->command.has_children = true;
      return true;
    case OPTION_PYTHON_MALLOC:
      arguments->command.has_plain_python = true;
      return true;
    case OPTION_TIMEOUT:
      return option_take_seconds ("run", value, &arguments->command.timeout_s);
    case OPTION_SAMPLE:
      return runtime_options_take_sample (&arguments->options, value);
    case OPTION_MAX_DEPTH:
      return runtime_options_take_depth (&arguments->options, value);
    case OPTION_RECURSION:
      return runtime_options_take_recursion (&arguments->options, value);
    case OPTION_RUNTIME:
      return runtime_options_take (&arguments->options, value);
    case OPTION_TOP:
      return option_take_size ("run", value, &arguments->profile.top);
    case 'q':
      arguments->profile.is_quiet = true;
      return true;
    case OPTION_DEBUG_DIRECTORY:
      arguments->profile.debug_directories = value;
      return true;
    default:
      return false;
    }
}

/* Print *ERR and return STATUS.  */
static int
fail (const struct profile_error *err, int status)
{
  diagnostics_error (err);
  return status;
}

/* Make the profile of the process END from the files in FOLDER.  Return false
   after printing an error on failure.  */
static bool
make_profile (struct arguments *arguments, const struct program_end *end,
	      struct raw_folder *folder, enum run_leaks *leaks)
{
  struct run_profile *profile = &arguments->profile;
  struct profile_error err;
  char name[PATH_MAX + 40];
  const char *word = arguments->command.words[0];
  const char *slash = strrchr (word, '/');
  if (!raw_folder_list (folder, &err))
    {
      diagnostics_error (&err);
      return false;
    }
  if (folder->count == 0)
    {
      diagnostics_warning ("%s: there is no profile: %s", word,
			   arguments->options.is_off
			     ? "option 'enabled=0' switches profiling off"
			     : "it allocated nothing, or has a malloc of its "
			       "own");
      raw_folder_remove (folder);
      return true;
    }
  if (profile->output == NULL)
    {
      snprintf (name, sizeof name, "%s.%ld.profdata",
		slash != NULL ? slash + 1 : word, (long) end->process);
      profile->output = name;
    }
  return run_profile_finish (profile, folder, leaks);
}

/* Run the program with raw profiles in FOLDER.  Return the exit status, or end
   by the program's signal.  */
static int
run_in (struct arguments *arguments, struct raw_folder *folder)
{
  struct program_command *command = &arguments->command;
  struct program_end end;
  struct profile_error err;
  int status = program_run (command, &end, &err);
  if (status != 0)
    {
      raw_folder_remove (folder);
      return fail (&err, status);
    }
  enum run_leaks leaks = RUN_LEAKS_UNKNOWN;
  bool is_done = make_profile (arguments, &end, folder, &leaks);
  raw_folder_release (folder);
  if (end.is_late)
    return STATUS_LATE;
  status = program_end_alike (end.status);
  if (status != 0)
    return status;
  if (!is_done)
    return STATUS_NO_PROFILE;
  if (arguments->leak_status != 0 && leaks == RUN_LEAKS_UNKNOWN)
    diagnostics_warning ("%s: it is not known whether blocks were lost",
			 command->words[0]);
  return leaks == RUN_LEAKS_FOUND ? (int) arguments->leak_status : 0;
}

/* Run the program named by the operands of ARGUMENTS.  */
static int
run (struct arguments *arguments)
{
  struct program_command *command = &arguments->command;
  const char *output = arguments->profile.output;
  static struct checked_program program;
  static struct raw_folder folder;
  static char library[PATH_MAX];
  static char options[2 * RUNTIME_OPTIONS_BYTES];
  struct profile_error err;
  int status = program_check (&program, command->words[0], &err);
  if (status != PROGRAM_USABLE)
    return fail (&err, status);
  if (!runtime_library_find (library, &err)
      || !raw_folder_make (&folder, arguments->raw,
			   output != NULL ? output : "./profile", &err))
    return fail (&err, STATUS_NO_PROFILE);
  raw_folder_option (&folder, options, RUNTIME_OPTIONS_BYTES);
  if (arguments->options.text[0] != '\0')
    strcat (strcat (options, ":"), arguments->options.text);
  command->path = program.path;
  command->library = library;
  command->options = options;
  return run_in (arguments, &folder);
}

static enum exit_status
run_run (int argc, char **argv)
{
  static const char *const owned[] = { "file", "process", "help", NULL };
  static struct arguments arguments
    = { .profile.top = DEFAULT_TOP,
	.options = { .command = "run", .owned = owned } };
  int operands;
  enum exit_status status;
  if (!command_options_take (&command_run, argc, argv, take_option, &arguments,
			     &operands, &status))
    return status;
  if (operands == argc)
    return diagnostics_usage ("run", "no program given");
  if (arguments.profile.output != NULL
      && output_file_is_stdout (arguments.profile.output))
    return diagnostics_usage ("run", "standard output is the program's");
  arguments.command.words = argv + operands;
  status = (enum exit_status) run (&arguments);
  wrapper_options_release (&arguments.profile.wrappers);
  leak_suppressions_release (&arguments.profile.suppressions);
  return status;
}

static void
print_statuses (void)
{
  puts (
    "\n"
    "Exit status: the program's; if a signal killed it, the same signal.\n"
    "  N      of --leak-exit-code=N: the program's is 0, and it lost blocks\n"
    "  2      wrong usage\n"
    "  124    the timeout has passed\n"
    "  125    no profile could be made, and the program ended with status "
    "0,\n"
    "         or was not run\n"
    "  126    the program cannot be executed, or cannot be profiled\n"
    "  127    the program was not found");
}

const struct command command_run = {
  .name = "run",
  .operands = "[--] PROGRAM [ARG]...",
  .summary = "run a program, built with heapprof or not, and profile it",
  .description
  = "Run PROGRAM and profile its heap, without recompiling it: the run-time\n"
    "library is preloaded.  When PROGRAM ends, or is killed, print a summary\n"
    "on standard error and write the profile.  Accesses are only counted in\n"
    "code that was compiled with heapprof.",
  .options = run_options,
  .runs_command = true,
  .print_more = print_statuses,
  .run = run_run
};
