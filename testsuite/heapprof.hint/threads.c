/* Eight threads allocate and release each other's blocks; threads start and end.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every block is filled with its own pattern, so that two threads with the same
   block would detect it.  */

#include "hint.h"
#include <pthread.h>

enum { THREADS = 8, ROUNDS = 20000, TABLE = 2000, GENERATIONS = 3 };

struct slot { void *data; unsigned size; unsigned number; };

/* Blocks are passed on by exchanging complete slots.  */
static struct slot *table[TABLE];

static const int hints[]
  = { 1, 254, 128, 64, 254 + 256, 254 + 2 * 256, 1 + 127 * 256, 254 + 127 * 256 };

enum { HINTS = sizeof hints / sizeof *hints };

static void
destroy (struct slot *slot)
{
  CHECK (hint_is_filled (slot->data, slot->size, slot->number));
  free (slot->data);
  free (slot);
}

static unsigned
next_random (unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void *
work (void *data)
{
  unsigned state = (unsigned) (uintptr_t) data * 7919;
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      const unsigned random = next_random (&state);
      const int hint = hints[random % HINTS];
      struct slot *const slot
	= heapprof_malloc_hinted (sizeof *slot, hints[random / HINTS % HINTS]);
      slot->size = random % 97 == 0 ? random % 150000 : random % 700;
      slot->number = random;
      slot->data = random % 3 == 0
		   ? heapprof_calloc_hinted (1, slot->size, hint)
		   : heapprof_malloc_hinted (slot->size, hint);
      if (random % 5 == 0)
	slot->data = heapprof_realloc_hinted (slot->data, ++slot->size,
					      hints[random / 5 % HINTS]);
      hint_fill (slot->data, slot->size, slot->number);
      struct slot *const old
	= __atomic_exchange_n (&table[next_random (&state) % TABLE], slot,
			       __ATOMIC_ACQ_REL);
      if (old != NULL)
	destroy (old);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  hint_expect_backend (argc, argv);
  for (unsigned generation = 0; generation < GENERATIONS; generation++)
    {
      pthread_t threads[THREADS];
      for (uintptr_t i = 0; i < THREADS; i++)
	pthread_create (&threads[i], NULL, work,
			(void *) (i + 1 + generation * 100));
      for (unsigned i = 0; i < THREADS; i++)
	pthread_join (threads[i], NULL);
    }
  for (unsigned i = 0; i < TABLE; i++)
    if (table[i] != NULL)
      destroy (table[i]);
  return hint_finish ();
}
