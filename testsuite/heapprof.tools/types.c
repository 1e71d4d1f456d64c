/* Allocations of known types, in C.
   SPDX-License-Identifier: GPL-3.0-or-later

   The comment of a line with an allocation names the type.  The program prints
   its layout: name, size, members with offset and size.  */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct node
{
  struct node *next;
  int key;
  char tag;
  double value;
  unsigned low : 3;
  unsigned high : 7;
  long *data;
};

typedef struct
{
  int x, y;
} point;

union number
{
  int i;
  float f;
};

/* The last member is a flexible array.  */
struct text
{
  unsigned length;
  char letters[];
};

static void *volatile sink;

static __attribute__ ((noinline)) void *
checked_malloc (size_t size)
{
  void *data = malloc (size);			/* caller's */
  if (data == NULL)
    abort ();
  return data;
}

static void *
inlined_calloc (size_t size)
{
  return calloc (1, size);			/* caller's */
}

static void
keep (void *data)
{
  sink = data;
}

static void
print_layout (void)
{
#define MEMBER(type, name) \
  printf (" %s %zu %zu", #name, offsetof (type, name), \
	  sizeof ((type *) 0)->name)
  printf ("node %zu", sizeof (struct node));
  MEMBER (struct node, next);
  MEMBER (struct node, key);
  MEMBER (struct node, tag);
  MEMBER (struct node, value);
  MEMBER (struct node, data);
  printf ("\npoint %zu", sizeof (point));
  MEMBER (point, x);
  MEMBER (point, y);
  printf ("\nnumber %zu", sizeof (union number));
  MEMBER (union number, i);
  MEMBER (union number, f);
  printf ("\ntext %zu", sizeof (struct text));
  MEMBER (struct text, length);
  printf (" letters %zu 0", offsetof (struct text, letters));
  puts ("");
}

int
main (void)
{
  struct node *a = malloc (sizeof *a);		/* node */
  keep (a);
  a->data = (long *) malloc (80);		/* long int */
  keep (a->data);
  void *later = malloc (sizeof (point));	/* point */
  keep (later);
  point *p = later;
  p->x = 1;
  struct node *b = checked_malloc (sizeof *b);	/* node */
  keep (b);
  point *q = checked_malloc (3 * sizeof *q);	/* point */
  keep (q);
  point *r = inlined_calloc (sizeof *r);	/* point */
  keep (r);
  union number *n = realloc (NULL, sizeof *n);	/* number */
  keep (n);
  struct text *t = malloc (sizeof *t + 20);	/* text */
  keep (t);
  void *nothing = malloc (100);			/* unknown */
  keep (nothing);
  void *two = malloc (sizeof (struct node));	/* unknown */
  keep (two);
  if (p->x == 2)
    ((struct node *) two)->key = 1;
  else
    ((point *) two)->y = 1;
  print_layout ();
  free (a->data);
  free (a);
  free (b);
  free (p);
  free (q);
  free (r);
  free (n);
  free (t);
  free (nothing);
  free (two);
  return 0;
}
