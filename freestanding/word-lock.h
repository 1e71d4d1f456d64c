/* Locks of one word, without an owner.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   0: free, 1: locked, 2: locked, perhaps with waiters.  */

#ifndef HEAPPROF_WORD_LOCK_H
#define HEAPPROF_WORD_LOCK_H

#include "system-call.h"
#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool
word_try_lock (uint32_t *word)
{
  uint32_t expected = 0;
  return __atomic_compare_exchange_n (word, &expected, 1, false,
				      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void
word_lock (uint32_t *word)
{
  for (int i = 0; i < 40; i++)
    if (word_try_lock (word))
      return;
  while (__atomic_exchange_n (word, 2, __ATOMIC_ACQUIRE) != 0)
    system_call_4 (SYS_futex, (long) word, FUTEX_WAIT_PRIVATE, 2, 0);
}

static inline void
word_unlock (uint32_t *word)
{
  if (__atomic_exchange_n (word, 0, __ATOMIC_RELEASE) == 2)
    system_call_4 (SYS_futex, (long) word, FUTEX_WAKE_PRIVATE, 1, 0);
}

#endif /* HEAPPROF_WORD_LOCK_H */
