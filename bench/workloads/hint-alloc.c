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
		random
   passed-on	blocks of 64 bytes that another thread releases, 1000 at a time
   many-to-one	seven threads allocate such blocks, another one releases them
   one-to-many	one thread allocates them, seven release them
   ring		each of eight threads releases what the one before allocated,
		blocks of 16 to 512 bytes  */

#include "queue.h"
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
  THREADS = 8,
  BATCHES = 4 * THREADS, /* that may be on the way */
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

/* Batches of blocks that threads pass on, through queues of bounded length.  */

struct batch
{
  struct queue_link link;
  void *blocks[BATCH];
};

static struct batch batches_in_use[BATCHES];
static struct queue empty, full[THREADS];
static unsigned long batches_left; /* to be filled */

/* Return true if another batch is to be filled.  */

static bool
take_turn (void)
{
  unsigned long left = __atomic_load_n (&batches_left, __ATOMIC_RELAXED);
  while (left > 0
	 && !__atomic_compare_exchange_n (&batches_left, &left, left - 1, false,
					  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return left > 0;
}

static void
fill (struct batch *batch)
{
  for (unsigned j = 0; j < BATCH; j++)
    batch->blocks[j] = make_block (64);
}

static void
fill_with_sizes (struct batch *batch, uint64_t *state)
{
  for (unsigned j = 0; j < BATCH; j++)
    batch->blocks[j] = make_block (16 + workload_random (state) % 497);
}

static void
release (struct batch *batch)
{
  for (unsigned j = 0; j < BATCH; j++)
    free (batch->blocks[j]);
  queue_push (&empty, batch);
}

/* A batch without blocks ends a thread that releases.  */

static void *
release_all (void *data)
{
  struct queue *const queue = data;
  for (;;)
    {
      struct batch *const batch = queue_pop (queue);
      if (batch->blocks[0] == NULL)
	return NULL;
      release (batch);
    }
}

static void *
fill_all (void *data)
{
  while (take_turn ())
    {
      struct batch *const batch = queue_pop (&empty);
      fill (batch);
      queue_push (data, batch);
    }
  return NULL;
}

/* Fills a batch for the next thread, then releases one of the previous one.  */

static void *
fill_and_release (void *data)
{
  struct queue *const own = data;
  struct queue *const next = own + 1 < full + THREADS ? own + 1 : full;
  uint64_t state = (uint64_t) (own - full) + 1;
  for (unsigned long i = 0; i < batches_left; i++)
    {
      struct batch *const batch = queue_pop (&empty);
      fill_with_sizes (batch, &state);
      queue_push (next, batch);
      release (queue_pop (own));
    }
  return NULL;
}

static void
start_queues (unsigned long pairs)
{
  batches_left = (pairs + BATCH - 1) / BATCH;
  queue_start (&empty);
  for (unsigned i = 0; i < BATCHES; i++)
    queue_push (&empty, &batches_in_use[i]);
  for (unsigned i = 0; i < THREADS; i++)
    queue_start (&full[i]);
}

static void
end_queues (void)
{
  queue_end (&empty);
  for (unsigned i = 0; i < THREADS; i++)
    queue_end (&full[i]);
}

/* FILLING threads fill batches, RELEASING ones release them.  */

static void
pass_on (unsigned long pairs, unsigned filling, unsigned releasing)
{
  static struct batch ends[THREADS];
  pthread_t fills[THREADS], releases[THREADS];
  start_queues (pairs);
  for (unsigned i = 0; i < releasing; i++)
    pthread_create (&releases[i], NULL, release_all, &full[0]);
  for (unsigned i = 0; i < filling; i++)
    pthread_create (&fills[i], NULL, fill_all, &full[0]);
  for (unsigned i = 0; i < filling; i++)
    pthread_join (fills[i], NULL);
  for (unsigned i = 0; i < releasing; i++)
    queue_push (&full[0], &ends[i]);
  for (unsigned i = 0; i < releasing; i++)
    pthread_join (releases[i], NULL);
  end_queues ();
}

static void
passed_on (unsigned long pairs)
{
  pass_on (pairs, 1, 1);
}

static void
many_to_one (unsigned long pairs)
{
  pass_on (pairs, THREADS - 1, 1);
}

static void
one_to_many (unsigned long pairs)
{
  pass_on (pairs, 1, THREADS - 1);
}

static void
ring (unsigned long pairs)
{
  pthread_t threads[THREADS];
  start_queues (pairs);
  batches_left = (batches_left + THREADS - 1) / THREADS;
  for (unsigned i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, fill_and_release, &full[i]);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  end_queues ();
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
  time_case ("many-to-one", many_to_one, samples, pairs);
  time_case ("one-to-many", one_to_many, samples, pairs);
  time_case ("ring", ring, samples, pairs);
  return 0;
}
