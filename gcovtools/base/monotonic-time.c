/* The time since some point in the past, for differences.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "monotonic-time.h"
#include <math.h>

double
monotonic_time_s (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

struct timespec
monotonic_time_spec (double seconds)
{
  return (struct timespec){ .tv_sec = (time_t) seconds,
			    .tv_nsec = (long) (fmod (seconds, 1) * 1e9) };
}
