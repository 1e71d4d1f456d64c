/* A function that works on the stack and on the heap: all its accesses are
   counted, but only those to the heap are in the profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "truth.h"
#include <stdlib.h>

static long global[16];
static _Thread_local long thread_local_data[16];

static NOINLINE long *
make (int n)
{
  return (long *) malloc (n * sizeof (long)); /* site: heap */
}

static NOINLINE void
fill (long *p, int n)
{
  for (volatile int i = 0; i < n; i++)
    p[i] = i;			/* 1 */
}

static NOINLINE long
sum (const long *p, int n)
{
  long total = 0;
  for (volatile int i = 0; i < n; i++)
    total += p[i];		/* 1 */
  return total;
}

int
main (void)
{
  enum { N = 16, ROUNDS = 9 };
  long stack[N];
  long total = 0;
  for (int r = 0; r < ROUNDS; r++)
    {
      long *heap = make (N);
      fill (stack, N);
      fill (global, N);
      fill (thread_local_data, N);
      fill (heap, N);
      total += sum (stack, N) + sum (global, N) + sum (thread_local_data, N);
      total += sum (heap, N);
      free (heap);
    }
  truth_site ("heap", ROUNDS, ROUNDS * N * sizeof (long), ROUNDS * N * 2);
  return total != ROUNDS * 4L * (N * (N - 1) / 2);
}
