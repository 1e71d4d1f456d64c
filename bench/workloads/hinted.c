/* A hot set among cold blocks: the cost and the gain of hints.
   SPDX-License-Identifier: GPL-3.0-or-later

   hinted pairs HINT SIZE     ns for an allocation and its release
   hinted phases HINT COUNT   makes COUNT blocks, one in 16 of them hot, and
			      works with the hot ones between lines `begin'
			      and `end', each answered by a line, for
			      bench/run-hint

   With HINT 0, blocks come from malloc; otherwise cold blocks are allocated
   with the hint 1 and hot ones with 254.  Compiled without HINTED, the program
   does not support hints, and HINT must be 0.  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef HINTED
#include "heapprof/heaphint.h"
#else
#define heapprof_malloc_hinted(size, hint) malloc (size)
#endif

enum
{
  PAIRS = 2000000,
  KEPT = 64,
  ROUNDS = 400,
  SAMPLES = 5
};

struct record
{
  uint64_t key;
  char text[88];
};

static double
now_ns (void)
{
  struct timespec time;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static void *
get (int hint, size_t size)
{
  return hint == 0 ? malloc (size) : heapprof_malloc_hinted (size, hint);
}

/* Blocks are released in the order of allocation, KEPT allocations later.  */

static void
time_pairs (int hint, size_t size)
{
  double best = 1e18;
  for (unsigned sample = 0; sample < SAMPLES; sample++)
    {
      void *kept[KEPT] = { NULL };
      const double begin = now_ns ();
      for (unsigned i = 0; i < PAIRS; i++)
	{
	  free (kept[i % KEPT]);
	  kept[i % KEPT] = get (hint, size);
	}
      const double ns = (now_ns () - begin) / PAIRS;
      best = ns < best ? ns : best;
      for (unsigned i = 0; i < KEPT; i++)
	free (kept[i]);
    }
  printf ("%.1f\n", best);
}

/* Print a line for bench/run-hint, and wait for its answer.  */

static void
say (const char *text)
{
  puts (text);
  fflush (stdout);
  while (getchar () > '\n')
    ;
}

static void
run_phases (int hint, size_t count)
{
  const size_t hot_count = count / 16;
  struct record **const hot = malloc (hot_count * sizeof *hot);
  struct record **const cold = malloc ((count - hot_count) * sizeof *cold);
  size_t hots = 0;
  size_t colds = 0;
  for (size_t i = 0; i < count; i++)
    {
      const int is_hot = i % 16 == 0 && hots < hot_count;
      struct record *const record = get (hint == 0 ? 0
					 : is_hot  ? 254
						   : 1,
					 sizeof *record);
      record->key = i;
      memset (record->text, 'a', sizeof record->text);
      if (is_hot)
	hot[hots++] = record;
      else if (colds < count - hot_count)
	cold[colds++] = record;
    }
  say ("begin");
  uint64_t sum = 0;
  uint64_t state = 1;
  for (size_t i = 0; i < hots * ROUNDS; i++)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      struct record *const record = hot[(state >> 33) % hots];
      sum += record->key++ + (unsigned char) record->text[40];
    }
  say (sum != 0 ? "end" : "no sum");
  for (size_t i = 0; i < hots; i++)
    free (hot[i]);
  for (size_t i = 0; i < colds; i++)
    free (cold[i]);
}

int
main (int argc, char **argv)
{
  if (argc != 4)
    return 2;
  const int hint = atoi (argv[2]);
  if (strcmp (argv[1], "pairs") == 0)
    time_pairs (hint, (size_t) atol (argv[3]));
  else
    run_phases (hint, (size_t) atol (argv[3]));
  return 0;
}
