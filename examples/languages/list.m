/* Objective-C: a list of objects, and an array.
   SPDX-License-Identifier: GPL-3.0-or-later

   Lines with "site:" allocate.  The program prints, for each, how many blocks, bytes
   and accesses its profile must have.  */

#import <objc/Object.h>
#import <objc/runtime.h>
#include <stdio.h>
#include <stdlib.h>

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

static Node *
first (Node *head)
{
  long i;
  for (i = 1; i <= 30; i++)
    head = [Node push: i before: head];
  return head;
}

static Node *
second (Node *head)
{
  long i;
  for (i = 31; i <= 100; i++)
    head = [Node push: i before: head];
  return head;
}

int
main (void)
{
  Node *head = second (first (NULL));
  Node *rest;
  double *values;
  double total = 0;
  long sum = 0;
  int i;

  for (rest = head; rest; rest = rest->next)
    sum += rest->value;
  while (head)
    {
      rest = head->next;
      object_dispose (head);
      head = rest;
    }

  values = (double *) malloc (100 * sizeof *values); /* site: values double */
  for (i = 0; i < 100; i++)
    values[i] = i + 1;
  for (i = 0; i < 100; i++)
    total += values[i];
  free (values);

  if (sum == 5050 && total == 5050)
    {
      /* The class of each object is before its members.  A message reads it, but
	 none is sent to these.  */
      printf ("site nodes 100 2400 500\n");
      printf ("site values 1 800 200\n");
    }
  return 0;
}
