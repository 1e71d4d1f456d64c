/* The peak heap size, which the program also computes itself.
   SPDX-License-Identifier: GPL-3.0-or-later

   Prints the process ID and the peak; for a profile that starts at a fork or a
   reset, the peak since then.  */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 3000
#define THREADS 4

extern int heapprof_reset (void);

static void *volatile blocks[THREADS][MANY];
static pthread_barrier_t barrier;

/* Write without the C library's buffers.  */
static void
print_numbers (long process, long number)
{
  char text[60];
  int n = snprintf (text, sizeof text, "%ld %ld\n", process, number);
  if (write (1, text, n) != n)
    _exit (2);
}

/* Allocate all blocks of THREAD.  Return their bytes.  */
static long
fill (int thread)
{
  long bytes = 0;
  for (int i = 0; i < MANY; i++)
    {
      int size = 1 + i % 1000;
      blocks[thread][i] = malloc (size);
      bytes += size;
    }
  return bytes;
}

static void
clear (int thread)
{
  for (int i = 0; i < MANY; i++)
    {
      free (blocks[thread][i]);
      blocks[thread][i] = NULL;
    }
}

static void *
work (void *data)
{
  int thread = *(int *) data;
  for (int round = 0; round < 3; round++)
    {
      fill (thread);
      pthread_barrier_wait (&barrier);
      clear (thread);
      pthread_barrier_wait (&barrier);
    }
  return NULL;
}

static long
run_threads (void)
{
  pthread_t threads[THREADS];
  int numbers[THREADS];
  pthread_barrier_init (&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    {
      numbers[i] = i;
      pthread_create (&threads[i], NULL, work, &numbers[i]);
    }
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  long bytes = fill (0);
  clear (0);
  return THREADS * bytes;
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "few";
  long most = 0;
  if (strcmp (how, "few") == 0)
    {
      /* The peak is 1000 + 500 bytes.  */
      void *volatile a = malloc (1000);
      void *volatile b = malloc (500);
      free (a);
      b = realloc (b, 510);
      a = malloc (900);
      free (a);
      free (b);
      most = 1500;
    }
  else if (strcmp (how, "threads") == 0)
    most = run_threads ();
  else
    {
      most = fill (0);
      for (int i = 0; i < 10; i++)
	{
	  clear (0);
	  fill (0);
	}
    }
  if (strcmp (how, "fork") == 0 && fork () == 0)
    {
      /* The parent's blocks are not in the child's profile.  */
      clear (0);
      blocks[0][0] = malloc (123456);
      most = 123456;
    }
  else if (strcmp (how, "fork") == 0)
    {
      while (wait (NULL) > 0)
	continue;
      return 0;
    }
  if (strcmp (how, "reset") == 0)
    {
      heapprof_reset ();
      clear (0);
      blocks[0][0] = malloc (4321);
      most = 4321;
    }
  print_numbers (getpid (), most);
  if (strcmp (how, "kill") == 0)
    raise (SIGKILL);
  return 0;
}
