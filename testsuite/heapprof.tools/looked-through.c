/* Allocator wrappers of all kinds, functions that look like them, recursion.
   SPDX-License-Identifier: GPL-3.0-or-later

   looked-through.exp finds lines by the words in their comments.  */

#include <stdlib.h>

#define ALONE __attribute__ ((noipa))

static void *volatile kept[200];
static int count;

static void
keep (void *block)
{
  kept[count++] = block;
}

/* Its name is listed: one caller is enough.  */
ALONE void *
zmalloc (size_t bytes)
{
  return malloc (bytes); /* in zmalloc */
}

/* A part of my_alloc.  */
ALONE void *
checked (size_t bytes)
{
  void *block = malloc (bytes); /* in checked */
  if (block == NULL)
    abort ();
  return block;
}

/* Its name says that it allocates, and it is called from two lines.  */
ALONE void *
my_alloc (size_t bytes)
{
  return checked (bytes); /* in my_alloc */
}

/* The same, but one line calls it.  */
ALONE void *
single_alloc (size_t bytes)
{
  return malloc (bytes); /* in single_alloc */
}

/* Only what calls it, and for how many bytes, says what it is.  */
ALONE void *
grab (size_t bytes)
{
  return malloc (bytes); /* in grab */
}

/* Called as often, for blocks of one size.  */
ALONE void *
make_node (void)
{
  return malloc (32); /* in make_node */
}

/* Called as often, for blocks of many sizes, but seven functions do it.  */
ALONE void *
fetch (size_t bytes)
{
  return malloc (bytes); /* in fetch */
}

/* Called as often, for blocks of many sizes, but does something else, too.  */
ALONE void *
parse (size_t bytes)
{
  keep (make_node ()); /* in parse */
  return malloc (bytes); /* also in parse */
}

#define USER(number)                                                           \
  ALONE void user##number (void)                                               \
  {                                                                            \
    keep (grab (number * 8));                                                  \
    keep (make_node ());                                                       \
    keep (parse (number * 8));                                                 \
    if (number < 8)                                                            \
      keep (fetch (number * 8));                                               \
  }

USER (1) /* user1 */
USER (2)
USER (3)
USER (4)
USER (5)
USER (6)
USER (7)
USER (8) /* user8 */

ALONE void
descend (int depth)
{
  if (depth > 0)
    descend (depth - 1); /* descends */
  else
    keep (malloc (100)); /* lowest */
}

ALONE void odd (int depth);

ALONE void
even (int depth)
{
  if (depth > 0)
    odd (depth - 1); /* even calls odd */
  else
    keep (malloc (200)); /* even */
}

ALONE void
odd (int depth)
{
  even (depth - 1); /* odd calls even */
}

ALONE void
users (void)
{
  user1 ();
  user2 ();
  user3 ();
  user4 ();
  user5 ();
  user6 ();
  user7 ();
  user8 ();
}

int
main (void)
{
  keep (malloc (10));       /* main */
  keep (zmalloc (20));      /* listed */
  keep (my_alloc (30));     /* first */
  keep (my_alloc (40));     /* second */
  keep (single_alloc (50)); /* single */
  users ();
  descend (5);
  even (6);
  return 0;
}
