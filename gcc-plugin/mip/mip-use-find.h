/* What a machine-level profile says about the functions of the unit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_USE_FIND_H
#define HEAPPROF_MIP_USE_FIND_H

#include "mip-profile.h"

/* What is known about a function.  */
struct mip_use_finding
{
  /* Its record, or that of another part or copy of its source function; NULL
     if there is none.  */
  const mip_function *record;
  /* Its position in the order of first calls, or that of the function beside
     which it belongs, from 1; 0 if there is none.  */
  uint32_t place;
  /* It has no record, but its source function has.  */
  bool is_by_origin;
  /* Where it was inlined, it may have run.  */
  bool may_run_inlined;
};

/* Read the profile that ARGUMENTS name.  Report an error and return false on
   failure.  */
bool mip_use_read (void);

/* Return what the profile says about the function DECL.  */
mip_use_finding mip_use_find (tree decl);

#endif /* HEAPPROF_MIP_USE_FIND_H */
