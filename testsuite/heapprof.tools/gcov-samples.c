/* Counted by hand: the comment after a line has the counts of its blocks, in
   the order of the source, and the comment after a name how often it is called.
   gcc has one more block after the last return of a value.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

static int
leaf (int x)			/* 12 called 12 */
{
  return x & 1;			/* 12 12 */
}

static int
other (int x)			/* 6 called 6 */
{
  return x | 1;			/* 6 6 */
}

int
never (int x)			/* called 0 */
{
  return x + 1;
}

int
choose (int x)			/* 20 called 20 */
{
  int (*step) (int) = leaf;	/* 20 */
  if (x % 5 > 2)		/* 20 */
    step = other;		/* 6 */
  if (x == 1) return 0; else x++;	/* 20 2 18 */
  return step (x);		/* 18 */
}

int
loops (int n)			/* 2 called 2 */
{
  int sum = 0;			/* 2 */
  for (int i = 0; i < n; i++)	/* 2 22 20 */
    sum += choose (i) + 3;	/* 20 */
  int rest = sum;		/* 2 */
  while (rest > 9)		/* 2 12 */
    rest -= 10;			/* 10 */
  return rest;			/* 2 2 */
}

int
main (void)			/* 1 called 1 */
{
  int sum = loops (13);		/* 1 */
  sum += loops (7);		/* 1 */
  if (sum < 0)			/* 1 */
    abort ();			/* 0 */
  return 0;			/* 1 */
}
