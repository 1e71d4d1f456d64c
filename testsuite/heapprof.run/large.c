/* Blocks of more than 2^31 bytes, each in its own context; every sixteenth
   block is kept: large LEVELS [killed].  Exits with 77 if memory runs out.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <signal.h>
#include <stdlib.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static volatile unsigned calls;

static NOINLINE void
descend (unsigned levels)
{
  if (levels == 0)
    return;
  void *volatile block = malloc ((size_t) (1u << 31) + levels);
  if (block == NULL)
    exit (77);
  if (levels % 16 != 0)
    free (block);
  descend (levels - 1);
  calls++;
}

int
main (int count, char **arguments)
{
  descend (count > 1 ? (unsigned) atoi (arguments[1]) : 0);
  if (count > 2)
    raise (SIGKILL);
  return 0;
}
