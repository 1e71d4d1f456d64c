/* Hundreds of groups: blocks share pages only with those of their group, in the
   order in which they were allocated, and memory grows with the groups in use.
   SPDX-License-Identifier: GPL-3.0-or-later

   Only for libheaphint's own pools.  */

#include "hint.h"
#include <malloc.h>
#include <pthread.h>
#include <sys/wait.h>

enum { GROUPS = HEAPPROF_HINT_GROUPS, BLOCKS = 100, PAGE = 4096, SIZE = 48 };

struct block { char *data; unsigned group; int kind; };

static const int kinds[] = { HEAPPROF_HINT_COLD, HEAPPROF_HINT_HOT };

static struct block blocks[2 * GROUPS * BLOCKS];
static unsigned count;

static int
hint_of (unsigned group, int kind)
{
  return (int) (group << HEAPPROF_HINT_GROUP_SHIFT) | kinds[kind];
}

static int
by_address (const void *left, const void *right)
{
  const struct block *const a = left;
  const struct block *const b = right;
  return a->data < b->data ? -1 : a->data > b->data;
}

static uintptr_t
page_of (const char *address)
{
  return (uintptr_t) address / PAGE;
}

/* Neighbours are of one pool, or in two pages.  */

static void
check_pages (void)
{
  qsort (blocks, count, sizeof blocks[0], by_address);
  for (unsigned i = 1; i < count; i++)
    {
      const struct block *const before = &blocks[i - 1];
      const char *const last
	= before->data + malloc_usable_size (before->data) - 1;
      CHECK (last < blocks[i].data);
      CHECK ((before->group == blocks[i].group
	      && before->kind == blocks[i].kind)
	     || page_of (last) != page_of (blocks[i].data));
    }
}

/* Allocate by turns in all groups, of both kinds.  */

static void
fill (void)
{
  for (unsigned i = 0; i < BLOCKS; i++)
    for (unsigned group = 0; group < GROUPS; group++)
      for (int kind = 0; kind < 2; kind++)
	{
	  char *const data
	    = heapprof_malloc_hinted (SIZE, hint_of (group, kind));
	  memset (data, (int) group, SIZE);
	  blocks[count++] = (struct block) { data, group, kind };
	}
}

static char *
nth_of (unsigned group, int kind, unsigned n)
{
  return blocks[(n * GROUPS + group) * 2 + (unsigned) kind].data;
}

/* Most blocks of a new pool are just behind the one before.  */

static void
check_order (void)
{
  for (unsigned group = 0; group < GROUPS; group++)
    for (int kind = 0; kind < 2; kind++)
      {
	unsigned in_order = 0;
	for (unsigned i = 1; i < BLOCKS; i++)
	  in_order += nth_of (group, kind, i)
		      == nth_of (group, kind, i - 1) + SIZE;
	CHECK (in_order >= BLOCKS * 9 / 10);
      }
}

static void
release (void)
{
  for (unsigned i = 0; i < count; i++)
    {
      CHECK (blocks[i].data[0] == (char) blocks[i].group);
      free (blocks[i].data);
    }
  count = 0;
}

/* A block keeps its group when it is resized, and moves with another hint.  */

static void
check_resize (void)
{
  for (unsigned group = 0; group < GROUPS; group++)
    {
      const unsigned other = (group + 1) % GROUPS;
      for (int kind = 0; kind < 2; kind++)
	{
	  char *plain = heapprof_malloc_hinted (SIZE, hint_of (group, kind));
	  memset (plain, (int) group, SIZE);
	  plain = realloc (plain, 200);
	  char *moved = heapprof_malloc_hinted (SIZE, hint_of (group, kind));
	  memset (moved, (int) group, SIZE);
	  moved
	    = heapprof_realloc_hinted (moved, 100, hint_of (other, kind));
	  CHECK (moved[0] == (char) group && moved[SIZE - 1] == (char) group);
	  blocks[count++] = (struct block) { plain, group, kind };
	  blocks[count++] = (struct block) { moved, other, kind };
	  char *huge = heapprof_malloc_hinted (200000, hint_of (group, kind));
	  CHECK (malloc_usable_size (huge) >= 200000);
	  huge[0] = 1;
	  huge[199999] = 2;
	  huge = realloc (huge, 2000000);
	  CHECK (huge[0] == 1 && huge[199999] == 2);
	  free (huge);
	}
    }
  check_pages ();
  for (unsigned i = 0; i < count; i++)
    free (blocks[i].data);
  count = 0;
}

static void *
use_some (void *data)
{
  const unsigned first = (unsigned) (uintptr_t) data;
  static __thread char *own[GROUPS];
  for (unsigned round = 0; round < 20; round++)
    {
      for (unsigned i = 0; i < GROUPS; i++)
	{
	  const unsigned group = (first + i) % GROUPS;
	  own[i] = heapprof_malloc_hinted (
	    SIZE + round % 3 * 16, hint_of (group, (int) (group & 1)));
	  memset (own[i], (int) group, SIZE);
	}
      for (unsigned i = 0; i < GROUPS; i++)
	{
	  CHECK (own[i][SIZE - 1] == (char) ((first + i) % GROUPS));
	  free (own[i]);
	}
    }
  return NULL;
}

static void
check_threads (void)
{
  pthread_t threads[6];
  for (uintptr_t i = 0; i < 6; i++)
    CHECK (pthread_create (&threads[i], NULL, use_some, (void *) (i * 40))
	   == 0);
  for (unsigned i = 0; i < 6; i++)
    pthread_join (threads[i], NULL);
}

static void
check_fork (void)
{
  fill ();
  const pid_t child = fork ();
  if (child == 0)
    {
      release ();
      fill ();
      release ();
      check_threads ();
      _exit (hint_finish ());
    }
  int status = -1;
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  check_pages ();
  release ();
}

int
main (int argc, char **argv)
{
  hint_expect_backend (argc, argv);
  /* One group costs little, whatever its number.  */
  free (heapprof_malloc_hinted (SIZE, hint_of (0, 1)));
  long before = hint_own_pages ();
  before = hint_own_pages ();
  free (heapprof_malloc_hinted (SIZE, hint_of (GROUPS - 1, 1)));
  const long one = hint_own_pages ();
  CHECK (before > 0 && one - before <= 8);
  memset (blocks, 0, sizeof blocks);
  const long empty = hint_own_pages ();
  fill ();
  check_order ();
  /* By pool: two pages of blocks, one of magazines, and parts of others.  */
  const long full = hint_own_pages ();
  CHECK (full - empty <= 2 * GROUPS * 8);
  if (hint_failures > 0 || argc > 2)
    printf ("pages: %ld %ld %ld %ld\n", before, one, empty, full);
  check_pages ();
  release ();
  check_resize ();
  check_threads ();
  check_fork ();
  return hint_finish ();
}
