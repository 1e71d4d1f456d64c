/* The debug log: what the library does, a line for each event, for its
   developers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   HEAPPROF_OPTIONS=log=FILE:level=N in a library configured with
   --enable-checking.  Other builds contain none of it.  Levels:

     1  start and end, files, modules, threads, fork, exec
     2  also memory taken from the system, new contexts, growth of the file
     3  also each allocation and release  */

#ifndef HEAPPROF_DEBUG_LOG_H
#define HEAPPROF_DEBUG_LOG_H

#include "invariant.h"
#include "options.h"

/* Append a line to the log, FORMAT as format.h describes, if the level is at
   least LEVEL.  May be called anywhere, with any lock held.  */
#define RT_DEBUG(LEVEL, ...)                                                   \
  do                                                                           \
    if (HEAPPROF_CHECKING > 0 && rt_options.level >= (LEVEL))                  \
      rt_debug_line (__VA_ARGS__);                                             \
  while (0)

/* Append lines to the file PATH from now on; a relative PATH is resolved now.
   Return false if that is not possible.  */
bool rt_debug_start (const char *path);

void rt_debug_line (const char *format, ...) __attribute__ ((cold));

#endif /* HEAPPROF_DEBUG_LOG_H */
