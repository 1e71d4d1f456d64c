/* Remarks about virtual calls (doc/remarks-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_VIRTUAL_REMARKS_H
#define HEAPPROF_VIRTUAL_REMARKS_H

#include "remark-lines.h"
#include "virtual-tests.h"

/* A virtual call: its place in the source, and the functions that it was
   inlined into, innermost first, separated by blanks.  */
struct virtual_place
{
  remark_place source;
  const char *inlined_into;
  bool is_fitted; /* the source of the function has changed */
};

/* Start and finish the remarks of this unit or link.  */
void virtual_remarks_open (const char *path);
void virtual_remarks_close (void);

/* Report what became of TABLES, of which the profile has ALL, at the call at
   PLACE: in the remarks file, and as remarks of the compiler at LOCATION.  */
void virtual_remark (const virtual_place &place, location_t location,
		     const vec<promoted_table> &tables, uint64_t all);

#endif /* HEAPPROF_VIRTUAL_REMARKS_H */
