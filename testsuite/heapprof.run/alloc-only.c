/* Blocks that are written, and some that live long and are never touched.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <time.h>

struct record
{
  int key;
  char text[60];
};

void use_block (struct record *block);

__attribute__ ((noinline)) static struct record *
make_written (void)
{
  struct record *block = malloc (sizeof *block);
  use_block (block);
  return block;
}

__attribute__ ((noinline)) static struct record *
make_untouched (void)
{
  return malloc (sizeof (struct record));
}

int
main (int count, char **arguments)
{
  const struct timespec pause = { 0, 50 * 1000 * 1000 };
  struct record *volatile kept[100];
  (void) arguments;
  for (int i = 0; i < 100; i++)
    kept[i] = make_untouched ();
  for (int i = 0; i < 1000; i++)
    free (make_written ());
  if (count == 1)
    nanosleep (&pause, NULL);
  for (int i = 0; i < 100; i++)
    free (kept[i]);
  return 0;
}

#ifndef APART
/* Ten accesses to the block.  */
__attribute__ ((noinline)) void
use_block (struct record *block)
{
  for (int i = 0; i < 10; i++)
    *(volatile int *) &block->key = i;
}
#endif
