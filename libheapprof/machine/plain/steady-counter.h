/* Machines whose counter of time is always steady.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_STEADY_COUNTER_H
#define HEAPPROF_STEADY_COUNTER_H

#include <stdbool.h>

/* True if the counter can be read, and runs at a constant rate even while the
   processor sleeps: the architecture demands both.  */

static inline bool
machine_counter_is_steady (void)
{
  return true;
}

#endif /* HEAPPROF_STEADY_COUNTER_H */
