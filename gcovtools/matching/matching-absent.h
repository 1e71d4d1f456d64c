/* Allocations without remarks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MATCHING_ABSENT_H
#define HEAPPROF_MATCHING_ABSENT_H

#include "matching.h"
#include "remarks.h"

/* Add to MATCHING the contexts of PROFILE in functions without REMARKS.  Return
   false if memory is exhausted.  */
bool matching_add_absent (struct matching *matching,
			  const struct heap_profile *profile,
			  const struct remarks *remarks);

#endif /* HEAPPROF_MATCHING_ABSENT_H */
