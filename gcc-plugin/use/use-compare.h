/* Use of a heap profile: comparing what it has with the source.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_COMPARE_H
#define HEAPPROF_USE_COMPARE_H

#include "use-stale.h"

/* How the source of a function differs from its record.  */
enum source_change
{
  SOURCE_SAME,
  SOURCE_CALLEES, /* on a line, other functions are called */
  SOURCE_MISSED	  /* calls are missing */
};

/* True if the profile LOOKUP has functions in the main source file of the unit
   that the unit does not define.  */
bool use_compare_any_gone_p (heap_lookup *lookup);

/* Return how DECL, whose calls are CALLS, differs from its record FUNCTION of
   the profile LOOKUP; SOURCE_SAME, too, if the profile does not know what
   functions call.  */
source_change use_compare_function (heap_lookup *lookup, tree decl,
				    const profiled_function &function,
				    const vec<written_call> &calls);

#endif /* HEAPPROF_USE_COMPARE_H */
