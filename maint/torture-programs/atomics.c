/* Atomic built-ins of all widths on the heap, between threads, and the older
   ones; thread-local memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, TURNS = 5000 };

struct shared
{
  _Atomic unsigned long counter;
  unsigned char bytes[8];
  unsigned short half;
  int lock;
  unsigned plain;
  _Atomic (struct link *) stack;
};

struct link
{
  struct link *next;
  unsigned value;
};

static __thread unsigned *mine;

static void *
work (void *data)
{
  struct shared *shared = data;

  mine = calloc (1, sizeof *mine);
  for (unsigned i = 0; i < TURNS; i++)
    {
      atomic_fetch_add (&shared->counter, i);
      __atomic_add_fetch (&shared->bytes[i % 8], 1, __ATOMIC_RELAXED);
      __sync_fetch_and_xor (&shared->half, i);
      while (__atomic_exchange_n (&shared->lock, 1, __ATOMIC_ACQUIRE))
	;
      shared->plain += i & 3;
      __atomic_store_n (&shared->lock, 0, __ATOMIC_RELEASE);
      if (i % 16 == 0)
	{
	  struct link *link = malloc (sizeof *link);
	  link->value = i;
	  link->next = atomic_load (&shared->stack);
	  while (!atomic_compare_exchange_weak (&shared->stack, &link->next,
						link))
	    ;
	}
      ++*mine;
    }
  unsigned own = *mine;
  free (mine);
  return (void *) (size_t) own;
}

int
main (void)
{
  struct shared *shared = calloc (1, sizeof *shared);
  pthread_t threads[THREADS];
  unsigned long own = 0, values = 0;

  for (int i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], NULL, work, shared))
      return 1;
  for (int i = 0; i < THREADS; i++)
    {
      void *result;
      pthread_join (threads[i], &result);
      own += (size_t) result;
    }
  for (struct link *link = shared->stack, *next; link; link = next)
    {
      next = link->next;
      values += link->value;
      free (link);
    }
  printf ("%lu %u %u %u %lu %lu\n", shared->counter, shared->bytes[3],
	  shared->half, shared->plain, own, values);
  free (shared);
  return 0;
}
