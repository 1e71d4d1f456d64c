/* Remarks about each allocation call that the heap profile knows
   (doc/remarks-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later

   They are buffered until the compilation ends, and then written to the file
   that the user named, if any.  -fopt-info prints those about calls.  */

#ifndef HEAPPROF_USE_REMARKS_H
#define HEAPPROF_USE_REMARKS_H

#include "call-facts.h"

/* Write the remarks at the end of the compilation.  */
void use_remarks_start (const char *plugin_name);

/* Write remarks about the calls of ALLOCATION, which have their hints.  The
   graph of contexts still exists.  */
void use_remark_allocation (const heap_allocation *allocation);

/* Write a remark about CALL, with the profile data USE, which gets no hint
   because the user disabled it, or because its allocator has no hinted
   form.  */
void use_remark_unwanted (cgraph_edge *call, const use_call &use);

/* Write a remark about MIBS, a list as in use_call_mibs, which the profile has
   at LINE and COLUMN of the function DECL, where there is no call.  */
void use_remark_stale (tree decl, unsigned line, unsigned column, tree mibs);

/* Report CALL with USE, which allocates, but calls malloc through a pointer or
   in a library.  */
void use_remark_unseen (cgraph_edge *call, const use_call &use);

/* Count a call of this unit that sets a context token.  */
void use_remark_token (void);

#endif /* HEAPPROF_USE_REMARKS_H */
