/* A vector that grows by realloc: each growth ends one observation and starts
   another, whether or not the block moves.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "truth.h"
#include <stdlib.h>

static unsigned long blocks, bytes;

struct vector
{
  int *items;
  int count;
  int capacity;
};

static NOINLINE void
push (struct vector *v, int item)
{
  if (v->count == v->capacity)
    {
      v->capacity = v->capacity ? v->capacity * 2 : 4;
      blocks++;
      const size_t size = v->capacity * sizeof (int);
      bytes += size;
      v->items = (int *) realloc (v->items, size); /* site: items */
    }
  v->items[v->count++] = item;	/* 1 */
}

int
main (void)
{
  enum { N = 3000 };
  struct vector v = { NULL, 0, 0 };
  for (int i = 0; i < N; i++)
    push (&v, i);
  long total = 0;
  for (int i = 0; i < N; i++)
    {
      total += v.items[i];	/* 1 */
      BARRIER ();
    }
  free (v.items);
  truth_site ("items", blocks, bytes, N + N);
  return total != (long) N * (N - 1) / 2;
}
