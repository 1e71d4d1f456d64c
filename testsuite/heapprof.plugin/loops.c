/* Loops whose accesses are counted outside the loops, which must not change the
   number of accesses to each block.  Every function runs with several numbers
   of iterations, including zero.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__ ((noinline, noclone))

enum { LENGTH = 600 };

struct record
{
  long a, b, c, d, e, f, g, h;
};

struct list
{
  struct list *next;
  long value;
};

struct small
{
  short x, y, z;
};

/* known: the number of iterations is known before the loop.  */

NOINLINE void
up (long *p, int n)
{
  for (int i = 0; i < n; i++)
    p[i] += i;
}

NOINLINE void
down (char *p, int n)
{
  for (int i = n - 1; i >= 0; i--)
    p[i] = (char) i;
}

NOINLINE void
strided (int *p, unsigned n)
{
  for (unsigned i = 0; i + 2 < n; i += 3)
    p[i] ^= p[i + 2];
}

NOINLINE void
records (struct record *r, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      r[i].a += r[i].b;
      r[i].h = r[i].c;
    }
}

NOINLINE void
triples (struct small *s, size_t n)
{
  for (size_t i = 0; i < n; i++)
    s[i].z = (short) (s[i].x + s[i].y);
}

NOINLINE void
same_address (const long *p, long *sum, int n)
{
  for (int i = 0; i < n; i++)
    *sum += p[i];
}

NOINLINE void
two_dimensions (const int *p, long *sum, int rows, int columns)
{
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      *sum += p[i * 20 + j];
}

NOINLINE void
columns (int *p, int n)
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      p[i * 24 + j]++;
}

NOINLINE void
triangle (int *p, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      p[i * 24 + j]++;
}

NOINLINE void
two_loops (short *p, int n)
{
  for (int i = 0; i < n; i++)
    p[i]++;
  for (short *q = p + n; q != p; q--)
    q[-1]--;
}

NOINLINE void
only_if (long *p, int n, int flag)
{
  for (int i = 0; i < n; i++)
    if (flag)
      p[i]++;
}

NOINLINE void
after_exit (const long *p, volatile long *sink, int n)
{
  int i = 0;
  for (;;)
    {
      *sink = p[0];
      if (i++ == n)
	break;
      *sink = p[i];
    }
}

/* unknown: the number of iterations is only known after the loop.  */

NOINLINE size_t
scan (const char *p)
{
  const char *q = p;
  while (*q != 0)
    q++;
  return (size_t) (q - p);
}

NOINLINE void
walk (const struct list *list, long *sum)
{
  for (; list != NULL; list = list->next)
    {
      *sum += list->value;
      if (list->value & 1)
	sum[1]++;
    }
}

NOINLINE long
find (const long *p, long n, long wanted)
{
  for (long i = 0; i < n; i++)
    if (p[i] == wanted)
      return i;
  return -1;
}

NOINLINE long
several_exits (const long *p, long *sum, long n)
{
  long i = 0;
  do
    {
      if (p[i] == 41)
	return 1;
      *sum += p[i];
      if (*sum > 3000)
	return 2;
    }
  while (++i < n);
  return 0;
}

NOINLINE void
through_goto (long *p, int n)
{
  int i = 0;
  if (n & 1)
    goto middle;
again:
  p[i]++;
middle:
  p[i + 1]++;
  if (++i < n)
    goto again;
}

NOINLINE int
cases (const unsigned char *p, long *counts)
{
  for (;; p++)
    switch (*p)
      {
      case 0:
	return 0;
      case 5:
	counts[1]++;
	break;
      case 9:
	counts[2]++;
	continue;
      case 17:
	return 1;
      default:
	counts[0]++;
      }
}

/* The counter of the prefetched element is prefetched, too.  */

NOINLINE void
fetched (const long *p, const int *order, long *sum, int n)
{
  for (int i = 0; i < n; i++)
    {
      __builtin_prefetch (&p[order[i + 4]]);
      *sum += p[order[i]];
    }
}

/* ends: loops that are left by something else.  */

static jmp_buf target;

NOINLINE void
leave (int i, int when)
{
  if (i == when)
    longjmp (target, 1);
}

NOINLINE void
jumps_out (long *p, int n, int when)
{
  for (int i = 0; i < n; i++)
    {
      p[i]++;
      leave (i, when);
      p[0]++;
    }
}

NOINLINE void
frees (long **p, int n)
{
  for (int i = 0; i < n; i++)
    {
      *p[i] += 1;
      free (p[i]);
    }
}

static void
run_known (int n)
{
  char *block = calloc (LENGTH, sizeof (struct record));
  long *sum = calloc (4, sizeof *sum);
  up ((long *) block, n);
  down (block + 3, n);
  strided ((int *) block + 1, (unsigned) n);
  records ((struct record *) block, (size_t) n);
  records ((struct record *) (block + 8), (size_t) n);
  triples ((struct small *) block, (size_t) n);
  same_address ((long *) block, sum, n);
  two_dimensions ((int *) block, sum, n, n / 2);
  two_dimensions ((int *) block + 3, sum, n, 20);
  columns ((int *) block, n < 24 ? n : 24);
  triangle ((int *) block + 5, n < 24 ? n : 24);
  two_loops ((short *) block + 1, n);
  only_if ((long *) block, n, n & 1);
  only_if ((long *) block, n, 1);
  after_exit ((long *) block, sum, n);
  printf ("%d %ld\n", n, sum[0]);
  free (sum);
  free (block);
}

static void
run_unknown (int n)
{
  char *block = malloc (LENGTH * sizeof (long));
  long *sum = calloc (4, sizeof *sum);
  struct list *list = NULL;
  memset (block, 7, LENGTH);
  block[n] = 0;
  sum[0] = (long) scan (block) + (long) scan (block + n / 2);
  memset (block, 0, LENGTH * sizeof (long));
  for (int i = 0; i < n; i++)
    {
      struct list *item = malloc (sizeof *item);
      item->next = list;
      item->value = i;
      list = item;
      ((long *) block)[i] = i * 3 % 50;
    }
  walk (list, sum);
  fetched ((long *) block, (int *) block, sum, n);
  while (list != NULL)
    {
      struct list *next = list->next;
      free (list);
      list = next;
    }
  sum[3] += find ((long *) block, n, 40);
  sum[3] += find ((long *) block, n, n);
  sum[3] += several_exits ((long *) block, sum, n);
  through_goto ((long *) block, n);
  for (int i = 0; i < n; i++)
    block[i] = (char) (i % 20 + 1);
  block[n] = 0;
  sum[3] += cases ((unsigned char *) block, sum);
  printf ("%d %ld %ld %ld %ld\n", n, sum[0], sum[1], sum[2], sum[3]);
  free (sum);
  free (block);
}

static void
run_ends (int n)
{
  long *block = calloc (LENGTH, sizeof *block);
  long **blocks = calloc (LENGTH, sizeof *blocks);
  if (setjmp (target) == 0)
    jumps_out (block, n, n / 2);
  jumps_out (block, n, -1);
  for (int i = 0; i < n; i++)
    blocks[i] = calloc (1, sizeof **blocks);
  frees (blocks, n);
  free (blocks);
  free (block);
}

int
main (void)
{
  static const int numbers[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 100,
    500 };
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    {
      const int n = numbers[i];
      run_known (n < 200 ? n : 200);
      run_unknown (n);
      run_ends (n);
    }
  return 0;
}
