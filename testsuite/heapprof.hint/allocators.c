/* With another allocator, hot blocks are those of its malloc, and cold blocks
   have pages of their own.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: allocators BACKEND, or allocators BACKEND HINT PAIRS, which allocates
   and releases PAIRS blocks with HINT, by malloc if it is -1.  */

#include "hint.h"

enum { BLOCKS = 3000, BYTES = 64, PAGE = 4096 };

static uintptr_t plain[BLOCKS], hot[BLOCKS], cold[BLOCKS];

static uintptr_t
page_of (void *block)
{
  memset (block, 1, BYTES);
  return (uintptr_t) block / PAGE;
}

/* Return the number of pages in ONE that are also in OTHER.  */

static unsigned
count_shared (const uintptr_t *one, const uintptr_t *other)
{
  unsigned count = 0;
  for (unsigned i = 0; i < BLOCKS; i++)
    for (unsigned j = 0; j < BLOCKS; j++)
      if (one[i] == other[j])
	{
	  count++;
	  break;
	}
  return count;
}

static void
allocate_pairs (int hint, unsigned long pairs)
{
  for (unsigned long i = 0; i < pairs; i++)
    {
      void *volatile block
	= hint < 0 ? malloc (BYTES) : heapprof_malloc_hinted (BYTES, hint);
      free (block);
    }
}

int
main (int argc, char **argv)
{
  if (argc > 3)
    {
      allocate_pairs (atoi (argv[2]), strtoul (argv[3], NULL, 10));
      return 0;
    }
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      plain[i] = page_of (malloc (BYTES));
      hot[i] = page_of (heapprof_malloc_hinted (BYTES, 254));
      cold[i] = page_of (heapprof_malloc_hinted (BYTES, 1));
    }
  CHECK (count_shared (hot, plain) > BLOCKS * 9 / 10);
  CHECK (count_shared (cold, plain) == 0);
  CHECK (count_shared (cold, hot) == 0);
  hint_expect_backend (argc, argv);
  return hint_finish ();
}
