/* Blocks from before a fork, used and released by parent and child.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: fork-accesses RELEASES WAITS.  If RELEASES is 1, the child releases
   them before it allocates; if WAITS is 1, the parent waits for its end before
   it goes on.  */

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHARED 1000
#define OF_CHILD 500
#define OF_PARENT 200

static volatile int *shared[SHARED];

/* Access BLOCK TIMES.  */
__attribute__ ((noinline)) static void
touch (volatile int *block, int times)
{
  for (int i = 0; i < times; i++)
    block[i % 8] = i;
}

__attribute__ ((noinline)) static volatile int *
in_both (void)
{
  return malloc (100);
}

__attribute__ ((noinline)) static volatile int *
in_child (void)
{
  return malloc (100);
}

__attribute__ ((noinline)) static volatile int *
in_parent (void)
{
  return malloc (100);
}

static void
touch_shared (int times)
{
  for (int i = 0; i < SHARED; i++)
    touch (shared[i], times);
}

static void
release (volatile int **blocks, int count)
{
  for (int i = 0; i < count; i++)
    free ((void *) blocks[i]);
}

/* 500 blocks with 4 accesses each, of which 400 are released.  */
static void
be_child (int releases)
{
  static volatile int *own[OF_CHILD];
  touch_shared (5);
  if (releases)
    release (shared, SHARED);
  for (int i = 0; i < OF_CHILD; i++)
    touch (own[i] = in_child (), 4);
  if (!releases)
    touch_shared (7);
  release (own, 400);
}

/* 1000 blocks with 3 + 2 accesses each, all released; 200 with 6 accesses each,
   of which 150 are.  */
int
main (int argc, char **argv)
{
  static volatile int *own[OF_PARENT];
  int status = 0;
  if (argc != 3)
    return 2;
  for (int i = 0; i < SHARED; i++)
    shared[i] = in_both ();
  touch_shared (3);
  pid_t child = fork ();
  if (child == 0)
    {
      be_child (*argv[1] == '1');
      return 0;
    }
  if (*argv[2] == '1')
    waitpid (child, &status, 0);
  touch_shared (2);
  release (shared, SHARED);
  for (int i = 0; i < OF_PARENT; i++)
    touch (own[i] = in_parent (), 6);
  release (own, 150);
  if (*argv[2] != '1')
    waitpid (child, &status, 0);
  return status != 0;
}
