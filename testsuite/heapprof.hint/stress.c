/* Threads allocate, resize, pass on and release blocks of all sizes, kinds and
   groups at random; some fork, all end and are replaced.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: stress BACKEND [SEED [SECONDS]]

   Each block is filled up to its usable size with a pattern of its own, which is
   checked before it is resized or released.  Between generations of threads, no
   two blocks overlap.  Without SECONDS there are three generations.  */

#include "hint.h"
#include <malloc.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

enum { THREADS = 6, STEPS = 6000, TABLE = 3000, GENERATIONS = 3, FORKS = 4 };

struct block { char *data; size_t usable; unsigned number; };

/* Blocks are passed on by exchanging pointers to their descriptions.  */
static struct block *table[TABLE];

static unsigned
next_random (unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Half cold and hot, a quarter of them in groups; half are not hinted.  */

static int
random_hint (unsigned *state)
{
  static const int kinds[] = { 1, 127, 223, 254, 128, 222, 200, -1 };
  const unsigned random = next_random (state);
  return kinds[random % 8] + (random / 8 % 4 == 0 ? random / 32 % 128 * 256 : 0);
}

/* Mostly small, some large, a few huge.  */

static size_t
random_size (unsigned *state)
{
  const unsigned random = next_random (state);
  const unsigned bits = random % 64 < 50 ? 9 : random % 64 < 61 ? 14
			: random % 64 < 63 ? 18 : 21;
  return next_random (state) & ((1u << bits) - 1);
}

static void
fill (struct block *block)
{
  block->usable = malloc_usable_size (block->data);
  hint_fill (block->data, block->usable, block->number);
}

static void
allocate (struct block *block, unsigned *state)
{
  const size_t size = random_size (state);
  const int hint = random_hint (state);
  const size_t alignment = (size_t) 16 << next_random (state) % 10;
  void *data = NULL;
  switch (next_random (state) % 6)
    {
    case 0:
      data = heapprof_calloc_hinted (1, size, hint);
      for (size_t i = 0; i < size; i++)
	CHECK (((char *) data)[i] == 0);
      break;
    case 1:
      data = heapprof_aligned_alloc_hinted (alignment, size, hint);
      CHECK ((uintptr_t) data % alignment == 0);
      break;
    case 2:
      CHECK (heapprof_posix_memalign_hinted (&data, alignment, size, hint)
	     == 0);
      CHECK ((uintptr_t) data % alignment == 0);
      break;
    default:
      data = heapprof_malloc_hinted (size, hint);
      CHECK ((uintptr_t) data % 16 == 0);
    }
  CHECK (data != NULL);
  block->data = data;
  block->number = next_random (state);
  fill (block);
  CHECK (block->usable >= size);
}

static void
check (const struct block *block)
{
  CHECK (malloc_usable_size (block->data) == block->usable);
  CHECK (hint_is_filled (block->data, block->usable, block->number));
}

static void
resize (struct block *block, unsigned *state)
{
  const size_t size = 1 + random_size (state);
  const size_t kept = size < block->usable ? size : block->usable;
  check (block);
  void *const data
    = next_random (state) % 2 == 0
	? realloc (block->data, size)
	: heapprof_realloc_hinted (block->data, size, random_hint (state));
  CHECK (data != NULL);
  block->data = data;
  CHECK (hint_is_filled (block->data, kept, block->number));
  fill (block);
  CHECK (block->usable >= size);
}

/* Put BLOCK, which may be NULL, into the table, in place of the one returned. */

static struct block *
exchange (struct block *block, unsigned *state)
{
  return __atomic_exchange_n (&table[next_random (state) % TABLE], block,
			      __ATOMIC_ACQ_REL);
}

static void
destroy (struct block *block)
{
  if (block == NULL)
    return;
  check (block);
  free (block->data);
  free (block);
}

static void
step (unsigned *state)
{
  struct block *block = NULL;
  if (next_random (state) % 4 == 0)
    block = exchange (NULL, state);
  if (block != NULL)
    resize (block, state);
  else
    {
      block = malloc (sizeof *block);
      allocate (block, state);
    }
  destroy (exchange (block, state));
}

/* The child goes on with blocks of all threads, one of which may have been
   about to use the table.  */

static void
fork_once (unsigned *state)
{
  const pid_t child = fork ();
  if (child == 0)
    {
      alarm (300);
      for (unsigned i = 0; i < STEPS / 20; i++)
	step (state);
      _exit (hint_finish ());
    }
  int status = -1;
  CHECK (child > 0 && waitpid (child, &status, 0) == child && status == 0);
}

static void *
work (void *data)
{
  unsigned state = (unsigned) (uintptr_t) data * 7919u;
  const unsigned forks = next_random (&state) % 2 == 0 ? FORKS : 0;
  for (unsigned i = 0; i < STEPS; i++)
    {
      step (&state);
      if (forks != 0 && i % (STEPS / FORKS) == 0)
	fork_once (&state);
    }
  return NULL;
}

static int
by_address (const void *left, const void *right)
{
  const struct block *const *const a = left;
  const struct block *const *const b = right;
  return ((*a)->data > (*b)->data) - ((*a)->data < (*b)->data);
}

static void
check_all (void)
{
  static struct block *sorted[TABLE];
  unsigned count = 0;
  for (unsigned i = 0; i < TABLE; i++)
    if (table[i] != NULL)
      {
	check (table[i]);
	sorted[count++] = table[i];
      }
  qsort (sorted, count, sizeof *sorted, by_address);
  for (unsigned i = 1; i < count; i++)
    CHECK (sorted[i - 1]->data + sorted[i - 1]->usable <= sorted[i]->data);
}

int
main (int argc, char **argv)
{
  hint_expect_backend (argc, argv);
  const unsigned long seed = argc > 2 ? strtoul (argv[2], NULL, 10) : 1;
  const time_t end = time (NULL) + (argc > 3 ? atoi (argv[3]) : 0);
  for (unsigned i = 0; i < GENERATIONS || time (NULL) < end; i++)
    {
      pthread_t threads[THREADS];
      for (uintptr_t j = 0; j < THREADS; j++)
	pthread_create (&threads[j], NULL, work,
			(void *) (seed * 1000003 + i * THREADS + j));
      for (unsigned j = 0; j < THREADS; j++)
	pthread_join (threads[j], NULL);
      check_all ();
    }
  for (unsigned i = 0; i < TABLE; i++)
    destroy (table[i]);
  return hint_finish ();
}
