/* Which functions of a machine-level profile have copies inlined into others.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function that did not run may have run all the same, where the compiler put
   its code into its callers.  The debug information of the program says which
   functions were inlined, and where copies are; not where one was of which the
   compiler left no code.  */

#ifndef HEAPPROF_MIP_INLINED_H
#define HEAPPROF_MIP_INLINED_H

#include "mip-profile.h"
#include "object-finder.h"
#include <stdbool.h>
#include <stdint.h>

/* What is known of the inlined copies of a function; of several, the greatest
   counts.  */
enum mip_inlined
{
  MIP_INLINED_NONE,	     /* there are none */
  MIP_INLINED_DID_NOT_RUN,   /* nor did any function that one is in */
  MIP_INLINED_NO_DEBUG_INFO, /* what there is is not known */
  MIP_INLINED_UNKNOWN	     /* they may have run */
};

/* Put into STATES, one for each function of PROFILE, what is known; FINDER
   finds the programs.  What has no debug information is printed as a note, once
   for each program, and its functions have MIP_INLINED_NONE.  False if memory
   is exhausted.  */
bool mip_inlined_find (enum mip_inlined *states,
		       const struct mip_profile *profile,
		       struct object_finder *finder);

#endif /* HEAPPROF_MIP_INLINED_H */
