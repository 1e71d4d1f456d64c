/* Runs of commands, one at a time, and what they use.
   SPDX-License-Identifier: GPL-3.0-or-later

   SIGCHLD and the signals that ask this process to end are blocked, and fetched
   while a command runs, so that none is missed.  */

#include "process-run.h"
#include "process-tree.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long processes may take to end after the command has, and after they were
   asked to.  */
#define GRACE_NS 1e9

static sigset_t fetched_signals;
static sigset_t original_signals;

/* Standard error of commands.  */
static int messages = -1;

/* A command that runs.  */
struct run
{
  const struct process_command *command;
  struct process_usage *usage;
  pid_t process;
  double start_ns;
  bool has_ended;
  int status;
  bool is_late;	    /* the timeout has passed */
  int interruption; /* signal that asks this process to end; 0: none */
};

static double
now_ns (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

/* Return true if the signal NUMBER is ignored, as SIGHUP by nohup.  */
static bool
is_ignored (int number)
{
  struct sigaction action;
  return sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool
process_run_start (struct profile_error *err)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
  process_tree_start ();
  FILE *file = tmpfile ();
  if (file == NULL)
    return profile_error_set_errno (err, NULL, "cannot make a temporary file",
				    errno);
  messages = fileno (file);
  fcntl (messages, F_SETFD, FD_CLOEXEC);
  signal (SIGCHLD, SIG_DFL);
  sigemptyset (&fetched_signals);
  sigaddset (&fetched_signals, SIGCHLD);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!is_ignored (numbers[i]))
      sigaddset (&fetched_signals, numbers[i]);
  sigprocmask (SIG_BLOCK, &fetched_signals, &original_signals);
  return true;
}

int
process_run_messages (void)
{
  return messages;
}

void
process_run_stop (void)
{
  sigprocmask (SIG_SETMASK, &original_signals, NULL);
}

void
process_run_end_by (int number)
{
  signal (number, SIG_DFL);
  sigprocmask (SIG_SETMASK, &original_signals, NULL);
  raise (number);
}

/* ---- Starting.  */

/* Make FILE_NUMBER, unless it is -1, the child's NUMBER.  */
static bool
redirect (int file_number, int number)
{
  return file_number >= 0 && dup2 (file_number, number) >= 0;
}

static size_t
count_words (char *const *words)
{
  size_t count = 0;
  while (words != NULL && words[count] != NULL)
    count++;
  return count;
}

/* Return all words of COMMAND; NULL if memory is exhausted.  */
static char **
make_words (const struct process_command *command)
{
  size_t before_count = count_words ((char *const *) command->before);
  size_t count = count_words (command->words);
  char **words = calloc (before_count + count + 1, sizeof *words);
  if (words == NULL)
    return NULL;
  if (before_count > 0)
    memcpy (words, command->before, before_count * sizeof *words);
  memcpy (words + before_count, command->words, count * sizeof *words);
  return words;
}

/* Store SETTING, NAME=VALUE, in the ENVIRONMENT of COUNT settings, in place of
   any with the same name.  Return the new COUNT.  */
static size_t
add_setting (char **environment, size_t count, char *setting)
{
  size_t bytes = strcspn (setting, "=") + 1;
  for (size_t i = 0; i < count; i++)
    if (strncmp (environment[i], setting, bytes) == 0)
      {
	environment[i] = setting;
	return count;
      }
  environment[count] = setting;
  return count + 1;
}

/* Return the environment of COMMAND, its settings added to this process's; NULL
   if memory is exhausted.  */
static char **
make_environment (const struct process_command *command)
{
  size_t count = count_words (environ);
  char **environment
    = calloc (count + count_words (command->settings) + 2, sizeof *environment);
  if (environment == NULL)
    return NULL;
  memcpy (environment, environ, count * sizeof *environment);
  if (command->setting != NULL)
    count = add_setting (environment, count, (char *) command->setting);
  for (char **setting = command->settings; *setting != NULL; setting++)
    count = add_setting (environment, count, *setting);
  return environment;
}

/* Execute WORDS in the child, which must do as little as possible: its memory
   and time count for the command.  */
static void
execute (const struct process_command *command, char **words,
	 char **environment)
{
  setpgid (0, 0);
  if (command->small_pages)
    prctl (PR_SET_THP_DISABLE, 1, 0, 0, 0);
  signal (SIGXFSZ, SIG_DFL);
  sigprocmask (SIG_SETMASK, &original_signals, NULL);
  if (!redirect (messages, STDERR_FILENO))
    _exit (127);
  if (!redirect (open (command->input, O_RDONLY | O_CLOEXEC), STDIN_FILENO))
    dprintf (STDERR_FILENO, "%s: %s\n", command->input, strerror (errno));
  else if (redirect (command->output, STDOUT_FILENO))
    {
      execvpe (words[0], words, environment);
      dprintf (STDERR_FILENO, "%s: %s\n", words[0], strerror (errno));
    }
  _exit (127);
}

/* Empty FILE_NUMBER, a file or a device.  */
static void
empty (int file_number)
{
  if (lseek (file_number, 0, SEEK_SET) != 0 || ftruncate (file_number, 0) != 0)
    return;
}

static bool
start (struct run *run, struct profile_error *err)
{
  char **words = make_words (run->command);
  char **environment = make_environment (run->command);
  if (words == NULL || environment == NULL)
    {
      free (environment);
      free (words);
      return profile_error_set_memory (err, NULL);
    }
  empty (run->command->output);
  empty (messages);
  run->start_ns = now_ns ();
  run->process = fork ();
  if (run->process == 0)
    execute (run->command, words, environment);
  free (environment);
  free (words);
  if (run->process > 0)
    return true;
  return profile_error_set_errno (err, run->command->name,
				  "cannot start a process", errno);
}

