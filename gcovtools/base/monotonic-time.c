/* Times since some point in the past, for differences.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "monotonic-time.h"
#include <math.h>

/* Return the time on CLOCK in seconds.  */
static double
read_clock (clockid_t clock)
{
  struct timespec now;
  clock_gettime (clock, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

double
monotonic_time_s (void)
{
  return read_clock (CLOCK_MONOTONIC);
}

double
processor_time_s (void)
{
  return read_clock (CLOCK_PROCESS_CPUTIME_ID);
}

struct timespec
monotonic_time_spec (double seconds)
{
  return (struct timespec){ .tv_sec = (time_t) seconds,
			    .tv_nsec = (long) (fmod (seconds, 1) * 1e9) };
}
