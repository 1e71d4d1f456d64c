/* Threads that allocate and release each other's blocks: everything is counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>

#define THREADS 8
#define ROUNDS 20000

static void *shared[THREADS];

/* Allocate a block and release the block that a thread left in its place.  */

static void *
work (void *data)
{
  unsigned state = (unsigned) (size_t) data + 1;
  for (int i = 0; i < ROUNDS; i++)
    {
      state = state * 1103515245 + 12345;
      volatile char *const block = malloc (40 + state / 65536 % 100);
      *block = 1;
      free (__atomic_exchange_n (&shared[state / 65536 % THREADS],
				 (void *) block, __ATOMIC_ACQ_REL));
    }
  return NULL;
}

int
main (void)
{
  pthread_t threads[THREADS];
  for (size_t round = 0; round < 3; round++)
    {
      for (size_t i = 0; i < THREADS; i++)
	pthread_create (&threads[i], NULL, work, (void *) i);
      for (size_t i = 0; i < THREADS; i++)
	pthread_join (threads[i], NULL);
    }
  for (size_t i = 0; i < THREADS; i++)
    free (shared[i]);
  return 0;
}
