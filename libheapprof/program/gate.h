/* Whether observations may be recorded now.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One word answers that on the fast path.  It is in a page that a child
   process finds zeroed, however it was forked, so that a child never writes
   into its parent's file: the gate is closed, and the slow path finds out
   why.  */

#ifndef HEAPPROF_GATE_H
#define HEAPPROF_GATE_H

#include <stdbool.h>
#include <stdint.h>

extern uint32_t *rt_gate __attribute__ ((visibility ("hidden")));

static inline bool
rt_gate_is_open (void)
{
  return __atomic_load_n (rt_gate, __ATOMIC_ACQUIRE) != 0;
}

/* Find out why the gate is closed and open it if possible: begin the profile,
   or a new one in a child.  False if there is nothing to record into.  Inside
   the library, with no lock held.  FOR_ALLOCATION: create a file if there is
   none yet.  */
bool rt_gate_open (bool for_allocation);

/* No observation any more, for good: the profile is complete.  */
void rt_gate_close (void);

/* The same, from anywhere, with any lock held: something is wrong.  What is
   written so far stays, as of a process that was killed.  */
void rt_gate_abandon (void);

/* Does what the library knows of the process, such as this thread's state,
   belong to this one?  Not in a child that did not find out yet that it is one,
   and not in a vfork child, which must leave no trace in its parent.  */
bool rt_gate_is_mine (void);

/* Have all threads that want to record something wait, if a profile is being
   taken; false if not.  rt_gate_resume lets them go on, with the gate closed
   for good unless OPEN.  */
bool rt_gate_pause (void);
void rt_gate_resume (bool open);

/* Around a fork: nobody opens or closes the gate meanwhile.  The child finds
   the lock held, by a thread that it does not have.  */
void rt_gate_lock (void);
void rt_gate_unlock (void);
void rt_gate_reset_lock (void);

/* This process is the child of a fork: the gate is closed.  */
void rt_gate_become_child (void);

/* Once, at start.  IS_READY says whether options are known.  */
void rt_gate_start (bool (*is_ready) (void));

#endif /* HEAPPROF_GATE_H */
