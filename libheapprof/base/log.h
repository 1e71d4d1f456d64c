/* Messages to the user: one line `heapprof: ...' on standard error.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No stdio, no allocation, no lock; each line is one write.  May be called
   anywhere.  */

#ifndef HEAPPROF_LOG_H
#define HEAPPROF_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Remember which file standard error is; nothing is written before this.  */
void rt_log_start (void);

/* Write a line; FORMAT is described in format.h.  */
void rt_log (const char *format, ...);

/* Write a line unless the flag *SAID is set, and set it.  */
void rt_log_once (bool *said, const char *format, ...);

#endif /* HEAPPROF_LOG_H */
