/* exec and signals: ends HOW [FUNCTION or NUMBER].  Before the end, before_end
   allocates two blocks, releases one and writes the other 5 times.  If the
   program continues, it allocates 3 blocks in after_end.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))
#define SELF "/proc/self/exe"

extern char **environ;

static long *kept;
static const char *how, *what;

static NOINLINE void
before_end (void)
{
  free (malloc (1000));
  kept = malloc (2000);
  for (volatile int i = 0; i < 5; i++)
    kept[i] = i;
}

static NOINLINE void
after_end (void)
{
  for (int i = 0; i < 3; i++)
    free (malloc (10));
}

/* Execute PATH with the function WHAT and the argument "after".  */

static NOINLINE void
execute (const char *path)
{
  char *const words[] = { (char *) "ends", (char *) "after", NULL };
  if (strcmp (what, "execve") == 0)
    execve (path, words, environ);
  if (strcmp (what, "execv") == 0)
    execv (path, words);
  if (strcmp (what, "execvp") == 0)
    execvp (path, words);
  if (strcmp (what, "execvpe") == 0)
    execvpe (path, words, environ);
  if (strcmp (what, "execl") == 0)
    execl (path, "ends", "after", (char *) NULL);
  if (strcmp (what, "execlp") == 0)
    execlp (path, "ends", "after", (char *) NULL);
  if (strcmp (what, "execle") == 0)
    execle (path, "ends", "after", (char *) NULL, environ);
  if (strcmp (what, "fexecve") == 0)
    fexecve (open (path, O_RDONLY), words, environ);
  if (strcmp (what, "execveat") == 0)
    execveat (AT_FDCWD, path, words, environ, 0);
}

static volatile int stop;

static NOINLINE void *
work (void *data)
{
  long *count = data;
  while (!stop)
    {
      free (malloc (50));
      ++*count;
    }
  return NULL;
}

static void
start (pthread_t *threads, long *counts)
{
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, work, &counts[i]);
}

/* exec fails repeatedly while threads allocate; print the number of blocks.  */

static void
fail_often (void)
{
  pthread_t threads[3];
  long counts[3] = { 0, 0, 0 };
  start (threads, counts);
  for (int i = 0; i < 50; i++)
    {
      execute ("./no-format");
      usleep (1000);
    }
  stop = 1;
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld\n", counts[0] + counts[1] + counts[2]);
}

static void
wait_for (pid_t child)
{
  int status = 0;
  if (child < 0 || waitpid (child, &status, 0) != child || status != 0)
    {
      printf ("child: %x\n", status);
      exit (1);
    }
}

static void
by_child (void)
{
  char *const words[] = { (char *) "true", NULL };
  pid_t child = -1;
  if (strcmp (what, "vfork") == 0)
    {
      child = vfork ();
      if (child == 0)
	{
	  execv ("/nowhere/true", words);
	  execvp ("true", words);
	  _exit (127);
	}
    }
  else if (strcmp (what, "fork") == 0)
    {
      child = fork ();
      if (child == 0)
	{
	  execl ("/bin/true", "true", (char *) NULL);
	  _exit (127);
	}
    }
  else if (strcmp (what, "spawn") == 0)
    posix_spawn (&child, "/bin/true", NULL, NULL, words, environ);
  else if (strcmp (what, "spawnp") == 0)
    posix_spawnp (&child, "true", NULL, NULL, words, environ);
  else if (strcmp (what, "system") == 0)
    {
      if (system ("exec true") != 0)
	exit (1);
      return;
    }
  else if (strcmp (what, "popen") == 0)
    {
      if (pclose (popen ("exec true", "r")) != 0)
	exit (1);
      return;
    }
  wait_for (child);
}

static void
on_signal (int number)
{
  (void) number;
  what = "execv";
  execute (SELF);
}

static volatile int called;

static void
note (int number)
{
  called = number;
}

static void
must (int holds, const char *text)
{
  if (holds)
    return;
  printf ("not so: %s\n", text);
  fflush (stdout);
  _exit (3);
}

/* Check what the program sees of the actions of its signals.  */

