/* 4096 calling contexts, for programs that lock themselves up.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WAYS_H
#define WAYS_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

/* End as a test that cannot be made here, unless STATUS is 0.  */

static void
require (int status)
{
  if (status != 0)
    _exit (77);
}

static bool keeps; /* the blocks */

static NOINLINE void
allocate (unsigned more)
{
  char *volatile block = malloc (100 + more);
  block[0] = 1;
  if (!keeps)
    free (block);
}

static volatile unsigned calls;

/* Each WAY is a context of its own.  */

static NOINLINE void
descend (unsigned levels, unsigned way)
{
  if (levels == 0)
    for (volatile unsigned more = 0; more < 2; more++)
      allocate (more);
  else if ((way & 1) != 0)
    descend (levels - 1, way / 2);
  else
    descend (levels - 1, way / 2);
  calls++;
}

/* Allocate two blocks in each of the contexts.  */

static NOINLINE void
serve (void)
{
  for (unsigned way = 0; way < 4096; way++)
    descend (12, way);
}

/* Do so in a child; return 3 if it succeeds, and 1 if not.  */

static NOINLINE int
serve_in_child (void)
{
  const pid_t child = fork ();
  int status = 1;
  if (child == 0)
    {
      serve ();
      _exit (0);
    }
  require (waitpid (child, &status, 0) != child);
  return status == 0 ? 3 : 1;
}

#endif /* WAYS_H */
