/* Blocks whose lifetimes are known to the program, among many others.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 300000, PAUSE_US = 30000 };

static uint64_t
now_ns (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/* Consecutive blocks, which do not overlap.  */

static void
in_turn (void)
{
  for (unsigned i = 0; i < BLOCKS; i++)
    free (malloc (40));
}

/* Each block is allocated before the previous one is released.  */

static void
overlapping (void)
{
  void *last = NULL;
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      void *const next = malloc (48);
      free (last);
      last = next;
    }
  free (last);
}

static void *
lasting (void)
{
  return malloc (56);
}

int
main (void)
{
  const uint64_t begin = now_ns ();
  in_turn ();
  const uint64_t middle = now_ns ();
  overlapping ();
  const uint64_t end = now_ns ();

  const uint64_t before_alloc = now_ns ();
  void *const block = lasting ();
  const uint64_t after_alloc = now_ns ();
  usleep (PAUSE_US);
  in_turn ();
  usleep (PAUSE_US);
  const uint64_t before_free = now_ns ();
  free (block);
  const uint64_t after_free = now_ns ();
  printf ("in_turn %llu overlapping %llu lasting_least %llu"
	  " lasting_most %llu\n",
	  (unsigned long long) (middle - begin + before_free - after_alloc),
	  (unsigned long long) (end - middle),
	  (unsigned long long) (before_free - after_alloc),
	  (unsigned long long) (after_free - before_alloc));
  return 0;
}
