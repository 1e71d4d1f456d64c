/* memset, memcpy, memmove and their checked forms with sizes that the compiler
   does not know: one access for every eight bytes, rounded up, to each block
   involved.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "truth.h"
#include <stdlib.h>
#include <string.h>

static volatile size_t opaque_size = 1000;

static NOINLINE char *
make_large (size_t n)
{
  return (char *) malloc (n); /* site: large */
}

static NOINLINE char *
make_copy (size_t n)
{
  return (char *) malloc (n); /* site: copy */
}

static NOINLINE void
fill_and_copy (char *large, char *copy, size_t n)
{
  memset (large, 1, n);			/* large 125 */
  BARRIER ();
  memcpy (copy, large, n);		/* large 125, copy 125 */
  BARRIER ();
  memmove (copy + 8, copy, n - 9);	/* copy 124 + 124 */
  BARRIER ();
  /* 500 bytes: 63 each.  */
  __builtin___memcpy_chk (copy, large, n - 500, __builtin_object_size (copy, 0));
  BARRIER ();
  memset (large, 3, n - 1000);		/* nothing */
}

int
main (void)
{
  const size_t n = opaque_size;
  char *large = make_large (n);
  char *copy = make_copy (n);
  fill_and_copy (large, copy, n);
  free (large);
  free (copy);
  truth_site ("large", 1, n, 125 + 125 + 63);
  truth_site ("copy", 1, n, 125 + 124 + 124 + 63);
  return 0;
}
