/* Print the heap records of an indexed profile, read completely or looked up
   one by one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-record-text.h"
#include "indexed-profile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
check (bool is_done, const struct profile_error *err)
{
  if (is_done)
    return;
  fprintf (stderr, "%s\n", err->cause);
  exit (1);
}

int
main (int argc, char **argv)
{
  struct profile_error err;
  if (argc != 3)
    return 2;
  bool looks_up = strcmp (argv[1], "lookup") == 0;
  struct profile *profile = indexed_profile_read (argv[2], &err);
  check (profile && profile->heap, &err);
  struct heap_lookup *lookup = heap_lookup_open (argv[2], &err);
  check (lookup != NULL, &err);
  size_t n;
  uint64_t *guids = heap_record_guids (profile->heap, &n);
  char *text
    = looks_up ? heap_lookup_text (lookup, guids, n, &err)
	       : heap_record_text (profile->heap, heap_lookup_schema (lookup));
  check (text != NULL, &err);
  fputs (text, stdout);
  free (text);
  free (guids);
  heap_lookup_close (lookup);
  profile_free (profile);
  return 0;
}
