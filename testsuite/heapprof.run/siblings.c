/* Children of one process that allocate alike, as those of a server.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 200
#define BLOCKS 64
#define BYTES 1000

static void *volatile kept;

/* 64 blocks of 1000 bytes.  */
__attribute__ ((noinline)) static void
serve (void)
{
  for (int i = 0; i < BLOCKS; i++)
    {
      kept = malloc (BYTES);
      free (kept);
    }
}

static void *volatile first;

int
main (void)
{
  first = malloc (1);
  for (int i = 0; i < CHILDREN; i++)
    {
      int status;
      pid_t child = fork ();
      if (child == 0)
	{
	  serve ();
	  return 0;
	}
      if (child < 0 || waitpid (child, &status, 0) != child || status != 0)
	return 1;
    }
  return 0;
}
