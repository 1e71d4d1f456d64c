/* Use of a heap profile: detection of changed sources.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_STALE_H
#define HEAPPROF_USE_STALE_H

#include "use-record.h"

/* A call in the source, which may be at a place where the profile has one.  */
struct written_call
{
  gcall *call;
  bool allocates; /* may be one for which the profile has MIBs */
  bool is_region; /* of OpenMP; such calls have no place in GCC */
};

/* True if CALL of FUNCTION, which is DECL and whose calls are CALLS, shows that
   its source has changed.  The profile has it at WHERE.  */
bool use_stale_missed_p (tree decl, const profiled_function &function,
			 const profiled_call &call, heap_lookup_where where,
			 const vec<written_call> &calls);

/* Count the calls of FUNCTION, from LOOKUP, that were matched in DECL, whose
   calls are CALLS, and determine whether the others show that its source has
   changed.  */
void use_stale_count (heap_lookup *lookup, tree decl,
		      const profiled_function &function,
		      const vec<written_call> &calls);

/* Report the result at the end of a unit with FUNCTIONS: a warning if the
   source of a function has changed, and a note with the argument verbose.  */
void use_stale_report (unsigned functions);

#endif /* HEAPPROF_USE_STALE_H */
