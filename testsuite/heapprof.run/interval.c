/* Snapshots at intervals: interval MS [THREADS] | idle | fork | bare | fill.
   SPDX-License-Identifier: GPL-3.0-or-later

   MS	allocates in THREADS threads for MS milliseconds, and prints the number of
	blocks of each thread when it ends
   idle	allocates, waits for 600 ms, and allocates again
   fork	a child and its parent allocate for 500 ms each
   bare	allocates for 1.5 s, then for 1 s in a child of a bare system call
   fill	removes the folder, allocates for 500 ms  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static long run_ms;
static void *volatile kept;

static long
now_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static NOINLINE void
use (void)
{
  free (malloc (10));
}

static NOINLINE void
keep (void)
{
  kept = malloc (100);
}

static void *
work (void *count)
{
  const long end = now_ms () + run_ms;
  while (now_ms () < end)
    {
      use ();
      ++*(long *) count;
      usleep (1000);
    }
  return NULL;
}

int
main (int count, char **arguments)
{
  pthread_t threads[8];
  long blocks[8] = { 0 }, sum = 0;
  int thread_count = count > 2 ? atoi (arguments[2]) : 1;
  keep ();
  run_ms = atol (arguments[1]);
  if (run_ms == 0)
    run_ms = 500;
  if (strcmp (arguments[1], "idle") == 0)
    {
      use ();
      usleep (600000);
      use ();
      return 0;
    }
  if (strcmp (arguments[1], "bare") == 0)
    {
      run_ms = 1500;
      work (&sum);
      const long child = syscall (SYS_fork);
      run_ms = 1000;
      if (child == 0)
	work (&sum);
      else
	wait (NULL);
      return child < 0;
    }
  if (strcmp (arguments[1], "fork") == 0 && fork () != 0)
    wait (NULL);
  if (strcmp (arguments[1], "fill") == 0 && system ("rm -rf gone") != 0)
    return 1;
  for (int i = 1; i < thread_count; i++)
    pthread_create (&threads[i], NULL, work, &blocks[i]);
  work (&blocks[0]);
  for (int i = 0; i < thread_count; i++)
    {
      if (i > 0)
	pthread_join (threads[i], NULL);
      sum += blocks[i];
    }
  printf ("%ld\n", sum);
  return 0;
}
