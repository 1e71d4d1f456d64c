/* Locks of the run-time library: one word, no memory, no owner.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A thread takes a lock only between rt_enter and rt_leave (thread.h), and a
   signal handler that interrupts it there takes none, so a lock never waits
   for its own thread.  Order: dump, then the arena's, then tables.  */

#ifndef HEAPPROF_LOCK_H
#define HEAPPROF_LOCK_H

#include "sys.h"

/* 0: free, 1: taken, 2: taken and perhaps waited for.  */
struct rt_lock { uint32_t word; };

static inline bool
rt_try_lock (struct rt_lock *lock)
{
  uint32_t expected = 0;
  return __atomic_compare_exchange_n (&lock->word, &expected, 1, false,
				      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void
rt_lock (struct rt_lock *lock)
{
  for (int i = 0; i < 40; i++)
    if (rt_try_lock (lock))
      return;
  while (__atomic_exchange_n (&lock->word, 2, __ATOMIC_ACQUIRE) != 0)
    sys_wait (&lock->word, 2);
}

static inline void
rt_unlock (struct rt_lock *lock)
{
  if (__atomic_exchange_n (&lock->word, 0, __ATOMIC_RELEASE) == 2)
    sys_wake (&lock->word, 1);
}

/* Free a lock whoever holds it: in the child of a fork its owner is gone.  */
static inline void
rt_reset_lock (struct rt_lock *lock)
{
  __atomic_store_n (&lock->word, 0, __ATOMIC_RELEASE);
}

#endif /* HEAPPROF_LOCK_H */
