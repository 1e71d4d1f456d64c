/* Per-thread caches of slots, so that most allocations take no lock.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Caches hold pointers to slots in memory of their own: a cached block is not
   touched.  */

#ifndef HEAPPROF_CACHE_H
#define HEAPPROF_CACHE_H

#include "area.h"

/* Take one slot of SLOT_CLASS; NULL if there is no memory.  */
void *hint_cache_take (enum hint_kind kind, unsigned slot_class);

/* Release the slot BLOCK of SLOT_CLASS, whichever thread allocated it.  */
void hint_cache_give (enum hint_kind kind, unsigned slot_class, void *block);

/* Call once, before the functions above.  */
void hint_cache_start (void);

/* For fork: take and release the lock.  */
void hint_cache_lock (void);
void hint_cache_unlock (void);

#endif /* HEAPPROF_CACHE_H */
