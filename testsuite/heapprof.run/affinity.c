/* Four kinds of blocks, allocated by turns: first and second are used together,
   and so are third and fourth.
   SPDX-License-Identifier: GPL-3.0-or-later

   affinity ROUNDS	 each round accesses each block once: a load and a store
   affinity ROUNDS fork	 half-way, a child continues, and then this process
   affinity ROUNDS kill	 half-way, this process is killed
   affinity ROUNDS thread  half-way, this continues in a second thread  */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS 4096

struct block
{
  long key;
  char rest[56];
};

static struct block *first[BLOCKS], *second[BLOCKS], *third[BLOCKS],
  *fourth[BLOCKS];
static void *volatile spare;

#define MAKE(name)                                                             \
  static __attribute__ ((noinline)) struct block *make_##name (long key)       \
  {                                                                            \
    struct block *block = malloc (sizeof *block);                              \
    block->key = key;                                                          \
    return block;                                                              \
  }

MAKE (first)
MAKE (second)
MAKE (third)
MAKE (fourth)

/* The allocations are calls of built-ins, across which a compiler keeps
   addresses in registers.  */
static __attribute__ ((noinline)) void
use (struct block **one, struct block **other)
{
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      const unsigned at = i * 1663 % BLOCKS;
      one[at]->key++;
      other[at]->key++;
      if (i % 4 == 0)
	{
	  spare = malloc (8);
	  free (spare);
	}
    }
}

static void *
use_all (void *data)
{
  const long rounds = *(long *) data;
  for (long i = 0; i < rounds; i++)
    {
      use (first, second);
      use (third, fourth);
    }
  return NULL;
}

static void
release_all (void)
{
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      free (first[i]);
      free (second[i]);
      free (third[i]);
      free (fourth[i]);
    }
}

int
main (int count, char **arguments)
{
  static long rounds;
  const char *const how = count > 2 ? arguments[2] : "";
  pthread_t thread;
  rounds = atol (arguments[1]) / 2;
  for (long i = 0; i < BLOCKS; i++)
    {
      first[i] = make_first (i);
      second[i] = make_second (i);
      third[i] = make_third (i);
      fourth[i] = make_fourth (i);
    }
  use_all (&rounds);
  if (strcmp (how, "kill") == 0)
    raise (SIGKILL);
  if (strcmp (how, "fork") == 0)
    {
      if (fork () == 0)
	{
	  for (long i = 0; i < BLOCKS; i++)
	    {
	      first[i] = make_first (i);
	      third[i] = make_third (i);
	    }
	  use_all (&rounds);
	  release_all ();
	  return 0;
	}
      wait (NULL);
    }
  if (strcmp (how, "thread") == 0)
    {
      pthread_create (&thread, NULL, use_all, &rounds);
      pthread_join (thread, NULL);
    }
  else
    use_all (&rounds);
  release_all ();
  return 0;
}
