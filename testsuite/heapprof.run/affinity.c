/* Four kinds of blocks, allocated by turns: first and second are used together,
   and so are third and fourth.
   SPDX-License-Identifier: GPL-3.0-or-later

   affinity ROUNDS	 each round accesses each block once: a load and a store
   affinity ROUNDS fork	 half-way, a child continues, and then this process
   affinity ROUNDS kill	 half-way, this process is killed
   affinity ROUNDS thread  half-way, this continues in a second thread
   affinity ROUNDS late	 half-way, a thread also accesses the first block ADDED
			 times, in one loop, while this one allocates
   affinity ROUNDS grow	 then VECTORS vectors get ITEMS items each, which are
			 accessed once  */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS 4096
#define ADDED 20000000
#define VECTORS 2000
#define ITEMS 1000

struct block
{
  long key;
  char rest[56];
};

static struct block *first[BLOCKS], *second[BLOCKS], *third[BLOCKS],
  *fourth[BLOCKS];
static void *volatile spare;
static volatile int has_begun, must_stop;

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

static void *
add_up (void *data)
{
  volatile long *const key = data;
  for (long i = 0; i < ADDED / 2 && !must_stop; i++)
    {
      *key = *key + 1;
      has_begun = 1;
    }
  return NULL;
}

static void *
stay (void *data)
{
  pause ();
  return data;
}

/* Few blocks are accessed between the allocations before the thread starts, so
   windows become long, and one is open then.  There are no more windows after
   that: another thread stays.  */
static void
add_in_thread (void)
{
  pthread_t thread, other;
  for (int i = 0; i < 1000; i++)
    {
      spare = malloc (8);
      free (spare);
      usleep (100);
    }
  pthread_create (&thread, NULL, add_up, &first[0]->key);
  while (!has_begun)
    ;
  for (int i = 0; i < 1000; i++)
    {
      spare = malloc (8);
      free (spare);
    }
  pthread_create (&other, NULL, stay, NULL);
  pthread_join (thread, NULL);
}

struct vector
{
  long *items;
  long count;
};

/* The vector is accessed before its items move, and the items after that.  */
static __attribute__ ((noinline)) void
push (struct vector *vector, long item)
{
  if ((vector->count & (vector->count - 1)) == 0)
    vector->items = realloc (vector->items,
			     (2 * vector->count + 1) * sizeof *vector->items);
  vector->items[vector->count++] = item;
}

static void
grow_vectors (void)
{
  for (unsigned i = 0; i < VECTORS; i++)
    {
      struct vector vector = { NULL, 0 };
      while (vector.count < ITEMS)
	push (&vector, i);
      free (vector.items);
    }
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
  if (strcmp (how, "late") == 0)
    add_in_thread ();
  if (strcmp (how, "grow") == 0)
    grow_vectors ();
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
