/* Struct copies by assignment, from and to heap and globals; small structs, and
   one that spans many granules.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "truth.h"
#include <stdlib.h>

struct small
{
  long v[5];			/* 40 bytes: 5 accesses */
};

struct large
{
  long v[50];			/* 400 bytes: 50 accesses */
};

static volatile long opaque = 7;
static struct small global_small;

static NOINLINE struct small *
make_small (void)
{
  return (struct small *) calloc (3, sizeof (struct small)); /* site: small */
}

static NOINLINE struct large *
make_large (void)
{
  return (struct large *) malloc (2 * sizeof (struct large)); /* site: large */
}

static NOINLINE void
copy_small (struct small *to, const struct small *from)
{
  *to = *from;			/* 5 + 5 */
}

static NOINLINE void
store_global (struct small *to)
{
  *to = global_small;		/* 5 */
}

static NOINLINE void
load_global (const struct small *from)
{
  global_small = *from;		/* 5 */
}

static NOINLINE void
copy_large (struct large *to, const struct large *from)
{
  *to = *from;			/* 50 + 50 */
}

int
main (void)
{
  struct small *small = make_small ();
  struct large *large = make_large ();
  copy_small (&small[1], &small[0]);
  store_global (&small[2]);
  load_global (&small[1]);
  BARRIER ();
  large[0].v[0] = opaque;	/* 1 */
  BARRIER ();
  copy_large (&large[1], &large[0]);
  BARRIER ();
  free (small);
  free (large);
  truth_site ("small", 1, 3 * sizeof (struct small), 5 + 5 + 5 + 5);
  truth_site ("large", 1, 2 * sizeof (struct large), 1 + 50 + 50);
  return 0;
}
