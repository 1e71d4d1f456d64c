/* What a signal handler returns to.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SIGNAL_ACTION_H
#define HEAPPROF_SIGNAL_ACTION_H

/* How many words the kernel's struct sigaction has for it, and the flag that it
   is there: not, as the kernel knows.  */
#define MACHINE_RESTORER_WORDS 1
#define MACHINE_RESTORER_FLAG 0ul
#define machine_restorer NULL

#endif /* HEAPPROF_SIGNAL_ACTION_H */
