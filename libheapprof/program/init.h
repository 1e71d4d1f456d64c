/* Start of the run-time library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_INIT_H
#define HEAPPROF_INIT_H

#include <stdbool.h>

/* True if this copy of the library is unused, because the program contains
   another one, which its public names refer to.  */
bool rt_is_inert (void);

/* Return the options that decide what is profiled, as they are known before the
   first allocation: whether anything is, and samples.  */
const struct rt_options *rt_early_options (void);

/* There can be no samples: do not profile, and say so.  */
void rt_refuse_samples (void);

/* Initialize counters, allocator and options.  The first call does that; others
   wait for it.  Only inside the library (thread.h).  */
void rt_init (void);

#endif /* HEAPPROF_INIT_H */
