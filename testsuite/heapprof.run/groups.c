/* Four kinds of blocks, allocated by turns: first and second are used together,
   and so are third and fourth.
   SPDX-License-Identifier: GPL-3.0-or-later

   groups ROUNDS  each round accesses each block once; then print which kinds of
		  blocks share pages, as the sums of their bits, in ascending
		  order  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS 20000
#define PAGES (1 << 16)

struct block
{
  long key;
  char rest[24];
};

static struct block *first[BLOCKS], *second[BLOCKS], *third[BLOCKS],
  *fourth[BLOCKS];
static void *volatile spare;

#ifdef __cplusplus
#define ALLOCATE() new struct block
#else
#define ALLOCATE() ((struct block *) malloc (sizeof (struct block)))
#endif

#define MAKE(name)                                                             \
  static __attribute__ ((noinline)) struct block *make_##name (long key)       \
  {                                                                            \
    struct block *block = ALLOCATE ();                                         \
    block->key = key;                                                          \
    return block;                                                              \
  }

MAKE (first)
MAKE (second)
MAKE (third)
MAKE (fourth)

static __attribute__ ((noinline)) long
use (struct block **one, struct block **other)
{
  long sum = 0;
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      sum += one[i]->key + other[i]->key;
      if (i % 16 == 0)
	{
	  spare = malloc (8);
	  free (spare);
	}
    }
  return sum;
}

/* The kinds of blocks by page, modulo PAGES; blocks lie closer together.  */
static unsigned char kinds[PAGES];

static void
note (struct block **blocks, unsigned char kind)
{
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      kinds[(uintptr_t) blocks[i] / 4096 % PAGES] |= kind;
      kinds[((uintptr_t) blocks[i] + sizeof **blocks - 1) / 4096 % PAGES]
	|= kind;
    }
}

static void
print_kinds (void)
{
  unsigned char seen[16] = { 0 };
  for (unsigned i = 0; i < PAGES; i++)
    seen[kinds[i]] = 1;
  for (unsigned i = 1; i < 16; i++)
    if (seen[i])
      printf ("%u\n", i);
}

int
main (int count, char **arguments)
{
  const long rounds = count > 1 ? atol (arguments[1]) : 1;
  long sum = 0;
  for (long i = 0; i < BLOCKS; i++)
    {
      first[i] = make_first (i);
      third[i] = make_third (i);
      second[i] = make_second (i);
      fourth[i] = make_fourth (i);
    }
  for (long i = 0; i < rounds; i++)
    sum += use (first, second);
  for (long i = 0; i < rounds; i++)
    sum += use (third, fourth);
  note (first, 1);
  note (second, 2);
  note (third, 4);
  note (fourth, 8);
  print_kinds ();
  return sum == 0;
}
