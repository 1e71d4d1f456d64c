/* heapprof-gcov attach: profile a process that is running already.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "injection.h"
#include "option-values.h"
#include "output-file.h"
#include "run-profile.h"
#include "runtime-library.h"
#include "runtime-options.h"
#include "target-check.h"
#include "target-wait.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_TOP 10

/* How long to look for a thread that can do the work.  Detaching is more
   important, and possible more often.  */
#define DEFAULT_WAIT_S 5
#define DETACH_WAIT_S 60

enum
{
  OPTION_TIME = OPTION_HELP + 1,
  OPTION_WAIT,
  OPTION_REPORT,
  OPTION_RAW,
  OPTION_MAX_DEPTH,
  OPTION_RECURSION,
  OPTION_RUNTIME,
  OPTION_IGNORE_SECCOMP,
  OPTION_TOP,
  OPTION_DEBUG_DIRECTORY
};

static const struct command_option attach_options[]
  = { { OPTION_TIME, "time", "SECONDS",
	"detach after this time (default: at Ctrl-C, or when\n"
	"the process ends)" },
      { 'o', "output", "OUT",
	"write the profile to OUT (default: NAME.PID.profdata\n"
	"with the program's name and process ID)" },
      { OPTION_REPORT, "report", "FILE",
	"also write the profile as an HTML page" },
      { OPTION_RAW, "raw", "DIR",
	"keep the raw profile, in DIR, which is new or empty" },
      { OPTION_WAIT, "wait", "SECONDS",
	"how long to look for a thread of the process that is\n"
	"not allocating memory just then (default 5)" },
      { OPTION_MAX_DEPTH, "max-depth", "N",
	"record the N innermost frames of each calling context\n"
	"(default: 256; at most 1024)" },
      { OPTION_RECURSION, "recursion", "keep|fold",
	"fold: shorten recursion in calling contexts (default:\n"
	"keep)" },
      { OPTION_RUNTIME, "option", "NAME=VALUE",
	"set another option of the run-time library: peak or\n"
	"max_memory; may be repeated" },
      { OPTION_IGNORE_SECCOMP, "ignore-seccomp", NULL,
	"attach even if the process restricts its system\n"
	"calls, and might be killed for those of the library" },
      { OPTION_TOP, "top", "N",
	"print N sites in the summary (default 10; 0: all)" },
      WRAPPER_OPTION_ROWS,
      { 'q', "quiet", NULL, "print no messages and no summary" },
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { 0 } };

