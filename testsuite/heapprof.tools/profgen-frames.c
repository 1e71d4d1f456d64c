/* Calls of all kinds: recursive, tail, through pointers, and from the C library;
   a switch, and a loop that is unrolled.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

struct node
{
  struct node *left, *right;
  int key;
};

static struct node *
insert (struct node *n, int key)
{
  if (n == NULL)
    {
      n = calloc (1, sizeof *n);
      n->key = key;
    }
  else if (key < n->key)
    n->left = insert (n->left, key);
  else if (key > n->key)
    n->right = insert (n->right, key);
  return n;
}

static int
depth (const struct node *n)
{
  if (n == NULL)
    return 0;
  int left = depth (n->left);
  int right = depth (n->right);
  return 1 + (left > right ? left : right);
}

__attribute__ ((noinline)) int
twice (int a)
{
  return 2 * a;
}

__attribute__ ((noinline)) int
square (int a)
{
  return a * a;
}

__attribute__ ((noinline)) int
leaf (int a)
{
  int sum = 0;
  for (int i = 0; i < a % 7; i++)
    sum += i ^ a;
  return sum;
}

__attribute__ ((noinline)) int
tail (int a)
{
  if (a & 1)
    return leaf (a + 1);
  return leaf (a);
}

__attribute__ ((noinline)) int
apply (int (*f) (int), int a)
{
  return f (a) + 1;
}

__attribute__ ((noinline)) int
compare (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

static int
parse (int c)
{
  switch (c)
    {
    case 0:
      return 1;
    case 1:
      return 22;
    case 2:
      return 3;
    case 3:
      return 41;
    default:
      return 0;
    }
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 40;
  int sum = 0;
  struct node *root = NULL;
  int *all = malloc (n * sizeof *all);
  for (int i = 0; i < n; i++)
    {
      all[i] = i * 7919 % 101;
      root = insert (root, all[i]);
      sum += apply (i % 3 ? twice : square, i) + tail (i) + parse (i % 7);
    }
  qsort (all, n, sizeof *all, compare);
  for (int i = 0; i < n; i++)
    sum += all[i] * i;
  return (sum + depth (root)) % 50 == 77;
}
