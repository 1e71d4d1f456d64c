/* Objective-C++: a list of objects, and a C++ class.
   SPDX-License-Identifier: GPL-3.0-or-later

   Lines with "site:" allocate.  The program prints, for each, how many blocks, bytes
   and accesses its profile must have.  */

#import <objc/Object.h>
#import <objc/runtime.h>
#include <cstdio>

@interface Node : Object
{
@public
  long value;
  Node *next;
}
+ (Node *) push: (long) value before: (Node *) next;
@end

@implementation Node
+ (Node *) push: (long) value before: (Node *) next
{
  Node *node = (Node *) class_createInstance (self, 0); /* site: nodes Node */
  node->value = value;
  node->next = next;
  return node;
}
@end

namespace geometry
{
struct Shape
{
  long width, height;
};
}

static Node *
first (Node *head)
{
  for (long i = 1; i <= 30; i++)
    head = [Node push: i before: head];
  return head;
}

static Node *
second (Node *head)
{
  for (long i = 31; i <= 100; i++)
    head = [Node push: i before: head];
  return head;
}

int
main ()
{
  Node *head = second (first (nullptr));
  long sum = 0;
  for (Node *rest = head; rest; rest = rest->next)
    sum += rest->value;
  while (head)
    {
      Node *rest = head->next;
      object_dispose (head);
      head = rest;
    }

  volatile geometry::Shape *square
    = new geometry::Shape; /* site: square geometry::Shape */
  square->width = 3;
  square->height = 4;
  sum += square->width;
  delete square;

  if (sum == 5053)
    {
      puts ("site nodes 100 2400 500");
      puts ("site square 1 16 3");
    }
}
