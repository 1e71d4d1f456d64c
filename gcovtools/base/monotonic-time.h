/* Times since some point in the past, for differences.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MONOTONIC_TIME_H
#define HEAPPROF_MONOTONIC_TIME_H

#include <time.h>

/* Return the time on the monotonic clock in seconds.  */
double monotonic_time_s (void);

/* Return the CPU time of this process in seconds.  */
double processor_time_s (void);

/* Return SECONDS, at least 0, for system calls.  */
struct timespec monotonic_time_spec (double seconds);

#endif /* HEAPPROF_MONOTONIC_TIME_H */
