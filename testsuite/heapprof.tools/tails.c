/* Accesses to memory after a class, counted by hand at -O0; C and C++.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each loop over bytes stores to each of them once.  Words have 8 bytes.  */

#include <stdlib.h>

/* The array starts in the first word, which has 1 + 4 accesses; 16 follow.  */
struct text
{
  unsigned length;
  char letters[];
};

/* 1 access to count, 3 times 2 to values.  */
struct zero
{
  long count;
  long values[0];
};

/* The array is declared with one element, but is longer: 1 access to count,
   then 20, of which 8 are in the word that the class ends in.  */
struct old
{
  long count;
  char letters[1];
};

/* One block has more memory after the object, one is an array: 1 + 4 accesses
   and 3 + 8.  */
struct head
{
  long first;
  long second;
};

/* A class whose last member is open-ended: 1 access, then 1 + 10.  */
struct outer
{
  long number;
  struct text last;
};

/* All members start at the same address: 1 + 8 accesses, and 4 in the second
   word.  */
union view
{
  long number;
  char bytes[0];
};

#define NEW(type, behind) ((type *) malloc (sizeof (type) + (behind)))

static void
fill (char *bytes, int count)
{
  for (int i = 0; i < count; i++)
    bytes[i] = (char) i;
}

static void
use_old (struct old *old)
{
  old->count = 20;
  fill (old->letters, 20);
}

static void
use_head (struct head *head)
{
  head->first = 1;
  head->second = 2;
  head->second++;
}

int
main (void)
{
  struct text *text = NEW (struct text, 20);
  text->length = 20;
  fill (text->letters, 20);

  struct zero *zero = NEW (struct zero, 3 * sizeof (long));
  zero->count = 3;
  for (int i = 0; i < 3; i++)
    zero->values[i] = i;
  for (int i = 0; i < 3; i++)
    zero->values[i] = -i;

  /* A size that is not a multiple of the class's, and one that is.  */
  struct old *old = NEW (struct old, 19);
  use_old (old);
  free (old);
  old = NEW (struct old, 2 * sizeof (struct old));
  use_old (old);

  struct head *head = NEW (struct head, 12);
  use_head (head);
  fill ((char *) (head + 1), 12);
  struct head *heads = (struct head *) calloc (4, sizeof (struct head));
  for (int i = 0; i < 4; i++)
    {
      heads[i].first = i;
      heads[i].second = i;
      heads[i].second = i + 1;
    }

  struct outer *outer = NEW (struct outer, 10);
  outer->number = 1;
  outer->last.length = 10;
  fill (outer->last.letters, 10);

  union view *view = NEW (union view, 4);
  view->number = 1;
  fill (view->bytes, 12);

  free (text);
  free (zero);
  free (old);
  free (head);
  free (heads);
  free (outer);
  free (view);
  return 0;
}
