/* Writing a snapshot of the running profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SNAPSHOT_H
#define HEAPPROF_SNAPSHOT_H

#include <stdint.h>

/* Write snapshot NUMBER to FD, an empty file; if NUMBER is 0, the complete
   profile.  Return 0 or a negative errno.  Other threads continue.  The dump
   lock is held.  */
int rt_snapshot_write (int fd, uint64_t number);

#endif /* HEAPPROF_SNAPSHOT_H */
