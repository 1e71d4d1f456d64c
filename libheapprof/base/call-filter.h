/* The filters of system calls that the program has installed (seccomp).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Sandboxes end a process at calls that the program does not make itself.  The
   library does make others, so it runs the filters first, as the kernel would,
   and takes a call that they do not allow as one that has failed.  Programs
   call prctl or syscall to install filters (program/intercept-filter.c).
   Filters from before the program started are unknown.  */

#ifndef HEAPPROF_CALL_FILTER_H
#define HEAPPROF_CALL_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>

struct call_filter;

/* Apply a copy of PROGRAM to the library's own calls from now on, in all
   threads and in children.  Return NULL if PROGRAM is not readable; the kernel
   refuses it, too.  If there is no memory for it, all calls are refused.  */
struct call_filter *call_filter_add (const struct sock_fprog *program);

/* Do the same for the kernel's strict mode, which allows only read and write.
 */
struct call_filter *call_filter_add_strict (void);

/* True if FILTER, which may be NULL, is that of the strict mode.  */
bool call_filter_is_strict (const struct call_filter *filter);

/* Stop applying FILTER, which the kernel has not accepted.  */
void call_filter_cancel (struct call_filter *filter);

/* True if FILTER allows system call NUMBER, for arguments that are 0.  */
bool call_filter_allows (const struct call_filter *filter, long number);

#endif /* HEAPPROF_CALL_FILTER_H */
