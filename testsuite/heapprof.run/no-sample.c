/* A block that is hardly ever a sample, and then what the argument says: be
   killed, dump, or have a child that allocates a block, none, or one in another
   thread.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include "heapprof/heapprof.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile block;

static void *
allocate (void *data)
{
  block = malloc (10);
  return data;
}

/* The child of KIND ends.  */
static void
be_child (char kind)
{
  pthread_t thread;
  if (kind == 'b')
    allocate (NULL);
  else if (kind == 't' && pthread_create (&thread, NULL, allocate, NULL) == 0)
    pthread_join (thread, NULL);
  _exit (0);
}

int
main (int count, char **arguments)
{
  const char what = count > 1 ? *arguments[1] : '\0';
  allocate (NULL);
  switch (what)
    {
    case 'k':
      raise (SIGKILL);
      break;
    case 'd':
      return heapprof_dump () != 0;
    case 's':
      return raise (SIGUSR1);
    default:
      if (fork () == 0)
	be_child (what);
      wait (NULL);
    }
  return 0;
}
