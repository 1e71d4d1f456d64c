/* Recursion with known shapes, for recursion=fold, max_depth= and max_memory=.
   SPDX-License-Identifier: GPL-3.0-or-later

   recursion DEPTH       for each depth up to DEPTH, a block below that many calls
			 of direct, and below that many of even and odd; and the
			 tree of 511 blocks
   recursion once DEPTH  one block of 1 byte, DEPTH calls deep
   recursion threads     8 threads that build the tree 100 times each  */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__ ((noinline, noclone))

enum { TREE_DEPTH = 8, THREADS = 8, TREES = 100 };

static __thread volatile unsigned calls;

static NOINLINE void
direct (int depth)
{
  if (depth > 1)
    direct (depth - 1);
  else
    free (malloc (1));
  calls++;
}

static NOINLINE void odd (int depth);

static NOINLINE void
even (int depth)
{
  if (depth > 1)
    odd (depth - 1);
  else
    free (malloc (2));
  calls++;
}

static NOINLINE void
odd (int depth)
{
  if (depth > 1)
    even (depth - 1);
  else
    free (malloc (3));
  calls++;
}

/* Allocate a block for each of the 2 ^ (DEPTH + 1) - 1 nodes.  */

static NOINLINE void
tree (int depth)
{
  char *const block = malloc (64);
  block[0] = 1;
  if (depth > 0)
    tree (depth - 1);
  if (depth > 0)
    tree (depth - 1);
  calls++;
  free (block);
}

static void *
make_trees (void *unused)
{
  for (int i = 0; i < TREES; i++)
    tree (TREE_DEPTH);
  return unused;
}

static int
run_threads (void)
{
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], NULL, make_trees, NULL) != 0)
      return 1;
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  return 0;
}

int
main (int count, char **arguments)
{
  const int greatest = atoi (arguments[count - 1]);
  if (strcmp (arguments[1], "threads") == 0)
    return run_threads ();
  if (strcmp (arguments[1], "once") == 0)
    {
      direct (greatest);
      return 0;
    }
  for (int depth = 1; depth <= greatest; depth++)
    direct (depth);
  for (int depth = 1; depth <= greatest; depth++)
    even (depth);
  tree (TREE_DEPTH);
  return 0;
}
