/* Accesses that never happen, through pointers without counters: optimizers
   must not move a counter before the test that guards it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "counts.h"

struct node
{
  int x, y;
  struct node *next;
};

KEEP int
load_in_loop (struct node *p, const char *when, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (when[i])
      sum += p->x;
  return sum;
}

KEEP void
update_in_loop (struct node *p, const char *when, int n)
{
  for (int i = 0; i < n; i++)
    if (when[i])
      p->x += i;
}

KEEP void
store_in_loop (struct node *p, const char *when, int n, int value)
{
  for (int i = 0; i < n; i++)
    if (when[i])
      p->x = p->y = value;
}

KEEP int
array_in_loop (int *p, const char *when, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += when[i] ? p[i] : 3;
  return sum;
}

KEEP int
load_if (struct node *p, int when)
{
  return when ? p->x + p->y : 0;
}

KEEP int
second_load_if (struct node *p, int when)
{
  if (when > 10)
    p = p->next;
  return when > 12 ? p->y : 0;
}

int
main (void)
{
  static char never[1000];
  void *const pointers[] = { NULL, (void *) -8L, (void *) 0x8000000000000000L,
			     (void *) 0x7fffffffffffffffL };
  for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
    {
      load_in_loop (pointers[i], never, 1000);
      update_in_loop (pointers[i], never, 1000);
      store_in_loop (pointers[i], never, 1000, 5);
      array_in_loop (pointers[i], never, 1000);
      load_if (pointers[i], 0);
      second_load_if (pointers[i], 1);
    }
  return report ();
}
