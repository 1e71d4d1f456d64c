/* Direct calls of virtual functions, guarded by comparisons.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_VIRTUAL_PROMOTE_H
#define HEAPPROF_VIRTUAL_PROMOTE_H

#include "sample-places.h"
#include "virtual-tests.h"

/* Give CALL, a virtual call in the current function, direct calls for the
   tables in SAMPLES and, by name, for the functions in TARGETS; both are sorted
   by descending count.  Store what was done about each in *RESULT.  Return the
   number of comparisons added.  */
unsigned virtual_promote (gcall *call, const vec<sample_table> &samples,
			  const vec<sample_table> &targets,
			  vec<promoted_table> *result);

#endif /* HEAPPROF_VIRTUAL_PROMOTE_H */
