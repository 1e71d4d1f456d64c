/* Using a heap profile: whether the source is older or newer than it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_STALE_H
#define HEAPPROF_USE_STALE_H

#include "use-record.h"

/* A call in the source, for who asks what else is where the profile has one. */
struct written_call
{
  gcall *call;
  bool allocates; /* may be one that the profile has MIBs of */
  bool is_region; /* of OpenMP: GCC gives the call no place */
};

/* Count how many calls of FUNCTION, which LOOKUP had, were found in DECL, whose
   calls are CALLS, and whether the others tell that its source has changed.  */
void use_stale_count (heap_lookup *lookup, tree decl,
		      const profiled_function &function,
		      const vec<written_call> &calls);

/* Say at the end of a unit with FUNCTIONS what was counted: a warning if the
   source of a function has changed, and a note with the argument verbose.  */
void use_stale_report (unsigned functions);

#endif /* HEAPPROF_USE_STALE_H */
