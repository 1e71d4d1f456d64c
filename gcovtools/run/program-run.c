/* Running a program in the foreground, as if the shell had started it.
   SPDX-License-Identifier: GPL-3.0-or-later

   All signals of interest are blocked and fetched by sigtimedwait.  The program
   gets the original mask.  */

#include "program-run.h"
#include "monotonic-time.h"
#include "process-stat.h"
#include "process-tree.h"
#include "program-check.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long a program may take to end after it was asked to.  */
#define GRACE_S 10

/* Processes between this one and one that sends a signal.  */
#define MOST_ANCESTORS 100

struct waiting
{
  pid_t process;
  double end_s; /* when the program is to end */
  bool is_late;
  bool has_ended;
  int status;
};

/* ---- Starting.  */

/* Set the environment variable NAME to BEFORE and AFTER with a colon between
   them; either may be empty or NULL.  Return false if memory is exhausted.  */
static bool
set_joined (const char *name, const char *before, const char *after)
{
  char *value;
  bool has_both
    = before != NULL && *before != '\0' && after != NULL && *after != '\0';
  if (asprintf (&value, "%s%s%s", before != NULL ? before : "",
		has_both ? ":" : "", after != NULL ? after : "")
      < 0)
    return false;
  bool is_set = setenv (name, value, 1) == 0;
  free (value);
  return is_set;
}

/* Set the environment of the program, in its process.  */
static bool
set_environment (const struct program_command *command)
{
  char process[40] = "";
  if (!command->has_children)
    snprintf (process, sizeof process, "process=%ld", (long) getpid ());
  return set_joined ("LD_PRELOAD", command->library, getenv ("LD_PRELOAD"))
	 && set_joined ("HEAPPROF_OPTIONS", getenv ("HEAPPROF_OPTIONS"),
			command->options)
	 && set_joined ("HEAPPROF_OPTIONS", getenv ("HEAPPROF_OPTIONS"),
			process)
	 && (!command->has_plain_python
	     || setenv ("PYTHONMALLOC", "malloc", 1) == 0);
}

/* Execute COMMAND in the child with the signal mask MASK; on failure write the
   error number to the pipe REPORT.  */
static void
execute (const struct program_command *command, const sigset_t *mask,
	 int report)
{
  int error = ENOMEM;
  if (set_environment (command))
    {
      signal (SIGXFSZ, SIG_DFL);
      sigprocmask (SIG_SETMASK, mask, NULL);
      execvp (command->path, command->words);
      error = errno;
    }
  (void) !write (report, &error, sizeof error);
  _exit (PROGRAM_REFUSED);
}

/* Start COMMAND with the signal mask MASK.  Return its process.  On failure
   set *ERROR to an error number, and return 0 if it could not be executed, -1
   if there is no process.  */
static pid_t
start (const struct program_command *command, const sigset_t *mask, int *error)
{
  int report[2];
  if (pipe2 (report, O_CLOEXEC) != 0)
    {
      *error = errno;
      return -1;
    }
  pid_t process = fork ();
  *error = errno;
  if (process == 0)
    execute (command, mask, report[1]);
  close (report[1]);
  ssize_t bytes = 0;
  if (process > 0)
    do
      bytes = read (report[0], error, sizeof *error);
    while (bytes < 0 && errno == EINTR);
  close (report[0]);
  if (bytes != (ssize_t) sizeof *error)
    return process;
  waitpid (process, NULL, 0);
  return 0;
}

/* ---- Signals.  */

/* Return true if PROCESS is the program or below it.  */
static bool
is_of_program (pid_t process, pid_t program)
{
  struct process_stat stat;
  for (unsigned i = 0; i < MOST_ANCESTORS && process > 1; i++)
    {
      if (process == program)
	return true;
      if (!process_stat_read ((uint64_t) process, &stat))
	return false;
      process = (pid_t) stat.parent;
    }
  return false;
}

static bool
is_stopped (pid_t process)
{
  struct process_stat stat;
  return process_stat_read ((uint64_t) process, &stat) && stat.state == 'T';
}

/* Pass the signal INFO on to the program, unless it has got it already: from
   the terminal, or from its own processes, which signal their group.  */
static void
pass_on (const struct waiting *waiting, const siginfo_t *info)
{
  if (info->si_code > 0 || is_of_program (info->si_pid, waiting->process))
    return;
  if (info->si_signo != SIGCONT || is_stopped (waiting->process))
    kill (waiting->process, info->si_signo);
}

/* ---- Waiting.  */

/* Take note of what happened to the program.  */
static void
collect (struct waiting *waiting)
{
  int status;
  while (!waiting->has_ended
	 && waitpid (waiting->process, &status, WNOHANG | WUNTRACED) > 0)
    /* The shell will continue the whole group.  */
    if (WIFSTOPPED (status))
      raise (SIGSTOP);
    else
      {
	waiting->status = status;
	waiting->has_ended = true;
      }
}

/* Ask the program to end, or force it if that did not help.  */
static void
end_late (struct waiting *waiting)
{
  process_tree_kill (waiting->is_late ? SIGKILL : SIGTERM);
  process_tree_kill (SIGCONT);
  waiting->is_late = true;
  waiting->end_s = monotonic_time_s () + GRACE_S;
}

static void
wait_for_program (struct waiting *waiting, const sigset_t *signals)
{
  const double most_s = 3600;
  while (collect (waiting), !waiting->has_ended)
    {
      siginfo_t info;
      double rest_s = waiting->end_s - monotonic_time_s ();
      if (rest_s <= 0)
	{
	  end_late (waiting);
	  continue;
	}
      rest_s = fmin (rest_s, most_s);
      const struct timespec time = monotonic_time_spec (rest_s);
      int number = sigtimedwait (signals, &info, &time);
      if (number > 0 && number != SIGCHLD)
	pass_on (waiting, &info);
    }
}

int
program_run (const struct program_command *command, struct program_end *end,
	     struct profile_error *err)
{
  static const int numbers[]
    = { SIGCHLD, SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1,
	SIGUSR2, SIGALRM, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU };
  sigset_t signals;
  sigset_t original;
  int error;
  signal (SIGCHLD, SIG_DFL);
  sigemptyset (&signals);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaddset (&signals, numbers[i]);
  sigprocmask (SIG_BLOCK, &signals, &original);
  struct waiting waiting
    = { .process = start (command, &original, &error), .end_s = INFINITY };
  if (waiting.process > 0)
    {
      if (command->timeout_s > 0)
	waiting.end_s = monotonic_time_s () + command->timeout_s;
      wait_for_program (&waiting, &signals);
    }
  sigprocmask (SIG_SETMASK, &original, NULL);
  *end = (struct program_end){ .process = waiting.process,
			       .status = waiting.status,
			       .is_late = waiting.is_late };
  if (waiting.process > 0)
    return 0;
  profile_error_set_errno (err, command->words[0],
			   waiting.process < 0 ? "cannot start a process"
					       : "cannot be executed",
			   error);
  return error == ENOENT ? PROGRAM_ABSENT : PROGRAM_REFUSED;
}

int
program_end_alike (int status)
{
  if (!WIFSIGNALED (status))
    return WEXITSTATUS (status);
  const struct rlimit none = { 0, 0 };
  const int number = WTERMSIG (status);
  sigset_t signals;
  setrlimit (RLIMIT_CORE, &none);
  prctl (PR_SET_DUMPABLE, 0, 0, 0, 0);
  signal (number, SIG_DFL);
  sigemptyset (&signals);
  sigaddset (&signals, number);
  sigprocmask (SIG_UNBLOCK, &signals, NULL);
  raise (number);
  return 128 + number;
}
