/* Large blocks: memory that is used again, blocks that grow in place or move.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include "hint.h"

enum { BLOCKS = 100, OPERATIONS = 4000, KB = 1024, STRIDE = 509 };

struct block { unsigned char *data; size_t size; unsigned number; int hint; };

static struct block blocks[BLOCKS];
static unsigned state = 1;

static unsigned
draw (unsigned below)
{
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

/* Mark bytes of all pages, and the last one, from byte FROM on.  */

static void
mark (const struct block *block, size_t from)
{
  for (size_t i = (from + STRIDE - 1) / STRIDE * STRIDE; i < block->size;
       i += STRIDE)
    block->data[i] = (unsigned char) (block->number + i / STRIDE);
}

static int
is_marked (const struct block *block, size_t size)
{
  for (size_t i = 0; i < size; i += STRIDE)
    if (block->data[i] != (unsigned char) (block->number + i / STRIDE))
      return 0;
  return 1;
}

static int
is_zero (const struct block *block)
{
  size_t i = 0;
  while (i < block->size && block->data[i] == 0)
    i++;
  return i == block->size;
}

static size_t
any_size (void)
{
  const unsigned kind = draw (20);
  const size_t kilobytes = kind == 0 ? 1 + draw (6000)
			   : kind < 5 ? 1 + draw (64)
				      : 64 + draw (400);
  return kilobytes * KB + draw (KB);
}

static void
make (struct block *block, unsigned number)
{
  *block = (struct block) { NULL, any_size (), number,
			    draw (4) == 0 ? 1 : 254 };
  if (draw (2) == 0)
    block->data = heapprof_malloc_hinted (block->size, block->hint);
  else
    {
      block->data = heapprof_calloc_hinted (1, block->size, block->hint);
      CHECK (is_zero (block));
    }
  mark (block, 0);
}

/* By realloc, which keeps the kind, or a hint that may change it.  */

static void
resize (struct block *block)
{
  const size_t old = block->size;
  block->size = draw (3) == 0 ? any_size () : old + draw (300) * KB;
  if (draw (4) == 0)
    block->hint = 255 - block->hint;
  block->data = draw (2) == 0
		  ? realloc (block->data, block->size)
		  : heapprof_realloc_hinted (block->data, block->size,
					     block->hint);
  const size_t kept = old < block->size ? old : block->size;
  CHECK (is_marked (block, kept));
  mark (block, kept);
}

/* A block that grows in small steps, with others behind it or not.  */

static void
grow (int hint, int is_followed)
{
  struct block block
    = { heapprof_malloc_hinted (100 * KB, hint), 100 * KB, 5, hint };
  void *others[100];
  unsigned n = 0;
  mark (&block, 0);
  while (block.size < 20000 * KB)
    {
      const size_t old = block.size;
      if (is_followed)
	others[n++] = heapprof_malloc_hinted (100 * KB, hint);
      block.size += block.size / 8;
      block.data = realloc (block.data, block.size);
      CHECK (is_marked (&block, old));
      mark (&block, old);
    }
  CHECK (is_marked (&block, block.size));
  free (block.data);
  while (n > 0)
    free (others[--n]);
}

int
main (int argc, char **argv)
{
  hint_expect_backend (argc, argv);
  grow (1, 0);
  grow (254, 0);
  grow (1, 1);
  grow (254, 1);
  for (unsigned i = 0; i < OPERATIONS; i++)
    {
      struct block *const block = &blocks[draw (BLOCKS)];
      if (block->data == NULL)
	make (block, i);
      else if (draw (3) == 0)
	resize (block);
      else
	{
	  CHECK (is_marked (block, block->size));
	  free (block->data);
	  block->data = NULL;
	}
    }
  for (unsigned i = 0; i < BLOCKS; i++)
    free (blocks[i].data);
  return hint_finish ();
}