struct arguments
{
  struct run_profile profile;
  struct runtime_options options;
  const char *raw;
  double time_s; /* 0: no limit */
  double wait_s;
  bool ignores_seccomp;
};

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  if (wrapper_options_have (id))
    return wrapper_options_take (&arguments->profile.wrappers, "attach", id,
				 value);
  switch (id)
    {
    case 'o':
      arguments->profile.output = value;
      return true;
    case OPTION_TIME:
      return option_take_seconds ("attach", value, &arguments->time_s);
    case OPTION_WAIT:
      return option_take_seconds ("attach", value, &arguments->wait_s);
    case OPTION_REPORT:
      arguments->profile.report = value;
      return true;
    case OPTION_RAW:
      arguments->raw = value;
      return true;
    case OPTION_MAX_DEPTH:
      return runtime_options_take_depth (&arguments->options, value);
    case OPTION_RECURSION:
      return runtime_options_take_recursion (&arguments->options, value);
    case OPTION_RUNTIME:
      return runtime_options_take (&arguments->options, value);
    case OPTION_IGNORE_SECCOMP:
      arguments->ignores_seccomp = true;
      return true;
    case OPTION_TOP:
      return option_take_size ("attach", value, &arguments->profile.top);
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

static enum exit_status
fail (const struct profile_error *err)
{
  diagnostics_error (err);
  return STATUS_FAILED;
}

/* Make the folder for the raw profile, in which TARGET can write.  */
static bool
make_folder (const struct arguments *arguments, const struct target *target,
	     struct raw_folder *folder, struct profile_error *err)
{
  const char *beside = arguments->profile.output;
  /* Another user may not be able to reach this one's folders.  */
  bool is_other = target->user != geteuid ();
  if (is_other)
    beside = P_tmpdir "/profile";
  else if (beside == NULL)
    beside = "./profile";
  if (!raw_folder_make (folder, arguments->raw, beside, err))
    return false;
  if (is_other && chown (folder->path, target->user, target->group) != 0)
    profile_error_set_errno (err, folder->path,
			     "cannot give it to the process's user", errno);
  else if (target_sees (target, folder->path))
    return true;
  else
    profile_error_set (err, folder->path, PROFILE_ERROR_NO_OFFSET,
		       "the process has another root or mount namespace, and "
		       "does not see this folder; choose one with --raw");
  raw_folder_remove (folder);
  return false;
}

/* Set the default output of ARGUMENTS, in NAME of BYTES, from the program of
   TARGET.  */
static void
choose_output (struct arguments *arguments, const struct target *target,
	       char *name, size_t bytes)
{
  const char *slash = strrchr (target->program, '/');
  if (arguments->profile.output != NULL)
    return;
  snprintf (name, bytes, "%s.%ld.profdata",
	    slash != NULL ? slash + 1 : target->program, (long) target->pid);
  arguments->profile.output = name;
}

/* Make the profile from the file in FOLDER.  */
static enum exit_status
make_profile (struct arguments *arguments, const struct target *target,
	      struct raw_folder *folder)
{
  char name[PATH_MAX + 40];
  struct profile_error err;
  enum run_leaks leaks;
  if (!raw_folder_list (folder, &err))
    return fail (&err);
  if (folder->count == 0)
    {
      raw_folder_remove (folder);
      profile_error_set (&err, NULL, PROFILE_ERROR_NO_OFFSET,
			 "process %ld has left no profile", (long) target->pid);
      return fail (&err);
    }
  choose_output (arguments, target, name, sizeof name);
  bool is_done = run_profile_finish (&arguments->profile, folder, &leaks);
  raw_folder_release (folder);
  return is_done ? STATUS_DONE : STATUS_FAILED;
}

/* The process is attached: wait, and detach.  Return false after printing an
   error if it is still attached.  */
static bool
wait_and_detach (const struct arguments *arguments, struct target_wait *wait,
		 const struct injection *injection)
{
  struct profile_error err;
  const char *end = "";
  if (!arguments->profile.is_quiet)
    diagnostics_note ("process %ld: profiling its heap from now on%s",
		      (long) injection->pid,
		      arguments->time_s > 0 ? "" : "; Ctrl-C ends that");
  switch (target_wait (wait, arguments->time_s))
    {
    case TARGET_ENDED:
      end = "has ended";
      break;
    case TARGET_RUNS:
      switch (injection_detach (injection, DETACH_WAIT_S, &err))
	{
	case INJECTION_DONE:
	  return true;
	case INJECTION_GONE:
	  end = "has ended";
	  break;
	case INJECTION_FAILED:
	default:
	  diagnostics_error (&err);
	  return false;
	}
    }
  if (!arguments->profile.is_quiet)
    diagnostics_note ("process %ld %s", (long) injection->pid, end);
  return true;
}

/* Profile TARGET, loading LIBRARY into it, with raw profiles in FOLDER.  */
static enum exit_status
profile_target (struct arguments *arguments, const struct target *target,
		const char *library, struct raw_folder *folder)
{
  static char options[2 * RUNTIME_OPTIONS_BYTES];
  struct injection injection;
  struct target_wait wait;
  struct profile_error err;
  raw_folder_option (folder, options, RUNTIME_OPTIONS_BYTES);
  if (arguments->options.text[0] != '\0')
    strcat (strcat (options, ":"), arguments->options.text);
  if (!target_wait_start (&wait, target->pid, &err))
    return fail (&err);
  enum injection_end end = injection_attach (&injection, target->pid, library,
					     options, arguments->wait_s, &err);
  if (end != INJECTION_DONE)
    {
      target_wait_end (&wait);
      if (end == INJECTION_GONE)
	profile_error_set (&err, NULL, PROFILE_ERROR_NO_OFFSET,
			   "process %ld has ended", (long) target->pid);
      raw_folder_list (folder, &err);
      raw_folder_remove (folder);
      return fail (&err);
    }
  bool is_detached = wait_and_detach (arguments, &wait, &injection);
  target_wait_end (&wait);
  enum exit_status status = make_profile (arguments, target, folder);
  return is_detached ? status : STATUS_FAILED;
}

static enum exit_status
attach (struct arguments *arguments, pid_t pid)
{
  static struct raw_folder folder;
  static struct target target;
  static char library[PATH_MAX];
  struct profile_error err;
  if (!injection_check_machine (&err)
      || !runtime_library_find_attached (library, &err)
      || !target_check (&target, pid, library, arguments->ignores_seccomp, &err)
      || !make_folder (arguments, &target, &folder, &err))
    return fail (&err);
  return profile_target (arguments, &target, library, &folder);
}

/* Return the process that TEXT names; -1 after printing a usage error.  */
static pid_t
process_of (const char *text)
{
  char *end;
  errno = 0;
  long pid = strtol (text, &end, 10);
  if (*text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && pid > 0
      && pid <= INT_MAX)
    return (pid_t) pid;
  diagnostics_usage ("attach", "invalid process ID '%s'", text);
  return -1;
}

static enum exit_status
run_attach (int argc, char **argv)
{
  static const char *const owned[]
    = { "file",	 "process", "help",    "signal", "mark",  "affinity",
	"leaks", "enabled", "verbose", "log",	 "level", NULL };
  static struct arguments arguments
    = { .profile.top = DEFAULT_TOP,
	.options = { .command = "attach", .owned = owned },
	.wait_s = DEFAULT_WAIT_S };
  int operands;
  enum exit_status status;
  if (!command_options_take (&command_attach, argc, argv, take_option,
			     &arguments, &operands, &status))
    return status;
  if (argc - operands != 1)
    return diagnostics_usage ("attach", "expected one process");
  if (arguments.profile.output != NULL
      && output_file_is_stdout (arguments.profile.output))
    return diagnostics_usage ("attach", "the profile needs a file");
  pid_t pid = process_of (argv[operands]);
  status = pid < 0 ? STATUS_USAGE : attach (&arguments, pid);
  wrapper_options_release (&arguments.profile.wrappers);
  return status;
}

const struct command command_attach = {
  .name = "attach",
  .operands = "PID",
  .summary = "profile a process that is running already",
  .description
  = "Profile the heap of process PID from now on, without restarting or\n"
    "recompiling it: a library is loaded into it, which observes the calls of\n"
    "its allocator.  At Ctrl-C, after --time, or when the process ends, print\n"
    "a summary on standard error and write the profile.  The process then runs\n"
    "as before.  Blocks allocated before are not known, and children are not\n"
    "profiled.",
  .options = attach_options,
  .run = run_attach
};
