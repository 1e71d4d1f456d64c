/* The allocations in each block of a random program: see lib/csmith.py.
   SPDX-License-Identifier: GPL-3.0-or-later

   The sum of the values read back is printed at the end, so that overlapping
   blocks are detected.  */

#ifndef TORTURE_BLOCKS_H
#define TORTURE_BLOCKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TORTURE_KEPT = 64 };

static struct torture_kept
{
  unsigned char *block;
  unsigned size;
  unsigned char value;
  int is_array;			/* of C++ */
} torture_kept[TORTURE_KEPT];
static unsigned long torture_sum, torture_count;

static inline unsigned
torture_size (unsigned n)
{
  return 1 + n % 61 * 7;
}

static void
torture_release (struct torture_kept *kept)
{
  for (unsigned i = 0; i < kept->size; i++)
    {
      if (kept->block[i] != kept->value)
	abort ();
      torture_sum = torture_sum * 31 + kept->block[i];
    }
#ifdef __cplusplus
  if (kept->is_array)
    delete[] kept->block;
  else
#endif
    free (kept->block);
}

/* Keep BLOCK, which block N of the program allocated, in place of an older
   one.  */
static void
torture_keep (unsigned n, void *block, int is_array)
{
  struct torture_kept *kept = &torture_kept[torture_count++ % TORTURE_KEPT];

  if (!block)
    abort ();
  if (kept->block)
    torture_release (kept);
  kept->block = (unsigned char *) block;
  kept->size = torture_size (n);
  kept->value = n + torture_count;
  kept->is_array = is_array;
  memset (block, kept->value, kept->size);
}

/* Recursion between a block and its allocation.  */
static void *
torture_deep (unsigned depth, unsigned n)
{
  return depth ? torture_deep (depth - 1, n) : malloc (torture_size (n));
}

static void *
torture_some (unsigned n)
{
  void *block;

  switch (n / 8 % 4)
    {
    case 0:
      return calloc (1, torture_size (n));
    case 1:
      return realloc (malloc (1), torture_size (n));
    case 2:
      return aligned_alloc (64, torture_size (n));
    default:
      return posix_memalign (&block, 128, torture_size (n)) ? NULL : block;
    }
}

#ifdef __cplusplus
#define TORTURE_ARRAY(N) new unsigned char[torture_size (N)]
#else
#define TORTURE_ARRAY(N) malloc (torture_size (N))
#endif

/* An allocation of the block itself, and one of a function that all share: its
   contexts are told apart by cloning.  */
#define TORTURE_BLOCK(N)						       \
  do									       \
    {									       \
      if ((N) % 2 == 0)							       \
	torture_keep (N, malloc (torture_size (N)), 0);			       \
      else								       \
	torture_keep (N, TORTURE_ARRAY (N), 1);				       \
      if ((N) % 3 == 0)							       \
	torture_keep (N, torture_deep ((N) % 4, N), 0);			       \
      else								       \
	torture_keep (N, torture_some (N), 0);				       \
    }									       \
  while (0)

__attribute__ ((destructor)) static void
torture_end (void)
{
  for (unsigned i = 0; i < TORTURE_KEPT; i++)
    if (torture_kept[i].block)
      torture_release (&torture_kept[i]);
  printf ("allocations %lu, sum %lx\n", torture_count, torture_sum);
}

#endif /* TORTURE_BLOCKS_H */
