/* Remarks: what became of each allocation call that the heap profile knows
   (doc/remarks-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later

   They are kept until the compiler is done, and go to the file that the user
   named, if any; -fopt-info has those of calls.  */

#ifndef HEAPPROF_USE_REMARKS_H
#define HEAPPROF_USE_REMARKS_H

#include "call-facts.h"

/* Have the remarks written in the end.  */
void use_remarks_start (const char *plugin_name);

/* The calls of ALLOCATION have got their hints; the graph of contexts is still
   there.  */
void use_remark_allocation (const heap_allocation *allocation);

/* CALL, of which the profile says USE, gets no hint: the user wants none, or
   there is no form with one.  */
void use_remark_unwanted (cgraph_edge *call, const use_call &use);

/* The profile has MIBS, a list as use_call_mibs has them, at LINE and COLUMN of
   the function DECL; but there is no call.  */
void use_remark_stale (tree decl, unsigned line, unsigned column, tree mibs);

#endif /* HEAPPROF_USE_REMARKS_H */
