/* Start of the run-time library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_INIT_H
#define HEAPPROF_INIT_H

#include <stdbool.h>

/* Make the library usable: counters, allocator, options.  The first call does
   that, others wait for it.  Only inside the library (thread.h).  */
void rt_init (void);

/* Is the environment there, so that options are known and profiles may begin?
   Not in allocations that the dynamic linker makes before the C library has
   started.  */
bool rt_is_ready (void);

/* Is this copy of the library unused, because the program carries another
   one?  */
bool rt_is_inert (void);

#endif /* HEAPPROF_INIT_H */
