/* Locks of the pools, which a forking thread holds all at once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Between the pools' handlers before and after the fork, other handlers of the
   program may allocate and release: for the thread that holds all locks,
   locking and unlocking do nothing.  Lock order: class, then area.  */

#ifndef HEAPPROF_GUARD_H
#define HEAPPROF_GUARD_H

#include "word-lock.h"

struct hint_guard
{
  uint32_t word;
};

/* clang-format off */
#define HINT_GUARD_INIT { 0 }
/* clang-format on */

/* Set only by hint_pool_start's fork handlers.  */
extern __thread bool hint_guard_holds_all;

static inline void
hint_guard_lock (struct hint_guard *guard)
{
  if (!hint_guard_holds_all)
    word_lock (&guard->word);
}

static inline void
hint_guard_unlock (struct hint_guard *guard)
{
  if (!hint_guard_holds_all)
    word_unlock (&guard->word);
}

#endif /* HEAPPROF_GUARD_H */
