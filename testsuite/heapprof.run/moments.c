/* Heaps whose peak, curve and marks are counted by hand.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: moments HOW

   Each function allocates all blocks of its name.  */

#include <heapprof/heapprof.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4
#define BLOCKS 100
#define NOINLINE __attribute__ ((noinline))

static void *volatile of_a[BLOCKS], *volatile of_b[BLOCKS];
static void *volatile of_threads[THREADS][BLOCKS];
static pthread_barrier_t barrier;

static NOINLINE void
a (int count, int size)
{
  for (int i = 0; i < count; i++)
    of_a[i] = malloc (size);
}

static NOINLINE void
b (int count, int size)
{
  for (int i = 0; i < count; i++)
    of_b[i] = malloc (size);
}

static NOINLINE void
temporary (int count)
{
  for (int i = 0; i < count; i++)
    {
      void *volatile block = malloc (24);
      free (block);
    }
}

static NOINLINE void
grown (void)
{
  of_a[0] = realloc (of_a[0], 30000);
}

static void
clear (void *volatile *blocks, int count)
{
  for (int i = 0; i < count; i++)
    {
      free (blocks[i]);
      blocks[i] = NULL;
    }
}

static NOINLINE void
thread_blocks (int thread)
{
  for (int i = 0; i < BLOCKS; i++)
    of_threads[thread][i] = malloc (1000);
}

/* Blocks are released by the next thread.  */
static void *
work (void *data)
{
  int thread = *(int *) data;
  for (int round = 0; round < 20; round++)
    {
      thread_blocks (thread);
      pthread_barrier_wait (&barrier);
      clear (of_threads[(thread + 1) % THREADS], BLOCKS);
      pthread_barrier_wait (&barrier);
    }
  return NULL;
}

static void
run_threads (void)
{
  pthread_t threads[THREADS];
  static int numbers[THREADS];
  pthread_barrier_init (&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    {
      numbers[i] = i;
      pthread_create (&threads[i], NULL, work, &numbers[i]);
    }
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
}

static double
now_ns (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

/* Print the least and the most that the area below the curve can be, bytes times
   seconds: a block begins and ends somewhere in its calls.  */
static void
run_curve (void)
{
  double least = 0, most = 0;
  for (int i = 0; i < 40; i++)
    {
      size_t bytes = 100000 * (1 + i * 7 % 10);
      const double before = now_ns ();
      void *volatile block = malloc (bytes);
      const double begun = now_ns ();
      usleep (5000);
      const double used = now_ns ();
      free (block);
      least += bytes * (used - begun);
      most += bytes * (now_ns () - before);
    }
  printf ("%.6f %.6f\n", least / 1e9, most / 1e9);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  setvbuf (stdout, NULL, _IONBF, 0);
  if (strcmp (how, "middle") == 0)
    {
      a (10, 1000);
      b (5, 500);
      clear (of_a, 10);
      b (3, 100);
    }
  else if (strcmp (how, "equal") == 0)
    {
      a (2, 5000);
      clear (of_a, 2);
      b (5, 2000);
      clear (of_b, 5);
    }
  else if (strcmp (how, "rising") == 0)
    {
      /* Less than a thousandth at a time.  */
      a (1, 1000000);
      b (90, 9);
    }
  else if (strcmp (how, "realloc") == 0)
    {
      a (1, 100);
      grown ();
      clear (of_a, 1);
    }
  else if (strcmp (how, "temporary") == 0)
    {
      a (2, 50);
      temporary (1000);
      clear (of_a, 2); /* the second one was not allocated last */
    }
  else if (strcmp (how, "threads") == 0)
    run_threads ();
  else if (strcmp (how, "curve") == 0)
    run_curve ();
  else if (strcmp (how, "fork") == 0)
    {
      a (10, 1000);
      if (fork () == 0)
	{
	  clear (of_a, 10);
	  b (4, 70);
	  clear (of_b, 2);
	  return 0;
	}
      while (wait (NULL) > 0)
	continue;
    }
  else if (strcmp (how, "reset") == 0)
    {
      a (10, 1000);
      heapprof_reset ();
      b (4, 70);
      clear (of_b, 2);
      clear (of_a, 10);
    }
  else if (strcmp (how, "kill") == 0)
    {
      a (10, 1000);
      clear (of_a, 9);
      b (3, 100);
      raise (SIGKILL);
    }
  else if (strcmp (how, "kill-rising") == 0)
    {
      a (10, 1000);
      clear (of_a, 9);
      b (30, 1000);
      raise (SIGKILL);
    }
  else if (strcmp (how, "marks") == 0)
    {
      if (heapprof_mark ("empty") != 0)
	return 1;
      a (10, 1000);
      heapprof_mark ("full");
      clear (of_a, 5);
      b (2, 300);
      heapprof_mark ("some");
      heapprof_mark ("full");
    }
  else if (strcmp (how, "signal") == 0)
    {
      a (3, 1000);
      raise (SIGUSR2);
      b (3, 1000);
    }
  else if (strcmp (how, "wait") == 0)
    {
      a (3, 1000);
      printf ("%d\n", (int) getpid ());
      getchar ();
      for (int i = 0; i < 2000; i++)
	{
	  b (10, 10000);
	  clear (of_b, 10);
	  usleep (1000);
	}
    }
  return 0;
}
