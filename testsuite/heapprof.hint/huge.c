/* Hot memory beyond the first megabytes is in huge pages, and cold memory never.
   SPDX-License-Identifier: GPL-3.0-or-later

   Only for libheaphint's own pools.  */

#include "hint.h"

enum { SIZE = 1000, LITTLE = 4000, BLOCKS = 40000 };

static void *blocks[BLOCKS];

/* True if the kernel was told FLAG, two letters, of the memory at ADDRESS.  */
static int
has_flag (const void *address, const char *flag)
{
  FILE *const maps = fopen ("/proc/self/smaps", "r");
  char line[4096];
  int is_here = 0, is_set = 0;
  while (maps != NULL && fgets (line, sizeof line, maps) != NULL)
    {
      unsigned long start, end;
      if (sscanf (line, "%lx-%lx ", &start, &end) == 2)
	is_here = start <= (uintptr_t) address && (uintptr_t) address < end;
      else if (is_here && strncmp (line, "VmFlags:", 8) == 0)
	is_set = strstr (line, flag) != NULL;
    }
  if (maps != NULL)
    fclose (maps);
  return is_set;
}

static void
allocate (int hint, unsigned first, unsigned end)
{
  for (unsigned i = first; i < end; i++)
    {
      blocks[i] = heapprof_malloc_hinted (SIZE, hint);
      CHECK (blocks[i] != NULL);
      hint_fill (blocks[i], SIZE, i);
    }
}

int
main (int argc, char **argv)
{
  hint_expect_backend (argc, argv);
  if (access ("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) != 0)
    {
      puts ("no transparent huge pages");
      return 77;
    }
  allocate (254, 0, LITTLE);
  CHECK (!has_flag (blocks[0], " hg"));
  CHECK (!has_flag (blocks[LITTLE - 1], " hg"));
  allocate (254, LITTLE, BLOCKS);
  CHECK (has_flag (blocks[BLOCKS - 1], " hg"));
  /* A group's first slots, which may be all that it needs, have small pages.  */
  allocate (254 + (3 << HEAPPROF_HINT_GROUP_SHIFT), 0, LITTLE);
  CHECK (!has_flag (blocks[0], " hg"));
  CHECK (has_flag (blocks[LITTLE - 1], " hg"));
  allocate (1, 0, BLOCKS);
  for (unsigned i = 0; i < BLOCKS; i += LITTLE)
    CHECK (!has_flag (blocks[i], " hg") && has_flag (blocks[i], " nh"));
  return hint_finish ();
}
