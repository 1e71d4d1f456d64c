/* Three sites whose blocks of 256 bytes are accessed twenty times, twice and never
   in each word, in three threads if an argument says so; thirty blocks are live.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum
{
  WORDS = 32,
  LIVE = 30
};

static long *
hot (void)
{
  return malloc (WORDS * sizeof (long));
}

static long *
warm (void)
{
  return malloc (WORDS * sizeof (long));
}

static long *
cold (void)
{
  return malloc (WORDS * sizeof (long));
}

/* Write each word of BLOCK so often.  */
static void
use (volatile long *block, int times)
{
  for (int i = 0; i < times; i++)
    for (int k = 0; k < WORDS; k++)
      block[k] = i;
}

static void *
run (void *data)
{
  const int zero = open ("/dev/zero", O_RDONLY);
  void *live[LIVE] = { NULL };
  for (int i = 0; i < 900; i++)
    {
      static long *(*const make[]) (void) = { hot, warm, cold };
      static const int times[] = { 20, 2, 0 };
      long *const block = make[i % 3]();
      /* The system may write words that are watched, and does not count.  */
      if (read (zero, block, WORDS * sizeof (long)) != WORDS * sizeof (long))
	abort ();
      use (block, times[i % 3]);
      free (live[i % LIVE]);
      live[i % LIVE] = block;
    }
  for (int i = 0; i < LIVE; i++)
    free (live[i]);
  close (zero);
  return data;
}

int
main (int count, char **arguments)
{
  pthread_t threads[2];
  (void) arguments;
  for (int i = 0; i < 2 && count > 1; i++)
    pthread_create (&threads[i], NULL, run, NULL);
  run (NULL);
  for (int i = 0; i < 2 && count > 1; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
