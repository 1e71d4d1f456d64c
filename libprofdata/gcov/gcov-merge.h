/* Merging GCC's own counters.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_MERGE_H
#define HEAPPROF_GCOV_MERGE_H

#include "gcov-profile.h"

/* Add SOURCE, which must have the same key, to UNIT.  SOURCE loses what it owns
   and may only be passed to gcov_unit_free.  Set *IS_SATURATED if a sum reached
   its bound.  Return false if memory is exhausted.  */
bool gcov_unit_merge (struct gcov_unit *unit, struct gcov_unit *source,
		      bool *is_saturated);

/* Multiply the sums in UNIT by WEIGHT, as if UNIT had been added that many
   times.  *IS_SATURATED and the result are as above.  */
bool gcov_unit_scale (struct gcov_unit *unit, uint64_t weight,
		      bool *is_saturated);

#endif /* HEAPPROF_GCOV_MERGE_H */
