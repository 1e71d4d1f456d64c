/* A program whose phases need blocks of different sizes, in several threads.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: phases THREADS KEPT

   In each phase, each thread fills BYTES bytes with blocks of one size, or of
   random ones, and releases them, except for each KEPTth, which the next phase
   but one releases (0: none is kept).  Prints the number of blocks and the
   maximum resident set size in KiB; exits with 1 if a block was overwritten.  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum
{
  PHASES = 12,
  BYTES = 24 << 20,
  LEAST = 16
};

static pthread_barrier_t barrier;
static size_t threads, kept;
static int is_wrong;
static size_t blocks;

static long
resident_kib (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/* The first and the last byte of each block say whose it is.  */

static char *
allocate (size_t size, char mark)
{
  char *const block = malloc (size);
  if (block == NULL)
    abort ();
  __atomic_fetch_add (&blocks, 1, __ATOMIC_RELAXED);
  block[0] = block[size - 1] = mark;
  return block;
}

static void
release (char *block, size_t size, char mark)
{
  if (block[0] != mark || block[size - 1] != mark)
    __atomic_store_n (&is_wrong, 1, __ATOMIC_RELAXED);
  memset (block, 0x55, size);
  free (block);
}

struct held
{
  char **blocks;
  size_t *sizes;
  size_t count;
};

static size_t
size_in (int phase, unsigned *seed)
{
  if (phase % 3 == 2)
    {
      *seed = *seed * 1103515245 + 12345;
      return LEAST + *seed / 65536 % (size_t) (200 * (phase + 1));
    }
  return LEAST + (size_t) phase * 90 + (phase == 9 ? 20000 : 0);
}

/* Release the blocks of HELD that are left.  */

static void
release_all (struct held *held, char mark)
{
  for (size_t i = 0; i < held->count; i++)
    if (held->blocks[i] != NULL)
      release (held->blocks[i], held->sizes[i], mark);
  free (held->blocks);
  free (held->sizes);
  *held = (struct held){ NULL, NULL, 0 };
}

static struct held
run_phase (int phase, unsigned *seed, char mark)
{
  const size_t most = BYTES / threads / LEAST;
  struct held held
    = { malloc (most * sizeof (char *)), malloc (most * sizeof (size_t)), 0 };
  for (size_t bytes = 0; bytes < BYTES / threads; held.count++)
    {
      const size_t size = size_in (phase, seed);
      held.sizes[held.count] = size;
      held.blocks[held.count] = allocate (size, mark);
      bytes += size < 64 ? 64 : size;
    }
  for (size_t i = 0; i < held.count; i++)
    if (kept == 0 || i % kept != 0)
      {
	release (held.blocks[i], held.sizes[i], mark);
	held.blocks[i] = NULL;
      }
  return held;
}

static void *
work (void *data)
{
  const char mark = (char) (1 + (size_t) data);
  unsigned seed = (unsigned) mark;
  struct held held[2] = { { NULL, NULL, 0 }, { NULL, NULL, 0 } };
  for (int phase = 0; phase < PHASES; phase++)
    {
      release_all (&held[phase % 2], mark);
      held[phase % 2] = run_phase (phase, &seed, mark);
      pthread_barrier_wait (&barrier);
    }
  release_all (&held[0], mark);
  release_all (&held[1], mark);
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t others[16];
  threads = argc > 1 ? strtoul (argv[1], NULL, 10) : 1;
  kept = argc > 2 ? strtoul (argv[2], NULL, 10) : 0;
  pthread_barrier_init (&barrier, NULL, (unsigned) threads);
  for (size_t i = 0; i + 1 < threads; i++)
    pthread_create (&others[i], NULL, work, (void *) (i + 1));
  work (NULL);
  for (size_t i = 0; i + 1 < threads; i++)
    pthread_join (others[i], NULL);
  printf ("%zu %ld\n", blocks, resident_kib ());
  return is_wrong;
}
