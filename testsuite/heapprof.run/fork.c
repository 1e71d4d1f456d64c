/* Children: fork, fork again, vfork, fork while other threads allocate, and
   exec.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static volatile int stop;

static NOINLINE void
in_parent (void)
{
  for (int i = 0; i < 7; i++)
    free (malloc (10));
}

static NOINLINE void
in_child (void)
{
  for (int i = 0; i < 5; i++)
    free (malloc (20));
}

static NOINLINE void
in_grandchild (void)
{
  for (int i = 0; i < 3; i++)
    free (malloc (30));
}

static NOINLINE void
in_raw_child (void)
{
  for (int i = 0; i < 2; i++)
    free (malloc (40));
}

static void
wait_for (pid_t child)
{
  int status;
  if (child < 0 || waitpid (child, &status, 0) != child || status != 0)
    abort ();
}

static void *
work (void *data)
{
  while (!stop)
    free (malloc (50));
  return data;
}

static void
fork_with_threads (void)
{
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < 100; i++)
    {
      const pid_t child = fork ();
      if (child == 0)
	{
	  alarm (20);
	  free (malloc (60));
	  _exit (0);
	}
      wait_for (child);
    }
  stop = 1;
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
}

int
main (int count, char **arguments)
{
  if (count > 1 && strcmp (arguments[1], "again") == 0)
    {
      in_grandchild ();
      return 0;
    }
  if (count > 1 && strcmp (arguments[1], "threads") == 0)
    {
      fork_with_threads ();
      return 0;
    }

  char *const inherited = malloc (1000);
  in_parent ();
  pid_t child = fork ();
  if (child == 0)
    {
      free (inherited);
      in_child ();
      child = fork ();
      if (child == 0)
	{
	  in_grandchild ();
	  return 0;
	}
      wait_for (child);
      return 0;
    }
  wait_for (child);

  /* Without the C library's fork, only the kernel knows of the child.  */
  child = (pid_t) syscall (SYS_fork);
  if (child == 0)
    {
      in_raw_child ();
      return 0;
    }
  wait_for (child);

  /* A child that allocates nothing leaves no profile.  */
  child = fork ();
  if (child == 0)
    _exit (0);
  wait_for (child);
  child = vfork ();
  if (child == 0)
    _exit (0);
  wait_for (child);

  free (inherited);
  if (count > 1 && strcmp (arguments[1], "exec") == 0)
    execl ("/proc/self/exe", "fork", "again", (char *) NULL);
  return 0;
}
