/* Complex numbers: two accesses each, for both parts.
   SPDX-License-Identifier: GPL-3.0-or-later
   dhat 8  */

#include "truth.h"
#include <complex.h>
#include <stdlib.h>

static NOINLINE double complex *
make (int n)
{
  return (double complex *) malloc (n * sizeof (double complex)); /* site: z */
}

static NOINLINE void
fill (double complex *z, int n)
{
  for (volatile int i = 0; i < n; i++)
    z[i] = i + 2.0 * I;		/* 2 */
}

static NOINLINE double
sum_parts (const double complex *z, int n)
{
  double total = 0;
  for (int i = 0; i < n; i++)
    {
      total += creal (z[i]);	/* 1: only the real part */
      BARRIER ();
    }
  return total;
}

static NOINLINE double complex
sum (const double complex *z, int n)
{
  double complex total = 0;
  for (int i = 0; i < n; i++)
    {
      total += z[i];		/* 2 */
      BARRIER ();
    }
  return total;
}

int
main (void)
{
  enum { N = 40 };
  double complex *z = make (N);
  fill (z, N);
  double real = sum_parts (z, N);
  double complex all = sum (z, N);
  free (z);
  truth_site ("z", 1, N * sizeof *z, N * 2 + N + N * 2);
  return real != creal (all);
}
