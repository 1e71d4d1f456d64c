/* GCC's vector extensions on the heap, of several widths, shuffled and compared;
   loops to vectorize; masked accesses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int v4si __attribute__ ((vector_size (16)));
typedef int v8si __attribute__ ((vector_size (32)));
typedef float v4sf __attribute__ ((vector_size (16)));
typedef int v4si_unaligned __attribute__ ((vector_size (16), aligned (4)));

static unsigned
shuffle (v4si *a, size_t n)
{
  v4si sum = { 0 };
  for (size_t i = 0; i < n; i++)
    {
      v4si turned = __builtin_shuffle (a[i], (v4si) { 3, 2, 1, 0 });
      v4si large = turned > (v4si) { 5, 5, 5, 5 };
      sum += (turned & large) | (a[i] * 3 & ~large);
      a[i][i % 4] = sum[i & 3];
    }
  return sum[0] + sum[1] * 3 + sum[2] * 5 + sum[3] * 7;
}

static void
guarded (int *restrict to, const int *restrict from, const int *mask, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (mask[i] & 1)
      to[i] = from[i] + 1;
}

static void
strided (float *to, const float *from, size_t n)
{
  for (size_t i = 0; i + 2 < n; i += 3)
    {
      to[i] = from[i + 2];
      to[i + 1] = from[i] + from[i + 1];
      to[i + 2] = from[i + 1] * 2;
    }
}

int
main (void)
{
  unsigned sum = 0;

  for (size_t n = 1; n < 70; n += 3)
    {
      v4si *a = aligned_alloc (32, (n * sizeof *a + 31) / 32 * 32);
      int *to = calloc (n, sizeof *to), *from = malloc (n * sizeof *from);
      int *mask = malloc (n * sizeof *mask);
      float *x = malloc (n * sizeof *x), *y = calloc (n, sizeof *y);
      for (size_t i = 0; i < n; i++)
	{
	  a[i] = (v4si) { i, i * 2, i * i, 9 - i };
	  from[i] = i * 5;
	  mask[i] = i * 7 % 5;
	  x[i] = i;
	}
      sum = sum * 31 + shuffle (a, n);
      guarded (to, from, mask, n);
      strided (y, x, n);
      for (size_t i = 0; i < n; i++)
	sum = sum * 3 + to[i] + (int) y[i];
      if (n >= 8)
	{
	  v4si_unaligned middle;
	  memcpy (&middle, from + 1, sizeof middle);
	  *(v4si_unaligned *) (to + 3) += middle;
	  v8si wide;
	  memcpy (&wide, to, sizeof wide);
	  wide = wide * wide;
	  sum += wide[7] + wide[4];
	}
      v4sf half = { x[0], x[n / 2], 0.5f, y[0] };
      sum += (int) (half * half)[1];
      free (a), free (to), free (from), free (mask), free (x), free (y);
    }
  printf ("%u\n", sum);
  return 0;
}
