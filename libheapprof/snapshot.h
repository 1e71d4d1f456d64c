/* Writing a snapshot of the running profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SNAPSHOT_H
#define HEAPPROF_SNAPSHOT_H

#include <stdint.h>

#include "heapprof/raw-format.h"

/* Write snapshot NUMBER to FD, an empty file.  0 or a negative errno.  Other
   threads go on.  The lock of dumps is held.  */
int rt_snapshot_write (int fd, uint64_t number);

/* Write to FD, an empty file, the running file without its holes: complete,
   the live blocks folded in at NOW_NS, COUNT BALANCES from before.  */
int rt_snapshot_write_complete (int fd, uint64_t now_ns,
				const struct heapprof_raw_live *balances,
				uint32_t count);

#endif /* HEAPPROF_SNAPSHOT_H */
