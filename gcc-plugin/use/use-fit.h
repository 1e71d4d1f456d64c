/* Use of a heap profile: fitting it to source that has changed.
   SPDX-License-Identifier: GPL-3.0-or-later

   The functions of a unit and what they call are compared with what the profile
   says of the source files of the unit, as `heapprof-gcov match' does for a
   program (libprofdata/stale).  Functions that are not in the unit any more may
   have been renamed, or parts of them moved.  */

#ifndef HEAPPROF_USE_FIT_H
#define HEAPPROF_USE_FIT_H

#include "use-compare.h"

/* A function of the unit.  */
struct fit_function
{
  tree decl;
  auto_vec<written_call> calls;
  source_change change;
  /* What was found for it: calls at their places in the source, and those that
     have none; NULL: nothing.  */
  profiled_function *record;
  /* Places of calls of functions that its code was moved to.  */
  auto_vec<location_t> continued;

  ~fit_function () { delete record; }
};

/* Fit the profile LOOKUP to the functions of UNIT: set the records of changed
   functions, and of those that have calls of other functions of the profile.
   */
void use_fit_unit (heap_lookup *lookup, const vec<fit_function *> &unit);

#endif /* HEAPPROF_USE_FIT_H */
