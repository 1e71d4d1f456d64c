/* The ways in which a program can end: exits HOW.  It allocates two blocks and
   releases one of them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *kept;

static void *
work (void *data)
{
  for (;;)
    free (malloc (20));
  return data;
}

static void *
leave (void *data)
{
  exit (0);
  return data;
}

/* The last action of the program is still part of the profile.  */

static __attribute__ ((destructor)) void
release_kept (void)
{
  free (kept);
}

static void
on_alarm (int number)
{
  (void) number;
  _exit (0);
}

int
main (int count, char **arguments)
{
  const char *const how = count > 1 ? arguments[1] : "return";
  pthread_t thread;
  free (malloc (1000));
  kept = malloc (2000);
  if (strcmp (how, "exit") == 0)
    exit (0);
  if (strcmp (how, "_exit") == 0)
    _exit (0);
  if (strcmp (how, "_Exit") == 0)
    _Exit (0);
  if (strcmp (how, "quick_exit") == 0)
    quick_exit (0);
  if (strcmp (how, "abort") == 0)
    abort ();
  if (strcmp (how, "kill") == 0)
    kill (getpid (), SIGKILL);
  if (strcmp (how, "segv") == 0)
    raise (SIGSEGV);
  if (strcmp (how, "thread") == 0)
    {
      /* One thread ends the process while another one allocates.  */
      pthread_create (&thread, NULL, work, NULL);
      pthread_create (&thread, NULL, leave, NULL);
      pause ();
    }
  if (strcmp (how, "handler") == 0)
    {
      /* The handler probably interrupts the allocator.  */
      signal (SIGALRM, on_alarm);
      ualarm (20000, 0);
      work (NULL);
    }
  return 0;
}
