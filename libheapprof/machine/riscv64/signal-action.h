/* What a signal handler returns to, on RISC-V 64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SIGNAL_ACTION_H
#define HEAPPROF_SIGNAL_ACTION_H

/* The kernel knows, and its struct sigaction has no place for it.  */
#define MACHINE_RESTORER_WORDS 0
#define MACHINE_RESTORER_FLAG 0ul
#define machine_restorer NULL

#endif /* HEAPPROF_SIGNAL_ACTION_H */
