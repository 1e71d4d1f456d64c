/* Accesses to members, counted by hand at -O0.
   SPDX-License-Identifier: GPL-3.0-or-later

   ITEM_MEMBERS declares the members of an item, in any order.  There are BLOCKS
   items in separate blocks and ARRAY items in one block.  Accesses to each item, in
   each of ROUNDS rounds:

     first   a load and a store
     second  a store
     third   a load

   and once: a store to each of low, high, rare.  Other members are not
   accessed.  */

#include "item.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCKS 10
#define ARRAY 5
#define ROUNDS 100

struct item
{
  ITEM_MEMBERS
};

extern int heapprof_dump (void);

static volatile long sum;

static void
use (struct item *item)
{
  long total = 0;
  for (int round = 0; round < ROUNDS; round++)
    {
      item->first++;
      item->second = round;
      total += item->third;
    }
  item->low = 1;
  item->high = 2;
  item->rare = 3;
  sum += total;
}

int
main (int argc, char **argv)
{
  const char *end = argc > 1 ? argv[1] : "exit";
  struct item *items[BLOCKS];
  for (int i = 0; i < BLOCKS; i++)
    {
      items[i] = malloc (sizeof *items[i]);
      use (items[i]);
    }
  struct item *array = malloc (ARRAY * sizeof *array);
  for (int i = 0; i < ARRAY; i++)
    use (&array[i]);
  if (strcmp (end, "dump") == 0)
    heapprof_dump ();
  for (int i = 0; i < BLOCKS; i++)
    free (items[i]);
  /* The next block in this memory starts without counts.  */
  struct item *again = malloc (sizeof *again);
  again->rare = 1;
  free (again);
  free (array);
  if (strcmp (end, "kill") == 0)
    raise (SIGKILL);
  return 0;
}
