/* The mappings of a process, as the kernel lists them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROCESS_MAPS_H
#define HEAPPROF_PROCESS_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct process_map
{
  uint64_t start;
  uint64_t end;
  char access[5];   /* as in "rw-p" */
  uint64_t inode;   /* 0: not a file */
  const char *path; /* of the file when it was mapped; NULL: not a file */
  const char *line; /* all of this, as the kernel writes it, without the end of
		       the line */
};

/* Return false to see no more mappings.  */
typedef bool process_map_visitor (const struct process_map *map, void *data);

/* Call VISIT for each mapping of process PID, with DATA.  Return false, with
   errno, if they cannot be read.  */
bool process_maps_visit (uint64_t pid, process_map_visitor *visit, void *data);

#endif /* HEAPPROF_PROCESS_MAPS_H */
