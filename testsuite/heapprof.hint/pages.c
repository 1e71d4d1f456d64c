/* No page has blocks of two kinds; only the program touches blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   /proc/self/pagemap shows which pages exist.  Only for libheaphint's own
   pools.  */

#include "hint.h"
#include <fcntl.h>

enum { BLOCKS = 60000, PAGE = 4096 };

/* Larger hot blocks are malloc's.  */
enum { HOT_MOST = 4095 };

struct block { char *data; size_t size; int kind; };

static struct block blocks[BLOCKS];
static int pagemap;

static int
is_present (const void *address)
{
  uint64_t entry = 0;
  const off_t at = (off_t) ((uintptr_t) address / PAGE * sizeof entry);
  if (pread (pagemap, &entry, sizeof entry, at) != sizeof entry)
    return -1;
  return entry >> 62 != 0;	/* in memory or in swap */
}

static int
by_address (const void *left, const void *right)
{
  const struct block *const a = left;
  const struct block *const b = right;
  return a->data < b->data ? -1 : a->data > b->data;
}

static int
is_hot (const struct block *block)
{
  return block->kind == 2 && block->size <= HOT_MOST;
}

static int
is_cold (const struct block *block)
{
  return block->kind == 0;
}

static void
check_pages (void)
{
  qsort (blocks, BLOCKS, sizeof blocks[0], by_address);
  for (unsigned i = 1; i < BLOCKS; i++)
    {
      const struct block *const before = &blocks[i - 1];
      const char *const end = before->data + before->size;
      CHECK (end <= blocks[i].data);
      CHECK ((is_hot (before) == is_hot (&blocks[i])
	      && is_cold (before) == is_cold (&blocks[i]))
	     || (uintptr_t) (end - 1) / PAGE
		!= (uintptr_t) blocks[i].data / PAGE);
    }
}

/* Blocks that were never written have no pages, even if others of them were
   released.  */

static void
check_untouched (int hint, size_t size)
{
  enum { COUNT = 500 };
  static void *untouched[COUNT];
  for (unsigned i = 0; i < COUNT; i++)
    untouched[i] = heapprof_malloc_hinted (size, hint);
  for (unsigned i = 0; i < COUNT; i += 2)
    free (untouched[i]);
  for (unsigned i = 0; i < COUNT; i += 2)
    untouched[i] = heapprof_malloc_hinted (size, hint);
  for (unsigned i = 0; i < COUNT; i++)
    CHECK (is_present (untouched[i]) == 0);
  for (unsigned i = 0; i < COUNT; i++)
    free (untouched[i]);
}

/* Released memory is returned to the system: of a great many blocks, only few
   pages remain.  */

static void
check_returned (int hint, size_t size)
{
  static void *many[BLOCKS];
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      many[i] = heapprof_malloc_hinted (size, hint);
      memset (many[i], 1, size);
    }
  unsigned present = 0;
  for (unsigned i = 0; i < BLOCKS; i++)
    free (many[i]);
  for (unsigned i = 0; i < BLOCKS; i++)
    present += is_present (many[i]) == 1;
  CHECK (present <= BLOCKS / 10);
}

int
main (int argc, char **argv)
{
  hint_expect_backend (argc, argv);
  pagemap = open ("/proc/self/pagemap", O_RDONLY);
  uint64_t here = 0;
  if (pagemap < 0 || is_present (&here) != 1)
    {
      puts ("no pagemap");
      return 77;
    }
  /* Sizes that the rest of this program does not use.  */
  check_untouched (1, 3000);
  check_untouched (254, 3000);
  check_untouched (1, 30000);
  check_untouched (1, 300000);
  check_returned (1, 1500);
  check_returned (254, 2000);
  static const int hints[] = { 1, 128, 254 };
  unsigned state = 1;
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      state = state * 1664525u + 1013904223u;
      const unsigned random = state >> 8;
      const int kind = (int) (random % 3);
      const size_t size
	= 1 + (random % 101 == 0 ? random % 100000 : random % 500);
      blocks[i] = (struct block) {
	heapprof_malloc_hinted (size, hints[kind]), size, kind
      };
      if (i % 3 == 2)
	{
	  const unsigned other = random / 3 % i;
	  free (blocks[other].data);
	  blocks[other].data
	    = heapprof_malloc_hinted (blocks[other].size,
				      hints[blocks[other].kind]);
	}
    }
  check_pages ();
  for (unsigned i = 0; i < BLOCKS; i++)
    free (blocks[i].data);
  return hint_finish ();
}
