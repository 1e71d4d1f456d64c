/* Completing the profile, snapshots of it, forgetting it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_DUMP_H
#define HEAPPROF_DUMP_H

#include <stdbool.h>

/* Write a snapshot.  Return 0, or -1 if that failed or nothing is profiled.
   Inside the library only.  Uses tables and system calls alone, so that it may
   run in a signal handler, if that did not interrupt the library.  */
int rt_dump (void);

/* Forget what was observed.  The same results and conditions.  */
int rt_forget (void);

/* The program ends: fold the live blocks in and mark the file complete.  Later
   calls do nothing.  Inside the library only.  */
void rt_complete (void);

/* Before exec: put the complete profile in the place of the running file, and
   have threads wait that want to change it.  False if there is none, or it
   cannot be completed; a message says so.  After exec failed, rt_continue makes
   the profile a running one again.  Inside the library, in the process that the
   profile is about.  */
bool rt_suspend (void);
void rt_continue (void);

/* Have SIGNAL write snapshots.  */
void rt_dump_on_signal (int signal);

/* For the child of a fork.  */
void rt_dump_reset_locks (void);

#endif /* HEAPPROF_DUMP_H */
