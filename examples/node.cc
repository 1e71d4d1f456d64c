/* A minimal program with an interesting heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   It has one call of new and two calling contexts: the node of keep lives until
   the end, those of use are walked 100 times and deleted.  The manual and
   doc/internals.md follow it; a test knows its accesses, counted by hand.  */

struct Node
{
  Node *next;
  long value;
};

__attribute__ ((noinline)) Node *
make (long value, Node *next)
{
  return new Node { next, value };
}

__attribute__ ((noinline)) Node *
keep ()
{
  return make (7, nullptr);
}

__attribute__ ((noinline)) Node *
use ()
{
  Node *list = nullptr;
  for (long i = 0; i < 3; i++)
    list = make (i, list);
  return list;
}

int
main ()
{
  Node *kept = keep ();
  Node *list = use ();
  long sum = 0;
  for (int round = 0; round < 100; round++)
    for (Node *node = list; node; node = node->next)
      sum += node->value;
  while (list)
    {
      Node *next = list->next;
      delete list;
      list = next;
    }
  return kept->value + sum != 307;
}
