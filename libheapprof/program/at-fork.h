/* Fork handlers that keep all data consistent in the child.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_AT_FORK_H
#define HEAPPROF_AT_FORK_H

/* Make the C library's fork take and release locks.  Call once, at start.  */
void rt_at_fork_start (void);

#endif /* HEAPPROF_AT_FORK_H */
