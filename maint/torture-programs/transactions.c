/* Transactional memory, with allocations inside transactions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

struct link
{
  struct link *next;
  unsigned value;
};

static struct link *list;

__attribute__ ((transaction_safe)) static void
push (unsigned value)
{
  struct link *link = malloc (sizeof *link);

  link->value = value;
  link->next = list;
  list = link;
}

int
main (void)
{
  unsigned sum = 0;

  for (unsigned i = 0; i < 100; i++)
    __transaction_atomic { push (i); }
  while (list)
    {
      struct link *link = list;
      __transaction_atomic { list = link->next; }
      sum = sum * 31 + link->value;
      free (link);
    }
  printf ("%u\n", sum);
  return 0;
}
