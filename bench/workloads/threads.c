/* Threads that allocate blocks and release each other's, with exact totals.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: threads THREADS OPERATIONS

   An operation allocates a block, writes it once, stores it in a slot that all
   threads share, reads the slot's previous block once, and releases that.
   Prints the total number of blocks, bytes and accesses, which a profile must
   report for the function `operate'.  */

#include "workload.h"
#include <pthread.h>

enum
{
  PLACES = 64,
  MOST_THREADS = 256
};

struct thread
{
  pthread_t handle;
  unsigned long operations;
  uint64_t state;
  uint64_t bytes;
  uint64_t sum;
};

static uint64_t *places[PLACES];

/* Read a block once and release it.  */

static uint64_t
take (volatile uint64_t *block)
{
  if (block == NULL)
    return 0;
  const uint64_t value = *block;
  free ((void *) block);
  return value;
}

static void *
operate (void *data)
{
  struct thread *const thread = data;
  for (unsigned long i = 0; i < thread->operations; i++)
    {
      const uint64_t random = workload_random (&thread->state);
      const size_t bytes = 8 + random % 256;
      volatile uint64_t *const block = workload_block (malloc (bytes));
      *block = random;
      thread->bytes += bytes;
      thread->sum
	+= take (__atomic_exchange_n (&places[random >> 32 & 63],
				      (uint64_t *) block, __ATOMIC_ACQ_REL));
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  static struct thread threads[MOST_THREADS];
  const unsigned long count = workload_argument (argc, argv, 1, 8);
  const unsigned long operations = workload_argument (argc, argv, 2, 10000000);
  if (count > MOST_THREADS)
    {
      fprintf (stderr, "threads: at most %d threads\n", MOST_THREADS);
      return 2;
    }
  for (unsigned long i = 0; i < count; i++)
    {
      threads[i].operations = operations;
      threads[i].state = i;
      if (pthread_create (&threads[i].handle, NULL, operate, &threads[i]) != 0)
	{
	  fputs ("threads: cannot start a thread\n", stderr);
	  return 1;
	}
    }
  uint64_t bytes = 0;
  uint64_t sum = 0;
  for (unsigned long i = 0; i < count; i++)
    {
      pthread_join (threads[i].handle, NULL);
      bytes += threads[i].bytes;
      sum += threads[i].sum;
    }
  for (int i = 0; i < PLACES; i++)
    sum += take (places[i]);
  printf ("blocks %lu bytes %llu accesses %lu\n", count * operations,
	  (unsigned long long) bytes, 2 * count * operations);
  fprintf (stderr, "checksum %016llx\n", (unsigned long long) sum);
  return 0;
}
