/* Messages to the user: one line `heapprof: ...' on standard error.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No stdio, no memory, no lock: one write a line.  May be called anywhere.  */

#ifndef HEAPPROF_LOG_H
#define HEAPPROF_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Remember which file standard error is; nothing is written before.  */
void rt_log_start (void);

/* Write a line.  FORMAT knows %s (const char *), %d (int), %u (uint64_t), %x
   (uint64_t), %e (int: a negative errno as text) and %%.  */
void rt_log (const char *format, ...);

/* The same, but only the first time that the flag *SAID is met.  */
void rt_log_once (bool *said, const char *format, ...);

/* Put FORMAT's text into BUFFER of BYTES bytes, terminated; return its length,
   cut to fit.  */
size_t rt_format (char *buffer, size_t bytes, const char *format, ...);

#endif /* HEAPPROF_LOG_H */
