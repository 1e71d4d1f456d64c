/* Slots: blocks of up to 64 KiB, several per run of chunks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Slots are taken and given back several at a time under the lock of their
   class; threads cache some (cache.h).  */

#ifndef HEAPPROF_SLOTS_H
#define HEAPPROF_SLOTS_H

#include "area.h"

/* Take up to WANTED slots of SLOT_CLASS, lowest addresses of a run first.
   Store them in BLOCKS and return their number.  The slots' content is
   undefined.  */
unsigned hint_slots_take (enum hint_kind kind, unsigned slot_class,
			  void **blocks, unsigned wanted);

/* Give back COUNT slots of one class; abort if one of them is not in use.  */
void hint_slots_give (enum hint_kind kind, unsigned slot_class,
		      void *const *blocks, unsigned count);

/* Return the first chunk of the run of ADDRESS, which is in CHUNK, part of a
   run of slots; HINT_NO_CHUNK if ADDRESS is not the start of a slot.  */
uint32_t hint_slot_run (uint32_t chunk, const void *address);

/* Print the one-line error WHAT and abort.  */
void hint_refuse (const char *what) __attribute__ ((noreturn));

/* For fork: take and release the locks.  */
void hint_slots_lock (void);
void hint_slots_unlock (void);

#endif /* HEAPPROF_SLOTS_H */