/* ---- Waiting.  */

static double
timeval_ns (struct timeval time)
{
  return (double) time.tv_sec * 1e9 + (double) time.tv_usec * 1e3;
}

static void
add_usage (struct process_usage *usage, const struct rusage *used)
{
  usage->cpu_ns += timeval_ns (used->ru_utime) + timeval_ns (used->ru_stime);
  usage->minor_faults += (double) used->ru_minflt;
  usage->major_faults += (double) used->ru_majflt;
  usage->peak_bytes = fmax (usage->peak_bytes, (double) used->ru_maxrss * 1024);
}

/* Take note of processes that have ended.  Return false if there are no
   more.  */
static bool
collect (struct run *run)
{
  struct rusage used;
  int status;
  pid_t process;
  while ((process = wait4 (-1, &status, WNOHANG, &used)) > 0)
    {
      add_usage (run->usage, &used);
      if (process != run->process)
	continue;
      run->usage->wall_ns = now_ns () - run->start_ns;
      run->status = status;
      run->has_ended = true;
    }
  return process == 0;
}

/* Wait for a signal, at most WAIT_NS nanoseconds.  */
static void
wait_for_signal (struct run *run, double wait_ns)
{
  const double most_ns = 3600e9;
  if (wait_ns > most_ns)
    wait_ns = most_ns;
  else if (wait_ns < 0)
    wait_ns = 0;
  const struct timespec time = { .tv_sec = (time_t) (wait_ns / 1e9),
				 .tv_nsec = (long) fmod (wait_ns, 1e9) };
  int number = sigtimedwait (&fetched_signals, NULL, &time);
  if (number > 0 && number != SIGCHLD)
    run->interruption = number;
}

/* Wait until the command ends, is late, or this process is to end.  */
static void
wait_for_command (struct run *run)
{
  const struct process_command *command = run->command;
  const double end_ns = command->timeout_s > 0
			  ? run->start_ns + command->timeout_s * 1e9
			  : INFINITY;
  while (collect (run), !run->has_ended && run->interruption == 0)
    {
      double rest_ns = end_ns - now_ns ();
      run->is_late = rest_ns <= 0;
      if (run->is_late)
	return;
      if (command->watch_ns > 0)
	command->watch (command->watch_data);
      wait_for_signal (run, command->watch_ns > 0
			      ? fmin (rest_ns, command->watch_ns)
			      : rest_ns);
    }
}

/* Wait until all processes have ended, for GRACE_NS.  Return true if they
   have.  */
static bool
wait_for_all (struct run *run)
{
  const double end_ns = now_ns () + GRACE_NS;
  while (collect (run))
    {
      double rest_ns = end_ns - now_ns ();
      if (rest_ns <= 0)
	return false;
      wait_for_signal (run, rest_ns);
    }
  return true;
}

/* End all processes.  */
static void
end_all (struct run *run)
{
  process_tree_kill (SIGTERM);
  process_tree_kill (SIGCONT);
  while (!wait_for_all (run))
    process_tree_kill (SIGKILL);
}

/* ---- Failures.  */

/* Store the last line of standard error in TEXT, after ": "; nothing if there
   is none.  */
static void
last_message (char *text, size_t bytes)
{
  char end[1024];
  off_t size = lseek (messages, 0, SEEK_END);
  off_t start_at = size > (off_t) sizeof end ? size - (off_t) sizeof end : 0;
  ssize_t count = pread (messages, end, sizeof end, start_at);
  text[0] = '\0';
  while (count > 0 && end[count - 1] == '\n')
    count--;
  if (count <= 0)
    return;
  const char *line = memrchr (end, '\n', (size_t) count);
  line = line != NULL ? line + 1 : end;
  snprintf (text, bytes, ": %.*s", (int) (end + count - line), line);
}

/* Set *ERR if the run failed.  */
static bool
check_status (const struct run *run, struct profile_error *err)
{
  const struct process_command *command = run->command;
  char message[PROFILE_ERROR_CAUSE_BYTES];
  last_message (message, sizeof message);
  if (WIFSIGNALED (run->status))
    return profile_error_set (err, command->name, PROFILE_ERROR_NO_OFFSET,
			      "killed by signal %d (%s)%s",
			      WTERMSIG (run->status),
			      strsignal (WTERMSIG (run->status)), message);
  int status = WEXITSTATUS (run->status);
  if (status != command->expected_status)
    return profile_error_set (err, command->name, PROFILE_ERROR_NO_OFFSET,
			      "exit status %d (expected %d)%s", status,
			      command->expected_status, message);
  return true;
}

static bool
set_late (const struct run *run, struct profile_error *err)
{
  return profile_error_set (err, run->command->name, PROFILE_ERROR_NO_OFFSET,
			    "still running after %g seconds",
			    run->command->timeout_s);
}

static bool
set_left (const struct run *run, pid_t process, struct profile_error *err)
{
  return profile_error_set (err, run->command->name, PROFILE_ERROR_NO_OFFSET,
			    "process %ld is still running after the command "
			    "has ended",
			    (long) process);
}

bool
process_run (const struct process_command *command, struct process_usage *usage,
	     int *interruption, struct profile_error *err)
{
  struct run run = { .command = command, .usage = usage };
  *usage = (struct process_usage){ 0 };
  *interruption = 0;
  if (!start (&run, err))
    return false;
  wait_for_command (&run);
  pid_t left = 0;
  if (!run.has_ended || !wait_for_all (&run))
    {
      left = process_tree_first ();
      end_all (&run);
    }
  *interruption = run.interruption;
  if (run.interruption != 0)
    return false;
  if (run.is_late)
    return set_late (&run, err);
  return check_status (&run, err) && (left == 0 || set_left (&run, left, err));
}
