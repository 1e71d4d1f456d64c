/* Completing the profile before a signal ends the program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   If the kernel would end the process because a signal has its default action,
   it calls a handler of ours instead.  This is hidden from the program: when it
   queries the action, it gets SIG_DFL.  */

#ifndef HEAPPROF_ENDING_H
#define HEAPPROF_ENDING_H

#include <signal.h>

/* Handle the signals that have their default action.  Call once, at start.  */
void rt_ending_start (void);

/* Let the kernel end the process again; the profile is then valid, but not
   complete.  */
void rt_ending_stop (void);

/* sigaction, as the program sees it.  */
int rt_ending_sigaction (int number, const struct sigaction *action,
			 struct sigaction *previous);

/* Called when the current call ends if a signal arrived inside the library.
   Inside the library; does not return, unless the signal has no effect.  */
void rt_ending_finish (void);

/* Between these two calls the profile is complete, and the process may end
   although this thread is inside the library.  The first call ends the process
   if a signal is pending.  */
void rt_ending_allow (void);
void rt_ending_forbid (void);

/* For the child of a fork: drop signals sent to its parent.  */
void rt_ending_forget (void);

#endif /* HEAPPROF_ENDING_H */
