/* Logarithm and exponential function, as the library must not call those of the
   program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_EXPONENTIAL_H
#define HEAPPROF_EXPONENTIAL_H

/* Return the natural logarithm of X, a positive normal number; the relative
   error is below 1e-13.  */
double rt_log_of (double x);

/* Return 1 - exp (-X) for X >= 0; the relative error is below 1e-13.  */
double rt_share_of (double x);

#endif /* HEAPPROF_EXPONENTIAL_H */
