/* Why the contexts of an allocation could not be separated.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_REASON_H
#define HEAPPROF_CONTEXT_REASON_H

#include "call-facts.h"

/* Return why contexts of several classes still come to CALL of ALLOCATION,
   after context_clone: a short sentence without names, so that equal ones can
   be counted.  Lives until the pass ends.  */
const char *context_reason (const heap_allocation *allocation,
			    cgraph_edge *call);

#endif /* HEAPPROF_CONTEXT_REASON_H */
