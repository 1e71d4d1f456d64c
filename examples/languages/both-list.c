/* The part in C of both.a68.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

struct node
{
  long value;
  struct node *next;
};

static struct node *head;

void push_number (int value);
int sum_numbers (void);

void
push_number (int value)
{
  struct node *added = malloc (sizeof *added); /* site: nodes node */
  added->value = value;
  added->next = head;
  head = added;
}

/* Read all values, then the next of each to release it.  */
int
sum_numbers (void)
{
  long sum = 0;
  for (const struct node *rest = head; rest != NULL; rest = rest->next)
    sum += rest->value;
  while (head != NULL)
    {
      struct node *rest = head->next;
      free (head);
      head = rest;
    }
  return (int) sum;
}
