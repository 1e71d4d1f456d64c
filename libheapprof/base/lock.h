/* Locks of the run-time library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A thread takes locks only between rt_enter and rt_leave (thread.h), and a
   signal handler that interrupts it there takes none, so a thread never waits
   for itself.  Lock order: dump, marks, lost blocks, heap size, then the
   arena's, then tables.  */

#ifndef HEAPPROF_LOCK_H
#define HEAPPROF_LOCK_H

#include "word-lock.h"

struct rt_lock
{
  uint32_t word;
};

static inline bool
rt_try_lock (struct rt_lock *lock)
{
  return word_try_lock (&lock->word);
}

static inline void
rt_lock (struct rt_lock *lock)
{
  word_lock (&lock->word);
}

static inline void
rt_unlock (struct rt_lock *lock)
{
  word_unlock (&lock->word);
}

/* Release a lock regardless of its owner: in the child of a fork the owner no
   longer exists.  */
static inline void
rt_reset_lock (struct rt_lock *lock)
{
  __atomic_store_n (&lock->word, 0, __ATOMIC_RELEASE);
}

#endif /* HEAPPROF_LOCK_H */
