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

/* Write a line: FORMAT as format.h has it.  */
void rt_log (const char *format, ...);

/* The same, but only the first time that the flag *SAID is met.  */
void rt_log_once (bool *said, const char *format, ...);

#endif /* HEAPPROF_LOG_H */
