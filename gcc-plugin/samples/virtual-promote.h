/* Direct calls of virtual functions, guarded by comparisons.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_VIRTUAL_PROMOTE_H
#define HEAPPROF_VIRTUAL_PROMOTE_H

#include "sample-places.h"

/* What was done about a virtual table at a call.  */
struct promoted_table
{
  uint64_t guid;
  const char *name;		 /* NULL if only the GUID is known */
  uint64_t count;		 /* from the profile */
  tree table;			 /* the variable; NULL if it is unknown */
  unsigned HOST_WIDE_INT offset; /* of pointers to the table, in it */
  tree target;			 /* the function called; NULL: none */
  const char *reason;		 /* why it was not promoted; NULL: it was */
  bool is_slot_test; /* compares the function's address, not the table's */
};

/* Give CALL, a virtual call in the current function, direct calls for the
   tables in SAMPLES, which are sorted by descending count.  Store what was done
   about each in *RESULT.  Return the number of comparisons added.  */
unsigned virtual_promote (gcall *call, const vec<sample_table> &samples,
			  vec<promoted_table> *result);

#endif /* HEAPPROF_VIRTUAL_PROMOTE_H */
