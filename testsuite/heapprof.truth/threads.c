/* Four threads with their own blocks, and blocks that one thread allocates and
   another releases.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "truth.h"
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, BLOCKS = 500, WORDS = 8 };

static long *handed_over[THREADS][BLOCKS];

static NOINLINE long *
make (void)
{
  return (long *) malloc (WORDS * sizeof (long)); /* site: words */
}

static void *
work (void *argument)
{
  const long thread = (long) argument;
  for (int b = 0; b < BLOCKS; b++)
    {
      long *words = make ();
      for (volatile int w = 0; w < WORDS; w++)
	words[w] = thread;	/* 1 */
      handed_over[thread][b] = words;
    }
  return NULL;
}

static void *
release (void *argument)
{
  const long thread = ((long) argument + 1) % THREADS;
  long wrong = 0;
  for (int b = 0; b < BLOCKS; b++)
    {
      wrong += handed_over[thread][b][0] != thread; /* 1 */
      free (handed_over[thread][b]);
    }
  return (void *) wrong;
}

static long
run_all (void *(*function) (void *))
{
  pthread_t threads[THREADS];
  long sum = 0;
  for (long t = 0; t < THREADS; t++)
    if (pthread_create (&threads[t], NULL, function, (void *) t))
      abort ();
  for (int t = 0; t < THREADS; t++)
    {
      void *result;
      pthread_join (threads[t], &result);
      sum += (long) result;
    }
  return sum;
}

int
main (void)
{
  long wrong = run_all (work) + run_all (release);
  const unsigned long n = THREADS * BLOCKS;
  truth_site ("words", n, n * WORDS * sizeof (long), n * (WORDS + 1));
  return wrong != 0;
}
