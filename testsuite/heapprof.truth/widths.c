/* Every scalar width, bit-fields, and read-modify-write: one access for a load and
   one for a store, with any width.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "truth.h"
#include <stdlib.h>

struct mixed
{
  volatile signed char c;
  volatile short s;
  volatile int i;
  volatile long l;
  volatile float f;
  volatile double d;
  volatile unsigned bits : 5;
  volatile unsigned more : 9;
  void *volatile p;
  volatile _Bool b;
};

static NOINLINE struct mixed *
make (void)
{
  return (struct mixed *) calloc (1, sizeof (struct mixed)); /* site: mixed */
}

static NOINLINE void
use (struct mixed *m, int n)
{
  for (int k = 0; k < n; k++)
    {
      m->c = 1;			/* 1 */
      m->s += 2;		/* 2 */
      m->i++;			/* 2 */
      m->l = m->i;		/* 2 */
      m->f = 1.5f;		/* 1 */
      m->d = m->f + m->d;	/* 3 */
      m->p = m;			/* 1 */
      m->b = 1;			/* 1 */
    }
}

static NOINLINE void
use_bits (struct mixed *m, int n)
{
  for (int k = 0; k < n; k++)
    {
      m->bits = 3;		/* 1 */
      BARRIER ();
      m->more = m->bits;	/* 2 */
    }
}

int
main (void)
{
  enum { N = 100 };
  struct mixed *m = make ();
  use (m, N);
  use_bits (m, N);
  free (m);
  truth_site ("mixed", 1, sizeof (struct mixed), N * 13 + N * 3);
  return 0;
}
