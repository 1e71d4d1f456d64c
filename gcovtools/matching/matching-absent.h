/* Allocations without remarks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MATCHING_ABSENT_H
#define HEAPPROF_MATCHING_ABSENT_H

#include "heap-profile.h"
#include "matching.h"
#include "remarks.h"

/* Add to MATCHING the contexts of PROFILE in functions without REMARKS.  Return
   false if memory is exhausted.  */
bool matching_add_absent (struct matching *matching,
			  const struct heap_profile *profile,
			  const struct remarks *remarks);

/* Add to *SUM the blocks of PROFILE, the indexed profile PATH, that are
   allocated at places without debug information, so that the compiler cannot
   see them, but whose placement the token of a call decides.  Add nothing if
   PATH has no tokens.  Return false if memory is exhausted.  */
bool matching_add_libraries (struct matching_sum *sum, const char *path,
			     const struct heap_profile *profile);

#endif /* HEAPPROF_MATCHING_ABSENT_H */
