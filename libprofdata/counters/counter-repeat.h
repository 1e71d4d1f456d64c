/* Entries of the table of functions that come again, file after file.
   SPDX-License-Identifier: GPL-3.0-or-later

   The files that the runs of one program leave have the same functions in one
   order, and most functions have counters alone.  So the head of such an entry,
   all that stands before its counters, is kept with its name.  Where the next
   entry begins with the head of the name that came next in the last file, its
   counters are added, and nothing is decoded or searched.  */

#ifndef HEAPPROF_COUNTER_REPEAT_H
#define HEAPPROF_COUNTER_REPEAT_H

#include "counter-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What follows the counters of such an entry: no bytes of a bitmap, and values
   of no kind in 8 bytes.  */
/* clang-format off */
#define COUNTER_REPEAT_TAIL { 0, 8 }
/* clang-format on */

/* The entry of the name that was added to PROFILE last begins with the N
   bytes at HEAD, then come the counters of the name's first record and the
   tail.  N is the same whenever a name has such an entry.  False if memory is
   exhausted.  */
bool counter_repeat_learn (struct counter_profile *profile, const uint8_t *head,
			   size_t n);

/* If the LEFT bytes at ENTRY begin with the entry that is expected next, add it
   to PROFILE.  Return how many bytes it has; 0 if they do not.  */
size_t counter_repeat_take (struct counter_profile *profile,
			    const uint8_t *entry, size_t left);

#endif /* HEAPPROF_COUNTER_REPEAT_H */
