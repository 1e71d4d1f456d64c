/* Allocate, take a snapshot, and print the mappings that are writable and
   executable.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <heapprof/heapprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main (void)
{
  char line[4096];
  char *volatile block = malloc (100);
  block[0] = 1;
  if (heapprof_dump () != 0)
    return 1;
  FILE *maps = fopen ("/proc/self/maps", "r");
  while (maps != NULL && fgets (line, sizeof line, maps) != NULL)
    {
      const char *rights = strchr (line, ' ');
      if (rights != NULL && rights[2] == 'w' && rights[3] == 'x')
	fputs (line, stdout);
    }
  if (maps != NULL)
    fclose (maps);
  free (block);
  return 0;
}