static void
ask (int number)
{
  struct sigaction old, action;
  memset (&action, 0, sizeof action);
  must (sigaction (number, NULL, &old) == 0 && old.sa_handler == SIG_DFL
	&& old.sa_flags == 0, "default at first");
  must (signal (number, note) == SIG_DFL, "signal returns the default");
  raise (number);
  must (called == number, "the program's handler is called");
  must (signal (number, SIG_IGN) == note, "signal returns the handler");
  raise (number);
  must (signal (number, SIG_DFL) == SIG_IGN, "ignored");
  must (sigaction (number, NULL, &old) == 0 && old.sa_handler == SIG_DFL,
	"default again");
  action.sa_flags = SA_RESTART;
  sigaddset (&action.sa_mask, SIGCHLD);
  must (sigaction (number, &action, NULL) == 0
	&& sigaction (number, NULL, &old) == 0
	&& old.sa_handler == SIG_DFL && (old.sa_flags & SA_RESTART) != 0
	&& sigismember (&old.sa_mask, SIGCHLD) == 1, "flags and mask");
  must (sigset (number, note) == SIG_DFL, "sigset");
  must (sigset (number, SIG_HOLD) == note, "sigset holds");
  must (sigset (number, SIG_DFL) == SIG_HOLD, "sigset held");
  must (sysv_signal (number, note) == SIG_DFL, "sysv_signal");
  must (ssignal (number, SIG_DFL) == note, "ssignal");
  must (signal (number, SIG_DFL) == SIG_DFL, "at last");

  /* A signal that is waited for does not end the program.  */
  sigset_t set, mask;
  int got = 0;
  sigemptyset (&set);
  sigaddset (&set, number);
  sigprocmask (SIG_BLOCK, &set, NULL);
  raise (number);
  must (sigwait (&set, &got) == 0 && got == number, "sigwait");
  sigprocmask (SIG_UNBLOCK, &set, &mask);
  must (sigismember (&mask, number) == 1, "mask");
}

static void *
send_often (void *data)
{
  const struct timespec pause = { 0, 1000000 };
  for (;;)
    {
      nanosleep (&pause, NULL);
      kill (getpid (), *(const int *) data);
    }
  return data;
}

/* A signal arrives while all threads allocate, repeatedly.  */

static void
end_storm (int number)
{
  pthread_t threads[3], sender;
  long counts[3];
  start (threads, counts);
  usleep (5000);
  pthread_create (&sender, NULL, send_often, &number);
  work (counts);
}

/* The last thread, which runs after the first thread has ended.  */

static void *
end_last (void *data)
{
  usleep (20000);
  after_end ();
  free (kept);
  return data;
}

int
main (int count, char **arguments)
{
  how = count > 1 ? arguments[1] : "after";
  what = count > 2 ? arguments[2] : "";
  if (strcmp (how, "after") == 0)
    {
      after_end ();
      return 0;
    }
  before_end ();
  if (strcmp (how, "exec") == 0)
    execute (SELF);
  if (strcmp (how, "cat") == 0)
    execl ("/bin/cat", "cat", "/dev/null", (char *) NULL);
  if (strcmp (how, "fail") == 0)
    {
      execute ("./no-format");
      execute ("./nowhere");
      execute ("/");
      after_end ();
      free (kept);
      return 0;
    }
  if (strcmp (how, "fail-killed") == 0)
    {
      execute ("./no-format");
      after_end ();
      free (kept);
      raise (SIGKILL);
    }
  if (strcmp (how, "threads") == 0)
    {
      pthread_t threads[3];
      static long counts[3];
      start (threads, counts);
      usleep (10000);
      what = "execv";
      execute (SELF);
    }
  if (strcmp (how, "fail-often") == 0)
    fail_often ();
  if (strcmp (how, "child") == 0)
    {
      by_child ();
      after_end ();
      free (kept);
    }
  if (strcmp (how, "handler") == 0)
    {
      signal (SIGALRM, on_signal);
      raise (SIGALRM);
    }
  if (strcmp (how, "daemon") == 0)
    {
      if (daemon (1, 0) != 0)
	abort ();
      after_end ();
      return 0;
    }
  if (strcmp (how, "descriptors") == 0)
    {
      closefrom (0);
      execl (SELF, "ends", "after", (char *) NULL);
    }
  if (strcmp (how, "last-thread") == 0)
    {
      pthread_t thread;
      pthread_create (&thread, NULL, end_last, NULL);
      pthread_exit (NULL);
    }
  if (strcmp (how, "signal") == 0)
    {
      raise (atoi (what));
      after_end ();
    }
  if (strcmp (how, "blocked") == 0)
    {
      /* The signal arrives when the previous mask is restored.  */
      sigset_t set, old;
      sigfillset (&set);
      sigprocmask (SIG_SETMASK, &set, &old);
      raise (atoi (what));
      sigprocmask (SIG_SETMASK, &old, NULL);
      after_end ();
    }
  if (strcmp (how, "ask") == 0)
    {
      ask (atoi (what));
      raise (atoi (what));
      after_end ();
    }
  if (strcmp (how, "storm") == 0)
    end_storm (atoi (what));
  if (strcmp (how, "wait") == 0)
    {
      puts ("ready");
      fflush (stdout);
      for (;;)
	pause ();
    }
  return 0;
}
