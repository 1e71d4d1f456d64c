/* Loops that -O3 turns into vector code: a vector access counts once for each lane,
   so the sums equal those of -O0.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "truth.h"
#include <stdlib.h>

static NOINLINE float *
make (int n)
{
  return (float *) malloc (n * sizeof (float)); /* site: floats */
}

static NOINLINE void
fill (float *p, int n)
{
  for (int i = 0; i < n; i++)
    p[i] = (float) i;		/* 1 */
}

static NOINLINE void
add (float *restrict to, const float *restrict from, int n)
{
  for (int i = 0; i < n; i++)
    to[i] += from[i];		/* to 2, from 1 */
}

int
main (void)
{
  enum { N = 1003 };
  float *to = make (N);
  float *from = make (N);
  fill (to, N);
  fill (from, N);
  add (to, from, N);
  float last = to[N - 1];	/* 1 */
  free (to);
  free (from);
  truth_site ("floats", 2, 2 * N * sizeof (float), N + N + 3 * N + 1);
  return last != 2.0f * (N - 1);
}
