/* Detection of inlined copies of the functions in a machine-level profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function that did not run according to its counter may have run where the
   compiler inlined it into callers.  The program's debug information lists the
   inlined functions and the locations of the copies, except copies for which
   the compiler left no code.  This is needed for programs whose map does not
   list copies (mip-sources.h): those built before it did, or without any.  */

#ifndef HEAPPROF_MIP_INLINED_H
#define HEAPPROF_MIP_INLINED_H

#include "mip-profile.h"
#include "object-finder.h"
#include <stdbool.h>
#include <stdint.h>

/* What is known about the inlined copies of a function, in ascending
   priority.  */
enum mip_inlined
{
  MIP_INLINED_NONE,	     /* there are none */
  MIP_INLINED_DID_NOT_RUN,   /* only in functions that did not run */
  MIP_INLINED_NO_DEBUG_INFO, /* unknown: no debug information */
  MIP_INLINED_UNKNOWN	     /* they may have run */
};

/* Set STATES for each function of PROFILE; FINDER finds the programs.  For each
   program without debug information, print a note; its functions get
   MIP_INLINED_NONE.  Return false if memory is exhausted.  */
bool mip_inlined_find (enum mip_inlined *states,
		       const struct mip_profile *profile,
		       struct object_finder *finder);

#endif /* HEAPPROF_MIP_INLINED_H */
