/* Output on a terminal, page by page, by the rules of git.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pager.h"
#include "diagnostics.h"
#include "terminal.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_PAGER "less"

extern char **environ;

/* They come to the pager as well, which decides what they mean.  */
static const int ending[] = { SIGINT, SIGHUP, SIGTERM, SIGQUIT };

static bool is_disabled;

/* 0: none.  Signal handlers read it.  */
static volatile pid_t pager;

/* Whether standard error goes to the pager, too.  */
static volatile sig_atomic_t has_errors;

void
pager_disable (void)
{
  is_disabled = true;
}

/* Return the user's pager, or the default one; NULL: none.  */
static const char *
choose_pager (void)
{
  const char *own = getenv ("HEAPPROF_PAGER");
  const char *chosen = own != NULL ? own : getenv ("PAGER");
  const char *term = getenv ("TERM");
  bool is_dumb = term == NULL || strcmp (term, "dumb") == 0;
  if (is_disabled || pager != 0 || !isatty (STDOUT_FILENO)
      || (own == NULL && is_dumb))
    return NULL;
  if (chosen == NULL)
    chosen = DEFAULT_PAGER;
  return *chosen == '\0' || strcmp (chosen, "cat") == 0 ? NULL : chosen;
}

/* Tell the pager that its input has ended, and wait for it.  Safe in a signal
   handler.  */
static void
finish_pager (void)
{
  pid_t process = pager;
  int status;
  if (process == 0)
    return;
  close (STDOUT_FILENO);
  if (has_errors)
    close (STDERR_FILENO);
  while (waitpid (process, &status, 0) < 0 && errno == EINTR)
    continue;
  pager = 0;
}

static void
end_at_exit (void)
{
  fflush (stdout);
  finish_pager ();
}

/* The reader has interrupted the command, but still reads what it printed.  */
static void
end_by_signal (int number)
{
  finish_pager ();
  signal (number, SIG_DFL);
  raise (number);
}

/* Start COMMAND with the actions ACTIONS and the signal mask MASK; a shell
   starts it if it has characters that have a meaning there.  Return 0, or an
   error number.  */
static int
spawn_word (const char *command, const posix_spawn_file_actions_t *actions,
	    const sigset_t *mask, pid_t *process)
{
  char *const words[] = { (char *) command, NULL };
  char *const shell[]
    = { (char *) "sh", (char *) "-c", (char *) command, NULL };
  bool is_word = strpbrk (command, "|&;<>()$`\\\"' \t\n*?[#~=%") == NULL;
  posix_spawnattr_t attributes;
  int error = posix_spawnattr_init (&attributes);
  if (error != 0)
    return error;
  posix_spawnattr_setsigmask (&attributes, mask);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK);
  error = posix_spawnp (process, is_word ? command : "sh", actions, &attributes,
			is_word ? words : shell, environ);
  posix_spawnattr_destroy (&attributes);
  return error;
}

/* Start COMMAND with the pipe end INPUT as its standard input.  Return 0, or an
   error number.  */
static int
spawn (const char *command, int input, int other_end, const sigset_t *mask,
       pid_t *process)
{
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init (&actions);
  if (error != 0)
    return error;
  error = posix_spawn_file_actions_adddup2 (&actions, input, STDIN_FILENO);
  if (error == 0)
    error = posix_spawn_file_actions_addclose (&actions, other_end);
  if (error == 0)
    error = posix_spawn_file_actions_addclose (&actions, input);
  if (error == 0)
    error = spawn_word (command, &actions, mask, process);
  posix_spawn_file_actions_destroy (&actions);
  return error;
}

/* Let standard output, and standard error if it is the terminal, go to the pipe
   end OUTPUT.  */
static void
redirect (int output)
{
  terminal_set_paged ();
  /* Errors come in their places between lines.  */
  setvbuf (stdout, NULL, _IOLBF, 0);
  has_errors = isatty (STDERR_FILENO);
  dup2 (output, STDOUT_FILENO);
  if (has_errors)
    dup2 (output, STDERR_FILENO);
  signal (SIGPIPE, SIG_IGN);
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
    signal (ending[i], end_by_signal);
  atexit (end_at_exit);
}

void
pager_start (void)
{
  const char *command = choose_pager ();
  int ends[2];
  pid_t process;
  sigset_t held;
  sigset_t before;
  if (command == NULL || pipe (ends) != 0)
    return;
  /* Leave if all fits, keep colours, do not clear the screen.  */
  setenv ("LESS", "FRX", 0);
  setenv ("LV", "-c", 0);
  terminal_progress_end ();
  /* Between its start and the handlers for it.  */
  sigemptyset (&held);
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
    sigaddset (&held, ending[i]);
  sigprocmask (SIG_BLOCK, &held, &before);
  int error = spawn (command, ends[0], ends[1], &before, &process);
  close (ends[0]);
  if (error == 0)
    {
      pager = process;
      redirect (ends[1]);
    }
  close (ends[1]);
  sigprocmask (SIG_SETMASK, &before, NULL);
  if (error != 0 && strcmp (command, DEFAULT_PAGER) != 0)
    diagnostics_warning ("cannot run the pager '%s': %s", command,
			 strerror (error));
}
