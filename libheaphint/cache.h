/* Slots that a thread keeps, so that most allocations take no lock.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Pointers to them are kept, in memory of the thread's own: a block that waits
   here is not touched.  */

#ifndef HEAPPROF_CACHE_H
#define HEAPPROF_CACHE_H

#include "area.h"

/* Take one slot of SLOT_CLASS; NULL if there is no memory.  */
void *hint_cache_take (enum hint_kind kind, unsigned slot_class);

/* Release the slot BLOCK of SLOT_CLASS, from whichever thread it was.  */
void hint_cache_give (enum hint_kind kind, unsigned slot_class, void *block);

/* Once, before the first of the above.  */
void hint_cache_start (void);

/* fork: hold the lock, release it.  */
void hint_cache_lock (void);
void hint_cache_unlock (void);

#endif /* HEAPPROF_CACHE_H */
