/* What the kernel reports about a process.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "process-stat.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool
process_stat_read (uint64_t pid, struct process_stat *stat)
{
  char path[64];
  char text[2048];
  snprintf (path, sizeof path, "/proc/%" PRIu64 "/stat", pid);
  FILE *file = fopen (path, "re");
  if (file == NULL)
    return false;
  size_t bytes = fread (text, 1, sizeof text - 1, file);
  fclose (file);
  text[bytes] = '\0';
  /* The program's name may contain any bytes.  */
  const char *rest = strrchr (text, ')');
  return rest != NULL
	 && sscanf (rest + 1,
		    " %c %ld %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
		    " %*s %*s %*s %ld %*s %" SCNu64,
		    &stat->state, &stat->parent, &stat->threads,
		    &stat->start_ticks)
	      == 4;
}
