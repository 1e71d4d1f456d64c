/* Adding gcc's own counters.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_MERGE_H
#define HEAPPROF_GCOV_MERGE_H

#include "gcov-profile.h"

/* Add SOURCE, of the same key, to UNIT; SOURCE gives away what it owns and is
   only good for gcov_unit_free then.  Set *IS_SATURATED if a sum reached its
   bound.  False if memory cannot be had.  */
bool gcov_unit_merge (struct gcov_unit *unit, struct gcov_unit *source,
		      bool *is_saturated);

/* Multiply what is summed in UNIT by WEIGHT, as adding UNIT so many times would
   do.  *IS_SATURATED and the result are as above.  */
bool gcov_unit_scale (struct gcov_unit *unit, uint64_t weight,
		      bool *is_saturated);

#endif /* HEAPPROF_GCOV_MERGE_H */
