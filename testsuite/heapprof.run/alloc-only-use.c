/* The other unit of alloc-only.c.
   SPDX-License-Identifier: GPL-3.0-or-later */

struct record
{
  int key;
  char text[60];
};

void use_block (struct record *block);

void
use_block (struct record *block)
{
  for (int i = 0; i < 10; i++)
    *(volatile int *) &block->key = i;
}
