/* Direct calls of virtual functions behind a comparison.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_VIRTUAL_PROMOTE_H
#define HEAPPROF_VIRTUAL_PROMOTE_H

#include "sample-places.h"

/* What became of a virtual table at a call.  */
struct promoted_table
{
  uint64_t guid;
  const char *name;		 /* NULL if only the GUID is known */
  uint64_t count;		 /* from the profile */
  tree table;			 /* the variable; NULL if it is unknown */
  unsigned HOST_WIDE_INT offset; /* that pointers have in it */
  tree target;			 /* the function called; NULL: none */
  const char *reason;		 /* not to call that directly; NULL: it is */
  bool is_slot_test; /* by the function's address, not the table's */
};

/* Give CALL, a virtual one in the current function, direct ones for the tables
   in SAMPLES, by falling count.  *RESULT says what became of each.  The number
   of comparisons made.  */
unsigned virtual_promote (gcall *call, const vec<sample_table> &samples,
			  vec<promoted_table> *result);

#endif /* HEAPPROF_VIRTUAL_PROMOTE_H */
