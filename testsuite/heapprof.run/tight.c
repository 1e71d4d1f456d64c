/* A program that continues as long as it gets memory: it keeps blocks for a
   while, in two threads, and prints a sum of their contents.  Exits with 3 if it
   gets no memory or no thread.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 64 };

static unsigned sum;

static void *
work (void *unused)
{
  char *kept[KEPT] = { NULL };
  for (unsigned i = 0; i < 3000; i++)
    {
      char **const place = &kept[i % KEPT];
      if (*place != NULL)
	sum += (unsigned char) (*place)[5];
      free (*place);
      const size_t bytes = 20 + i * 37 % 5000;
      *place = malloc (bytes);
      if (*place == NULL)
	exit (3);
      memset (*place, (int) i, bytes);
    }
  for (unsigned i = 0; i < KEPT; i++)
    free (kept[i]);
  return unused;
}

int
main (void)
{
  pthread_t thread;
  work (NULL);
  if (pthread_create (&thread, NULL, work, NULL) != 0)
    return 3;
  pthread_join (thread, NULL);
  printf ("%u\n", sum);
  return 0;
}
