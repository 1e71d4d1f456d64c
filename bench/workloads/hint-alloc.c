/* The cost of allocations with a hint, and of their releases.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: hint-alloc SAMPLES PAIRS

   With -DHINT=N, all blocks are allocated with the hint N, otherwise by malloc.
   Prints a line for each case: its name, and the nanoseconds of CPU time for an
   allocation and its release, in the fastest of SAMPLES samples of PAIRS pairs.

   N-bytes	a block of N bytes is released at once
   batch	1000 blocks of 64 bytes, released in the same order
   large-batch	the same with 10,000 blocks
   random	4096 blocks of 16 to 512 bytes, one of which is replaced, at
   random passed-on	blocks of 64 bytes that another thread releases, 1000 at
   a time  */

#include "workload.h"
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#ifdef HINT
#include "heapprof/heaphint.h"
#define ALLOCATE(size) heapprof_malloc_hinted (size, HINT)
#else
#define ALLOCATE(size) malloc (size)
#endif

enum
{
  BATCH = 1000,
  LARGE_BATCH = 10000,
  LIVE_BLOCKS = 4096,
  WARM_UP_NS = 100000000
};

/* Allocate a block of SIZE bytes and write to it.  */

static inline void *
make_block (size_t size)
{
  uint64_t *block = ALLOCATE (size);
  __asm__ volatile("" : "+r"(block) : : "memory");
  *block = size;
  return block;
}

static double
now_ns (clockid_t clock)
{
  struct timespec time;
  clock_gettime (clock, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static void
pairs_of (size_t size, unsigned long pairs)
{
  for (unsigned long i = 0; i < pairs; i++)
    free (make_block (size));
}

static void
small_pairs (unsigned long pairs)
{
  pairs_of (24, pairs);
}

static void
middle_pairs (unsigned long pairs)
{
  pairs_of (64, pairs);
}

static void
large_pairs (unsigned long pairs)
{
  pairs_of (1500, pairs);
}

static void *blocks[LARGE_BATCH];

static inline void
batches_of (unsigned count, unsigned long pairs)
{
  for (unsigned long i = 0; i < pairs; i += count)
    {
      for (unsigned j = 0; j < count; j++)
	blocks[j] = make_block (64);
      for (unsigned j = 0; j < count; j++)
	free (blocks[j]);
    }
}

static void
batches (unsigned long pairs)
{
  batches_of (BATCH, pairs);
}

static void
large_batches (unsigned long pairs)
{
  batches_of (LARGE_BATCH, pairs);
}

static void
replaced_at_random (unsigned long pairs)
{
  uint64_t state = 1;
  for (unsigned i = 0; i < LIVE_BLOCKS; i++)
    blocks[i] = make_block (16);
  for (unsigned long i = 0; i < pairs; i++)
    {
      const uint64_t random = workload_random (&state);
      void **const place = &blocks[random % LIVE_BLOCKS];
      free (*place);
      *place = make_block (16 + (random >> 20) % 497);
    }
  for (unsigned i = 0; i < LIVE_BLOCKS; i++)
    free (blocks[i]);
}

/* Releases batches until the first one that is empty.  */

static pthread_barrier_t barrier;
static bool ends;

static void *
release_batches (void *data)
{
  (void) data;
  for (;;)
    {
      pthread_barrier_wait (&barrier);
      if (ends)
	return NULL;
      for (unsigned j = 0; j < BATCH; j++)
	free (blocks[j]);
      pthread_barrier_wait (&barrier);
    }
}

static void
passed_on (unsigned long pairs)
{
  pthread_t thread;
  pthread_barrier_init (&barrier, NULL, 2);
  ends = false;
  pthread_create (&thread, NULL, release_batches, NULL);
  for (unsigned long i = 0; i < pairs; i += BATCH)
    {
      for (unsigned j = 0; j < BATCH; j++)
	blocks[j] = make_block (64);
      pthread_barrier_wait (&barrier);
      pthread_barrier_wait (&barrier);
    }
  ends = true;
  pthread_barrier_wait (&barrier);
  pthread_join (thread, NULL);
  pthread_barrier_destroy (&barrier);
}

static void
time_case (const char *name, void (*run) (unsigned long), unsigned long samples,
	   unsigned long pairs)
{
  double best = 0;
  for (unsigned long i = 0; i < samples; i++)
    {
      const double start = now_ns (CLOCK_PROCESS_CPUTIME_ID);
      run (pairs);
      const double ns = now_ns (CLOCK_PROCESS_CPUTIME_ID) - start;
      best = i == 0 || ns < best ? ns : best;
    }
  printf ("%s %.2f\n", name, best / (double) pairs);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  const unsigned long samples = workload_argument (argc, argv, 1, 10);
  const unsigned long pairs = workload_argument (argc, argv, 2, 100000);
  const double end = now_ns (CLOCK_MONOTONIC) + WARM_UP_NS;
  while (now_ns (CLOCK_MONOTONIC) < end)
    middle_pairs (1000);
  time_case ("24-bytes", small_pairs, samples, pairs);
  time_case ("64-bytes", middle_pairs, samples, pairs);
  time_case ("1500-bytes", large_pairs, samples, pairs);
  time_case ("batch", batches, samples, pairs);
  time_case ("large-batch", large_batches, samples, pairs);
  time_case ("random", replaced_at_random, samples, pairs);
  time_case ("passed-on", passed_on, samples, pairs);
  return 0;
}
