/* Completing the profile when the program calls exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_COMPLETE_H
#define HEAPPROF_COMPLETE_H

#include <stdbool.h>
#include <stdint.h>

/* Complete the profile, if it is this process's.  In a signal handler that
   interrupted the library, the interrupted call may hold its locks, so the
   profile stays incomplete then.

   ADDRESS is where the library's function that was called by exit returns to; 0
   if the program called it.  IS_STATIC: the program is static, so that it may
   be either (exit-frames.h).  */
void rt_complete_at_exit (uintptr_t address, bool is_static);

#endif /* HEAPPROF_COMPLETE_H */
