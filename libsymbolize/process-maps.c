/* The mappings of a process, as the kernel lists them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "process-maps.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parse LINE, without its end.  Return false if it is no mapping.  */
static bool
parse (const char *line, struct process_map *map)
{
  int at = 0;
  *map = (struct process_map){ .line = line };
  if (sscanf (line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %" SCNu64 " %n",
	      &map->start, &map->end, map->access, &map->inode, &at)
      != 4)
    return false;
  if (at > 0 && line[at] == '/')
    map->path = line + at;
  return true;
}

bool
process_maps_visit (uint64_t pid, process_map_visitor *visit, void *data)
{
  char name[64];
  char *line = NULL;
  size_t room = 0;
  bool goes_on = true;
  snprintf (name, sizeof name, "/proc/%" PRIu64 "/maps", pid);
  FILE *stream = fopen (name, "re");
  if (stream == NULL)
    return false;
  while (goes_on && getline (&line, &room, stream) > 0)
    {
      struct process_map map;
      line[strcspn (line, "\n")] = '\0';
      goes_on = !parse (line, &map) || visit (&map, data);
    }
  free (line);
  fclose (stream);
  return true;
}
