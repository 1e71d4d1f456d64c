/* Prints which memory the kernel was asked to put into huge pages: that of the
   first and the last of COUNT blocks of SIZE bytes, and their counters.
   huge-pages COUNT SIZE
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof/abi.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern uintptr_t __heapprof_shadow_base;

static const char *
page_of (uintptr_t address)
{
  FILE *const maps = fopen ("/proc/self/smaps", "r");
  char line[4096];
  int is_here = 0;
  const char *page = "small";
  while (maps != NULL && fgets (line, sizeof line, maps) != NULL)
    {
      unsigned long start, end;
      if (sscanf (line, "%lx-%lx ", &start, &end) == 2)
	is_here = start <= address && address < end;
      else if (is_here && strncmp (line, "VmFlags:", 8) == 0
	       && strstr (line, " hg") != NULL)
	page = "huge";
    }
  if (maps != NULL)
    fclose (maps);
  return page;
}

static uintptr_t
counter_of (uintptr_t address)
{
  return __heapprof_shadow_base
	 + (address >> HEAPPROF_GRANULE_SHIFT) * HEAPPROF_COUNTER_BYTES;
}

__attribute__ ((noinline)) static volatile char *
use (size_t size)
{
  volatile char *const block = malloc (size);
  if (block == NULL)
    abort ();
  block[0] = 1;
  block[size - 1] = 1;
  return block;
}

int
main (int argc, char **argv)
{
  const size_t count = argc > 1 ? strtoul (argv[1], NULL, 10) : 1;
  const size_t size = argc > 2 ? strtoul (argv[2], NULL, 10) : 64;
  const uintptr_t first = (uintptr_t) use (size);
  uintptr_t last = first;
  for (size_t i = 1; i < count; i++)
    last = (uintptr_t) use (size);
  printf ("%s %s", page_of (first), page_of (last));
  printf (" %s %s\n", page_of (counter_of (first)), page_of (counter_of (last)));
  return 0;
}
