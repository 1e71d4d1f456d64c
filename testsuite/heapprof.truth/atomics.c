/* Atomic operations: loads and stores count like plain ones, read-modify-write and
   compare-and-swap count one each; old and new builtins.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "truth.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static NOINLINE atomic_long *
make (void)
{
  return (atomic_long *) calloc (4, sizeof (atomic_long)); /* site: counters */
}

static NOINLINE void
use (atomic_long *a, int n)
{
  for (int i = 0; i < n; i++)
    {
      atomic_store_explicit (&a[0], i, memory_order_relaxed);	/* 1 */
      atomic_fetch_add (&a[1], 2);				/* 1 */
      long old = atomic_load (&a[1]);				/* 1 */
      atomic_compare_exchange_strong (&a[1], &old, 5);		/* 1 */
      atomic_exchange (&a[2], 3);				/* 1 */
      atomic_fetch_or (&a[3], 1);				/* 1 */
      __sync_fetch_and_add ((long *) &a[3], 1);			/* 1 */
      __sync_bool_compare_and_swap ((long *) &a[3], 9, 1);	/* 1 */
    }
}

int
main (void)
{
  enum { N = 50 };
  atomic_long *a = make ();
  use (a, N);
  free (a);
  truth_site ("counters", 1, 4 * sizeof (atomic_long), N * 8);
  return 0;
}
