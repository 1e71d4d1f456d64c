/* Signals that end the program: the profile is completed first.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where the kernel would end the process because a signal has its default
   action, it calls a handler of ours.  The program does not see that: it is
   told SIG_DFL when it asks.  */

#ifndef HEAPPROF_ENDING_H
#define HEAPPROF_ENDING_H

#include <signal.h>

/* Handle the signals that have their default action.  Once, at start.  */
void rt_ending_start (void);

/* sigaction, as the program is to see it.  */
int rt_ending_sigaction (int number, const struct sigaction *action,
			 struct sigaction *previous);

/* A signal came inside the library, and the call under way ends.  Inside the
   library; does not return, unless the signal has no effect.  */
void rt_ending_finish (void);

/* From the first to the second call: the profile is complete, and the process
   may end although this thread is inside the library.  If a signal wanted that
   before, it ends now.  */
void rt_ending_allow (void);
void rt_ending_forbid (void);

/* For the child of a fork: what its parent was sent is not for it.  */
void rt_ending_forget (void);

#endif /* HEAPPROF_ENDING_H */
