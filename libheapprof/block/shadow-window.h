/* Windows: short times in which accesses are counted apart.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Compiled code reads where the counters start from a variable
   (HEAPPROF_SYMBOL_WINDOW_BASE, abi.h), again after each call that may enter
   the library.  A window sets it to a second range of counters, all zero.  When
   the window is closed, the pages that exist there show what was accessed
   meanwhile; these counts are added to the usual ones, so that none is lost.

   Windows are for processes with a single thread: another one could still add
   to the second range when it has been read.  The C library allocates memory
   for the second thread before that starts, the last moment to close a window.
   A signal handler that allocates can do that to the code that it interrupted;
   what is left there is found when the next window is closed.  */

#ifndef HEAPPROF_SHADOW_WINDOW_H
#define HEAPPROF_SHADOW_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True while a window is open.  */
extern bool rt_window_is_open __attribute__ ((visibility ("hidden")));

/* Return true if this process has a single thread, and is not about to start
   the second one.  */
bool rt_window_is_allowed (void);

/* Open a window; return false if that is not possible, now or ever.  */
bool rt_window_open (void);

/* Close the window.  Call VISIT, unless NULL, with the address of each granule
   that was accessed in the window and has memory of the program's blocks, once.
   Its counter has been updated.  */
void rt_window_close (void (*visit) (uintptr_t granule, void *data),
		      void *data);

/* While a window is open: do that for the granules of the SIZE bytes at DATA
   alone; return how many were accessed.  */
uint32_t rt_window_take (const void *data, size_t size);

/* Close the window in the child of a fork, where its counts are not needed.  */
void rt_window_forget (void);

#endif /* HEAPPROF_SHADOW_WINDOW_H */
