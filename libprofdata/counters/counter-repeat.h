/* Fast path for table entries that recur in file after file.
   SPDX-License-Identifier: GPL-3.0-or-later

   Runs of one program leave files with the same functions in the same order,
   and most functions have only counters.  So the head of such an entry, which
   is everything before its counters, is kept with its name.  If the next entry
   starts with the head of the name that came next in the previous file, its
   counters are added without decoding or lookup.  */

#ifndef HEAPPROF_COUNTER_REPEAT_H
#define HEAPPROF_COUNTER_REPEAT_H

#include "counter-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What follows the counters of such an entry: a bitmap of 0 bytes, and values
   of no kind in 8 bytes.  */
/* clang-format off */
#define COUNTER_REPEAT_TAIL { 0, 8 }
/* clang-format on */

/* Remember that the entry of the name last added to PROFILE starts with the N
   bytes at HEAD, followed by the counters of the name's first record and the
   tail.  N is the same for every entry of a name.  Return false if memory is
   exhausted.  */
bool counter_repeat_learn (struct counter_profile *profile, const uint8_t *head,
			   size_t n);

/* If the LEFT bytes at ENTRY start with the entry expected next, add it to
   PROFILE and return its size in bytes; otherwise return 0.  */
size_t counter_repeat_take (struct counter_profile *profile,
			    const uint8_t *entry, size_t left);

#endif /* HEAPPROF_COUNTER_REPEAT_H */
