/* Slots: blocks of up to 64 KiB, several in a run of chunks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Blocks are taken and given several at a time under the lock of their class;
   threads keep some in between (cache.h).  */

#ifndef HEAPPROF_SLOTS_H
#define HEAPPROF_SLOTS_H

#include "area.h"

/* Take up to WANTED slots of SLOT_CLASS, lowest addresses of a run first, into
   BLOCKS; return how many there were.  What the slots contain is not known.  */
unsigned hint_slots_take (enum hint_kind kind, unsigned slot_class,
			  void **blocks, unsigned wanted);

/* Give back COUNT slots of one class; ends the program if one of them is not
   in use.  */
void hint_slots_give (enum hint_kind kind, unsigned slot_class,
		      void *const *blocks, unsigned count);

/* The first chunk of the run of ADDRESS, which lies in CHUNK of a run of
   slots; HINT_NO_CHUNK if no slot begins there.  */
uint32_t hint_slot_run (uint32_t chunk, const void *address);

/* Print one line about a pointer that cannot be released, and abort.  */
void hint_refuse (const char *what) __attribute__ ((noreturn));

/* fork: hold the locks, release them.  */
void hint_slots_lock (void);
void hint_slots_unlock (void);

#endif /* HEAPPROF_SLOTS_H */
