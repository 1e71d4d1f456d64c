/* What happened between two profiles of one run.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_SINCE_H
#define HEAPPROF_HEAP_SINCE_H

#include "heap-profile.h"

/* Return a new profile with the allocations of LATER that EARLIER, of the same
   run, does not have, with their accesses and lifetimes; and with what is live,
   lost and at the peak in LATER.  Smallest and greatest values are unknown.  If
   LATER has fewer blocks than EARLIER, the program has discarded what it had
   observed, and all of LATER is new.  NULL if memory is exhausted.  */
struct heap_profile *heap_since (const struct heap_profile *later,
				 const struct heap_profile *earlier);

#endif /* HEAPPROF_HEAP_SINCE_H */
