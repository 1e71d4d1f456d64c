/* What the kernel reports about a process.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROCESS_STAT_H
#define HEAPPROF_PROCESS_STAT_H

#include <stdbool.h>
#include <stdint.h>

/* Fields of /proc/PID/stat.  */
struct process_stat
{
  char state; /* a letter, as in proc(5) */
  long parent;
  long threads;
  uint64_t start_ticks; /* start, in clock ticks after boot */
};

/* Fill *STAT for process PID.  Return false if there is none.  */
bool process_stat_read (uint64_t pid, struct process_stat *stat);

#endif /* HEAPPROF_PROCESS_STAT_H */
