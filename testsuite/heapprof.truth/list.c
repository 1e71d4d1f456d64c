/* A linked list: built once, walked three times, in 8-byte accesses only.
   SPDX-License-Identifier: GPL-3.0-or-later
   dhat 8  */

#include "truth.h"
#include <stdlib.h>

struct node
{
  long value;
  struct node *next;
};

static NOINLINE struct node *
build (long n)
{
  struct node *head = NULL;
  for (long i = 0; i < n; i++)
    {
      struct node *node = (struct node *) malloc (sizeof *node); /* site: node */
      node->value = i;
      node->next = head;
      head = node;
    }
  return head;
}

static NOINLINE long
sum (const struct node *node)
{
  long total = 0;
  for (; node; node = node->next)
    total += node->value;
  return total;
}

static NOINLINE void
release (struct node *node)
{
  while (node)
    {
      struct node *next = node->next;
      free (node);
      node = next;
    }
}

int
main (void)
{
  enum { N = 1000, WALKS = 3 };
  struct node *head = build (N);
  long total = 0;
  for (int i = 0; i < WALKS; i++)
    {
      total += sum (head);
      BARRIER ();
    }
  release (head);
  /* Two stores when built, two loads a walk, one when released.  */
  truth_site ("node", N, N * sizeof (struct node), N * (2 + WALKS * 2 + 1));
  return total != (long) WALKS * N * (N - 1) / 2;
}
