/* Snapshots: dump api | idle | busy | reset [TIMES].
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof/heapprof.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static void *volatile kept[10];

static NOINLINE void
keep (int count)
{
  for (int i = 0; i < count; i++)
    {
      volatile char *const block = malloc (100);
      *block = 1;
      kept[i] = (void *) block;
    }
}

static NOINLINE void
use (int count)
{
  for (int i = 0; i < count; i++)
    free (malloc (10));
}

/* SIGUSR1 does not end the parent's wait, SIGTERM does.  */

static void
signal_self_from_child (void)
{
  const pid_t parent = getpid ();
  if (fork () == 0)
    {
      for (int i = 0; i < 20; i++)
	{
	  usleep (10000);
	  kill (parent, SIGUSR1);
	}
      usleep (50000);
      kill (parent, SIGTERM);
      _exit (0);
    }
}

static void
leave (int number)
{
  (void) number;
  _exit (0);
}

int
main (int count, char **arguments)
{
  const char *const how = count > 1 ? arguments[1] : "";
  keep (4);
  use (3);
  if (strcmp (how, "api") == 0)
    {
      if (heapprof_dump () != 0)
	return 1;
      free (kept[0]);
      use (5);
      if (heapprof_dump () != 0)
	return 1;
      use (7);
      return 0;
    }
  if (strcmp (how, "reset") == 0)
    {
      for (int i = count > 2 ? atoi (arguments[2]) : 1; i > 0; i--)
	if (heapprof_reset () != 0)
	  return 1;
      free (kept[0]);
      use (6);
      return 0;
    }
  if (strcmp (how, "chmod") == 0)
    {
      return chmod ("packed.hpraw", 0640);
    }
  signal (SIGTERM, leave);
  signal_self_from_child ();
  if (strcmp (how, "busy") == 0)
    for (;;)
      use (1);
  for (;;)
    pause ();
}
