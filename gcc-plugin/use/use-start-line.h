/* Use of a heap profile: the line where a function starts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_START_LINE_H
#define HEAPPROF_USE_START_LINE_H

#include "use-stale.h"

/* Find the line of DECL from which the profile LOOKUP counts those of FUNCTION.
   CALLS are the calls in the source.  */
void use_start_line_find (heap_lookup *lookup, tree decl,
			  const vec<written_call> &calls,
			  profiled_function *function);

#endif /* HEAPPROF_USE_START_LINE_H */
