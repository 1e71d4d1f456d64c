/* Matrix product of doubles: three arrays, 8-byte accesses only.
   SPDX-License-Identifier: GPL-3.0-or-later
   dhat 8

   -O3 until GCC 13 right 27072: the vectorizer loads the column in pairs, of
     which it uses one: all except the last pair of a column, 22 * 576 of them,
     count two lanes.  Later versions load one number at a time.  */

#include "truth.h"
#include <stdlib.h>

enum { N = 24 };

static NOINLINE double *
make_left (void)
{
  return (double *) malloc (N * N * sizeof (double)); /* site: left */
}

static NOINLINE double *
make_right (void)
{
  return (double *) malloc (N * N * sizeof (double)); /* site: right */
}

static NOINLINE double *
make_product (void)
{
  return (double *) malloc (N * N * sizeof (double)); /* site: product */
}

static NOINLINE void
fill (double *m, double seed)
{
  for (volatile int i = 0; i < N * N; i++)
    m[i] = seed + i;
}

static NOINLINE void
multiply (const double *left, const double *right, double *product)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
	double sum = 0;
	for (int k = 0; k < N; k++)
	  sum += left[i * N + k] * right[k * N + j];
	product[i * N + j] = sum;
      }
}

int
main (void)
{
  double *left = make_left ();
  double *right = make_right ();
  double *product = make_product ();
  fill (left, 1);
  fill (right, 2);
  multiply (left, right, product);
  double corner = product[N * N - 1];
  free (left);
  free (right);
  free (product);
  const unsigned long bytes = N * N * sizeof (double);
  truth_site ("left", 1, bytes, N * N + N * N * N);
  truth_site ("right", 1, bytes, N * N + N * N * N);
  truth_site ("product", 1, bytes, N * N + 1);
  return corner <= 0;
}
