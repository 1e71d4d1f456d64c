/* The gate: whether observations may be recorded now.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   On the fast path this is one word.  It is in a page that is zeroed in a child
   process, however it was forked, so that a child never writes into its
   parent's file: the gate is closed, and the slow path determines why.  */

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

/* Determine why the gate is closed and open it if possible: start the profile,
   or a new one in a child.  Return false if there is no profile to record into.
   Inside the library, with no lock held.  FOR_ALLOCATION: create a file if
   there is none yet.  */
bool rt_gate_open (bool for_allocation);

/* Close the gate for good: the profile is complete.  */
void rt_gate_close (void);

/* Close the gate for good from anywhere, with any lock held, after an error.
   The data written so far stays, as after a kill.  */
void rt_gate_abandon (void);

/* True if the library's state, such as this thread's, belongs to this process.
   False in a child that has not noticed yet that it is one, and in a vfork
   child, which must not change its parent's memory.  */
bool rt_gate_is_mine (void);

/* Make all threads that want to record something wait; return false if no
   profile is in progress.  rt_gate_resume lets them continue, with the gate
   closed for good unless OPEN.  */
bool rt_gate_pause (void);
void rt_gate_resume (bool open);

/* Around a fork: keep threads from opening or closing the gate.  The child
   finds the lock held by a thread that it does not have.  */
void rt_gate_lock (void);
void rt_gate_unlock (void);
void rt_gate_reset_lock (void);

/* Close the gate in the child of a fork.  */
void rt_gate_become_child (void);

/* After the profile was completed, or in the child of a fork: start another one
   with the next allocation, in a file of its own.  No thread is recording
   anything.  */
void rt_gate_begin_again (void);

/* Initialize; call once, at start.  IS_READY returns whether options are
   known.  */
void rt_gate_start (bool (*is_ready) (void));

#endif /* HEAPPROF_GATE_H */
