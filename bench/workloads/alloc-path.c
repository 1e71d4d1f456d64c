/* The cost of one allocation and its release.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: alloc-path SAMPLES PAIRS

   Prints a line for each case: its name, and the nanoseconds of the thread's
   CPU time for a malloc and a free, in the fastest of SAMPLES samples of PAIRS
   pairs.

   depth-N	always the same calling context, below N calls of the same
		function
   random	one of 1024 contexts below 24 calls, at random; blocks are
		released 4096 allocations later
   1-MiB	blocks of 1 MiB of which one word is written  */

#include "workload.h"
#include <time.h>

enum
{
  BLOCK_BYTES = 32,
  LARGE_BYTES = 1 << 20,
  WARM_UP_NS = 100000000,
  LIVE_BLOCKS = 4096,
  RANDOM_DEPTH = 24,
  RANDOM_CHOICES = 10
};

#define NOINLINE __attribute__ ((noinline))

/* Hide BLOCK from the optimizer, so that it is allocated.  */

static inline void *
escape (void *block)
{
  __asm__ volatile("" : "+r"(block) : : "memory");
  return block;
}

static double
now_ns (void)
{
  struct timespec time;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

/* Allocate and release PAIRS blocks of BYTES bytes, DEPTH calls further down;
   return the time.  */

static NOINLINE double
pairs_below (int depth, unsigned long pairs, size_t bytes)
{
  if (depth > 1)
    {
      const double ns = pairs_below (depth - 1, pairs, bytes);
      __asm__ volatile(""); /* no tail call */
      return ns;
    }
  const double start = now_ns ();
  for (unsigned long i = 0; i < pairs; i++)
    {
      uint64_t *const block = escape (malloc (bytes));
      *block = i;
      free (escape (block));
    }
  return now_ns () - start;
}

/* Two call sites at each level: BITS chooses.  */

static NOINLINE void *
block_below (int depth, unsigned bits)
{
  void *block;
  if (depth == 1)
    block = malloc (BLOCK_BYTES);
  else if (bits & 1)
    block = block_below (depth - 1, bits >> 1);
  else
    {
      block = block_below (depth - 1, bits >> 1);
      __asm__ volatile("nop"); /* unlike the other call */
    }
  return escape (block);
}

static double
random_pairs (unsigned long pairs, uint64_t *state)
{
  static void *live[LIVE_BLOCKS];
  const double start = now_ns ();
  for (unsigned long i = 0; i < pairs; i++)
    {
      const uint64_t random = workload_random (state);
      void **const place = &live[i % LIVE_BLOCKS];
      free (*place);
      *place = block_below (RANDOM_DEPTH,
			    (unsigned) random & ((1 << RANDOM_CHOICES) - 1));
    }
  return now_ns () - start;
}

static void
report (const char *name, double ns, unsigned long pairs)
{
  printf ("%s %.2f\n", name, ns / (double) pairs);
  fflush (stdout);
}

static void
time_depth (const char *name, int depth, size_t bytes, unsigned long samples,
	    unsigned long pairs)
{
  double best = pairs_below (depth, pairs, bytes);
  for (unsigned long i = 1; i < samples; i++)
    {
      const double ns = pairs_below (depth, pairs, bytes);
      if (ns < best)
	best = ns;
    }
  report (name, best, pairs);
}

static void
time_random (unsigned long samples, unsigned long pairs)
{
  uint64_t state = 1;
  double best = random_pairs (pairs, &state);
  for (unsigned long i = 1; i < samples; i++)
    {
      const double ns = random_pairs (pairs, &state);
      if (ns < best)
	best = ns;
    }
  report ("random", best, pairs);
}

/* A profiler may calibrate its clock at the start.  */

static void
warm_up (void)
{
  const double end = now_ns () + WARM_UP_NS;
  while (now_ns () < end)
    pairs_below (10, 100, BLOCK_BYTES);
}

int
main (int argc, char **argv)
{
  const unsigned long samples = workload_argument (argc, argv, 1, 10);
  const unsigned long pairs = workload_argument (argc, argv, 2, 10000);
  warm_up ();
  time_depth ("depth-1", 1, BLOCK_BYTES, samples, pairs);
  time_depth ("depth-10", 10, BLOCK_BYTES, samples, pairs);
  time_depth ("depth-32", 32, BLOCK_BYTES, samples, pairs);
  time_depth ("depth-128", 128, BLOCK_BYTES, samples, pairs);
  time_random (samples, pairs);
  time_depth ("1-MiB", 1, LARGE_BYTES, samples, pairs / 10 + 1);
  return 0;
}
