// C++20: a program that imports a module.
// SPDX-License-Identifier: GPL-3.0-or-later

#include "truth.h"

import lists;

int
main ()
{
  Node *head = nullptr;
  for (long i = 1; i <= 100; i++)
    head = push (head, i);
  long *copy = copy_of (42L);
  long sum = *static_cast<volatile long *> (copy);
  delete copy;
  while (head)
    {
      Node *rest = head->next;
      sum += head->value;
      delete head;
      head = rest;
    }
  if (sum == 5092)
    {
      // Each node is filled and read: two members.
      truth_site ("nodes", 100, 100 * sizeof (Node), 400);
      truth_site ("copies", 1, sizeof (long), 2);
    }
}
