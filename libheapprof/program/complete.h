/* Completing the profile when the program calls exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_COMPLETE_H
#define HEAPPROF_COMPLETE_H

#include <stdbool.h>
#include <stdint.h>

/* Complete the profile, if it is this process's.  In a signal handler that
   interrupted the library, the interrupted call may hold its locks, so the
   profile stays incomplete then.

   If exit called our handler, ADDRESS is where that returns to, otherwise 0; in
   a static program, where that returns to anyway (exit-frames.h).  */
void rt_complete_at_exit (uintptr_t address, bool is_static);

#endif /* HEAPPROF_COMPLETE_H */
