// D: a list in C's memory, and an array and an object of the garbage collector, which
// here takes each block from malloc.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines with "site:" allocate.  The program prints, for each, how many blocks, bytes
// and accesses its profile must have.

module list;

import core.stdc.stdio;
import core.stdc.stdlib;

// Without this, the collector has memory of its own, whose blocks are not seen.
extern (C) __gshared string[] rt_options = ["gcopt=gc:manual"];

struct Node
{
  long value;
  Node* next;
}

class Shape
{
  long width, height;

  this (long w, long h)
  {
    width = w;
    height = h;
  }
}

pragma (inline, false)
Node* push (Node* head, long value)
{
  Node* node = cast (Node*) malloc (Node.sizeof); // site: nodes list.Node
  node.value = value;
  node.next = head;
  return node;
}

Node* first (Node* head)
{
  foreach (i; 1 .. 31)
    head = push (head, i);
  return head;
}

Node* second (Node* head)
{
  foreach (i; 31 .. 101)
    head = push (head, i);
  return head;
}

pragma (inline, false)
long area (Shape shape)
{
  return shape.width * shape.height;
}

int main ()
{
  Node* head = second (first (null));
  long sum = 0;
  for (Node* rest = head; rest; rest = rest.next)
    sum += rest.value;
  while (head)
    {
      Node* rest = head.next;
      free (head);
      head = rest;
    }

  // The first array also makes tables of the run-time library.
  long[] one = new long[1];
  one[0] = sum;

  // Two bytes more than the elements: for appending.
  double[] values = new double[100]; // site: values
  for (int i = 0; i < 100; i++)
    values[i] = i + 1;
  double total = 0;
  for (int i = 0; i < 100; i++)
    total += values[i];

  // Two pointers before the members.
  Shape square = new Shape (3, 4); // site: square list.Shape
  sum = one[0] + area (square);

  if (sum == 5062 && total == 5050)
    {
      puts ("site nodes 100 1600 500");
      // Newer compilers compile "new" as part of the program: for an array, it sets
      // each element, and the two bytes; in the newest, there are no such bytes.
      static if (__VERSION__ >= 2111)
	puts ("site values 1 800 300");
      else static if (__VERSION__ >= 2108)
	puts ("site values 1 802 301");
      else
	puts ("site values 1 802 200");
      // For an object, it copies the four words that an object begins with.
      static if (__VERSION__ >= 2103)
	puts ("site square 1 32 8");
      else
	puts ("site square 1 32 4");
    }
  return 0;
}
