/* A program that runs as long as it is told to, with the same amount of memory.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: long-run SECONDS THREADS

   THREADS threads allocate in 10,000 calling contexts, nine in ten times in a
   hundred of them, and release each other's blocks, of which there are at most
   4096; each is replaced by a new thread after half a second.  Once there have
   been so many blocks that all contexts are known, prints its resident memory
   in KiB, and how much of it is not a file's, after each quarter of the
   time.  */

#include "workload.h"
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum
{
  FUNCTIONS = 10,
  LEVELS = 4,
  CONTEXTS = 10000, /* FUNCTIONS to the power of LEVELS */
  FEW = 100,
  PLACES = 4096,
  MOST_THREADS = 64,
  QUARTERS = 4,
  TURN_MS = 500,
  WARM_UP = 1000000 /* blocks of each thread before the time begins */
};

struct thread
{
  pthread_t handle;
  uint64_t state;
  uint64_t blocks;
};

typedef void visitor (struct thread *thread, unsigned path, unsigned levels);
static visitor *const visitors[FUNCTIONS];

static unsigned char *places[PLACES];
static int is_over; /* the threads are to end */

/* Call the function for the lowest digit of PATH; after LEVELS of them allocate
   a block, write it, and release the one whose place it takes.  */

static inline __attribute__ ((always_inline)) void
visit (struct thread *thread, unsigned path, unsigned levels)
{
  if (levels > 0)
    visitors[path % FUNCTIONS](thread, path / FUNCTIONS, levels - 1);
  else
    {
      const uint64_t random = workload_random (&thread->state);
      const size_t bytes = 16 + random % 1008;
      unsigned char *const block = workload_block (malloc (bytes));
      memset (block, (int) random, 16);
      thread->blocks++;
      free (__atomic_exchange_n (&places[random >> 32 & (PLACES - 1)], block,
				 __ATOMIC_ACQ_REL));
    }
  /* Not a tail call, which would remove the frame.  */
  __asm__ volatile("" : : : "memory");
}

#define VISITOR(NUMBER)                                                        \
  static                                                                       \
    __attribute__ ((noinline)) void visit_##NUMBER (struct thread *thread,     \
						    unsigned path,             \
						    unsigned levels)           \
  {                                                                            \
    visit (thread, path, levels);                                              \
  }

WORKLOAD_TEN (VISITOR)

static visitor *const visitors[FUNCTIONS] = { WORKLOAD_TEN_NAMES (visit_) };

static void *
operate (void *data)
{
  struct thread *const thread = data;
  while (__atomic_load_n (&is_over, __ATOMIC_RELAXED) == 0)
    for (int i = 0; i < 64; i++)
      {
	const uint64_t random = workload_random (&thread->state);
	const bool is_rare = (random >> 32) % 10 == 0;
	visit (thread, (unsigned) (random % (is_rare ? CONTEXTS : FEW)),
	       LEVELS);
      }
  return NULL;
}

static double
now_seconds (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* Let COUNT new threads run for one turn; return the blocks they allocated.  */

static uint64_t
run_turn (struct thread *threads, unsigned long count)
{
  static uint64_t next_state;
  const struct timespec turn = { 0, TURN_MS * 1000000L };
  __atomic_store_n (&is_over, 0, __ATOMIC_RELAXED);
  for (unsigned long i = 0; i < count; i++)
    {
      threads[i].state = ++next_state << 32;
      threads[i].blocks = 0;
      if (pthread_create (&threads[i].handle, NULL, operate, &threads[i]) != 0)
	{
	  fputs ("long-run: cannot start a thread\n", stderr);
	  exit (1);
	}
    }
  nanosleep (&turn, NULL);
  __atomic_store_n (&is_over, 1, __ATOMIC_RELAXED);
  uint64_t blocks = 0;
  for (unsigned long i = 0; i < count; i++)
    {
      pthread_join (threads[i].handle, NULL);
      blocks += threads[i].blocks;
    }
  return blocks;
}

/* Print resident memory: all, and what is not of files, in KiB.  */

static void
report_memory (void)
{
  unsigned long total, resident, of_files;
  FILE *const file = fopen ("/proc/self/statm", "r");
  if (file == NULL
      || fscanf (file, "%lu %lu %lu", &total, &resident, &of_files) != 3)
    {
      fputs ("long-run: cannot read /proc/self/statm\n", stderr);
      exit (1);
    }
  fclose (file);
  printf ("resident %lu own %lu\n", resident * 4, (resident - of_files) * 4);
}

int
main (int argc, char **argv)
{
  static struct thread threads[MOST_THREADS];
  const unsigned long seconds = workload_argument (argc, argv, 1, 20);
  const unsigned long count = workload_argument (argc, argv, 2, 4);
  if (count > MOST_THREADS)
    {
      fprintf (stderr, "long-run: at most %d threads\n", MOST_THREADS);
      return 2;
    }
  uint64_t blocks = 0;
  while (blocks < count * WARM_UP)
    blocks += run_turn (threads, count);
  const double start = now_seconds ();
  for (int quarter = 1; quarter <= QUARTERS; quarter++)
    {
      while (now_seconds () - start < (double) seconds * quarter / QUARTERS)
	blocks += run_turn (threads, count);
      report_memory ();
    }
  printf ("blocks %llu\n", (unsigned long long) blocks);
  for (int i = 0; i < PLACES; i++)
    free (places[i]);
  return 0;
}
