/* Most accesses are to a small block, which is hardly ever a sample;
   with no argument, or a snapshot with one, a reset with two, the end by SIGKILL
   with three, a child with four.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include "heapprof/heapprof.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  BLOCKS = 4000,
  BLOCK_BYTES = 1024,
  BLOCK_ACCESSES = 40,
  HOT_BYTES = 64,
  HOT_ACCESSES = 10000000
};

static void *kept[BLOCKS];

static void
use (int *volatile block, int accesses)
{
  for (int i = 0; i < accesses; i++)
    *(volatile int *) block = i;
}

__attribute__ ((noinline)) static void
hot (void)
{
  int *const block = malloc (HOT_BYTES);
  use (block, HOT_ACCESSES);
  free (block);
}

__attribute__ ((noinline)) static void
others (void)
{
  for (int i = 0; i < BLOCKS; i++)
    {
      kept[i] = malloc (BLOCK_BYTES);
      use (kept[i], BLOCK_ACCESSES);
    }
}

/* How is a number of arguments: to read one would be an access to memory that is
   no block.  */
enum
{
  NOTHING = 1,
  DUMP,
  RESET,
  KILL,
  FORK
};

int
main (int how, char **argv)
{
  (void) argv;
  others ();
  if (how == RESET)
    {
      for (int i = 0; i < BLOCKS; i++)
	free (kept[i]);
      hot ();
      heapprof_reset ();
      others ();
    }
  hot ();
  if (how == DUMP)
    {
      heapprof_dump ();
      hot ();
    }
  else if (how == KILL)
    raise (SIGKILL);
  else if (how == FORK)
    {
      const pid_t child = fork ();
      if (child == 0)
	{
	  hot ();
	  others ();
	  return 0;
	}
      return waitpid (child, NULL, 0) != child;
    }
  return 0;
}
