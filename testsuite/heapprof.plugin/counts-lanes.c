/* Hand-counted accesses of vector code: masked moves, gathers, scatters.  The
   vectorizer's code for the loops depends on options; the counts do not.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <immintrin.h>
#include "counts.h"
KEEP void
cond (int *a, int *b, int *c, int n)
{
  for (int i = 0; i < n; i++)
    if (c[i])
      a[i] = b[i] + 1;
}

KEEP long
gather (int *t, int *ix, int n)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    s += t[ix[i]];
  return s;
}

KEEP long
gatherc (int *t, int *ix, int *c, int n)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    if (c[i])
      s += t[ix[i]];
  return s;
}

KEEP void
scatter (int *t, int *ix, int n)
{
  for (int i = 0; i < n; i++)
    t[ix[i]] = 3;
}

/* Can be vectorized because the types show that T and IX do not overlap.  */
KEEP void
scatterf (float *t, int *ix, int n)
{
  for (int i = 0; i < n; i++)
    t[ix[i]] = 3;
}

KEEP void
scatterc (float *t, int *ix, int n)
{
  for (int i = 0; i < n; i++)
    if (ix[i] >= 500)
      t[ix[i] - 500] = i;
}

KEEP float
gather_ahead (float *t, int *ix, int n)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    s += t[ix[i] + 16];
  return s;
}

KEEP double
gatherd (double *t, int *ix, int n)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += t[ix[i]] * 2;
  return s;
}

KEEP float
gatherfl (float *t, long *ix, int n)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    s += t[ix[i]] * 2;
  return s;
}

KEEP __m256i
isic (int *t, __m256i ix)
{
  return _mm256_i32gather_epi32 (t, ix, 4);
}

KEEP __m256i
isicm (int *t, __m256i ix, __m256i m)
{
  return _mm256_mask_i32gather_epi32 (ix, t, ix, m, 4);
}

KEEP __m256i
ml (int *t, __m256i m)
{
  return _mm256_maskload_epi32 (t, m);
}

KEEP void
ms (int *t, __m256i m)
{
  _mm256_maskstore_epi32 (t, m, m);
}

KEEP void
nullm (int *t, int *c, int n, int d)
{
  for (int i = 0; i < n; i++)
    if (c[i])
      t[i] = d;
}

KEEP void
stream (__m256i *p, __m256i x)
{
  _mm256_stream_si256 (p, x);
}

KEEP void
stream_scalar (int *p, int x)
{
  _mm_stream_si32 (p, x);
}

KEEP __m256
broadcast (float *p)
{
  return _mm256_broadcast_ss (p);
}

KEEP __m256i
unaligned (__m256i *p)
{
  return _mm256_lddqu_si256 (p);
}

static void __attribute__ ((no_instrument_function))
zero_counts (int *a, int *b, int *c)
{
  take_count (a, BLOCK_BYTES);
  take_count (b, BLOCK_BYTES);
  take_count (c, BLOCK_BYTES);
}

int
main (void)
{
  int *a = new_block (BLOCK_BYTES), *b = new_block (BLOCK_BYTES),
      *c = new_block (BLOCK_BYTES);
  int act = 0;
  for (int i = 0; i < 1000; i++)
    {
      c[i] = (i * 7 % 3) == 0;
      act += c[i];
    }
  zero_counts (a, b, c);
  cond (a, b, c, 1000);
  check_count ("cond.a", a, BLOCK_BYTES, act);
  check_count ("cond.b", b, BLOCK_BYTES, act);
  check_count ("cond.c", c, BLOCK_BYTES, 1000);
  for (int i = 0; i < 1000; i++)
    b[i] = i * 13 % 1000;
  zero_counts (a, b, c);
  gather (a, b, 1000);
  check_count ("gather.a", a, BLOCK_BYTES, 1000);
  check_count ("gather.b", b, BLOCK_BYTES, 1000);
  zero_counts (a, b, c);
  gatherc (a, b, c, 1000);
  check_count ("gatherc.a", a, BLOCK_BYTES, act);
  zero_counts (a, b, c);
  scatter (a, b, 1000);
  check_count ("scatter.a", a, BLOCK_BYTES, 1000);
  check_count ("scatter.b", b, BLOCK_BYTES, 1000);
  zero_counts (a, b, c);
  scatterf ((float *) a, b, 1000);
  check_count ("scatterf.a", a, BLOCK_BYTES, 1000);
  check_count ("scatterf.b", b, BLOCK_BYTES, 1000);
  zero_counts (a, b, c);
  scatterc ((float *) a, b, 1000);
  check_count ("scatterc.a", a, BLOCK_BYTES, 500);
  memset (a, 0, BLOCK_BYTES);
  zero_counts (a, b, c);
  gather_ahead ((float *) a, b, 900);
  check_count ("gather_ahead.a", a, BLOCK_BYTES, 900);
  check_count ("gather_ahead.b", b, BLOCK_BYTES, 900);
  zero_counts (a, b, c);
  gatherd ((double *)a, b, 77);
  check_count ("gatherd.b", b, BLOCK_BYTES, 77);
  /* All lanes access one granule.  */
  for (int i = 0; i < 1000; i++)
    b[i] = 16 + i % 16;
  zero_counts (a, b, c);
  gather (a, b, 1000);
  check_count ("gather1.a", a + 16, 64, 1000);
  memset (a, 0, BLOCK_BYTES);
  for (int i = 0; i < 200; i++)
    ((long *)b)[i] = i;
  zero_counts (a, b, c);
  gatherfl ((float *)a, (long *)b, 200);
  check_count ("gatherfl.a", a, BLOCK_BYTES, 200);
  check_count ("gatherfl.b", b, BLOCK_BYTES, 200);
  __m256i ix = _mm256_setr_epi32 (0, 16, 32, 48, 64, 80, 96, 112),
	  m = _mm256_setr_epi32 (-1, 0, 0, -1, -1, 0, 0, 0);
  zero_counts (a, b, c);
  isic (a, ix);
  for (int i = 0; i < 8; i++)
    check_count ("isic", a + 16 * i, 64, 1);
  zero_counts (a, b, c);
  isicm (a, ix, m);
  for (int i = 0; i < 8; i++)
    check_count ("isicm", a + 16 * i, 64, i == 0 || i == 3 || i == 4);
  zero_counts (a, b, c);
  ml (a, m);
  check_count ("ml", a, BLOCK_BYTES, 3);
  zero_counts (a, b, c);
  ms (a, m);
  check_count ("ms", a, BLOCK_BYTES, 3);
  zero_counts (a, b, c);
  stream ((__m256i *) a, m);
  check_count ("stream", a, BLOCK_BYTES, 4);
  stream_scalar (a, 3);
  check_count ("stream_scalar", a, BLOCK_BYTES, 1);
  broadcast ((float *) a);
  check_count ("broadcast", a, BLOCK_BYTES, 1);
  unaligned ((__m256i *) a);
  check_count ("unaligned", a, BLOCK_BYTES, 4);
  memset (c, 0, BLOCK_BYTES);
  /* No lane is active, so any address is valid.  */
  nullm ((int *)-4096L, c, 1000, 3);
  nullm (0, c, 1000, 3);
  nullm ((int *)0x8000000000000000L, c, 1000, 3);
  return report ();
}
