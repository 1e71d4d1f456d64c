/* Completing, dumping and resetting the profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_DUMP_H
#define HEAPPROF_DUMP_H

#include <stdbool.h>

/* Write a snapshot.  Return 0, or -1 if that failed or nothing is profiled.
   Only inside the library.  Uses only tables and system calls, so it may run in
   a signal handler that did not interrupt the library.  */
int rt_dump (void);

/* Write the snapshot of an interval, and remove the oldest one if there are
   enough newer ones: without looking for lost blocks, and without waiting until
   the disk has it.  If that fails again and again, say so once.  Same
   conditions.  */
void rt_dump_in_turn (void);

/* Discard all observations.  Same results and conditions.  */
int rt_forget (void);

/* At the end of the program: fold in the live blocks and mark the file as
   complete.  Later calls do nothing.  Only inside the library.  */
void rt_complete (void);

/* Before exec: replace the running file by a complete profile, and make threads
   wait that want to change it.  Return false if there is none.  If the file
   cannot be replaced, it is completed in place or, with a message, stays
   incomplete.  After exec failed, rt_continue makes the profile a running one
   again, or ends it with a message if it was completed in place.  Inside the
   library, in the process that owns the profile.  */
bool rt_suspend (void);
void rt_continue (void);

/* Write a snapshot on each SIGNAL.  */
void rt_dump_on_signal (int signal);

/* Reset locks in the child of a fork.  */
void rt_dump_reset_locks (void);

#endif /* HEAPPROF_DUMP_H */
