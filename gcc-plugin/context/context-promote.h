/* Calls through pointers whose targets contexts tell.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_PROMOTE_H
#define HEAPPROF_CONTEXT_PROMOTE_H

#include "context-graph.h"

/* Give the calls through pointers that the unknown callers in FOUND are a
   direct call for the case that they call what the contexts say; FOUND does not
   have these.  */
void context_promote (const context_groups &found);

#endif /* HEAPPROF_CONTEXT_PROMOTE_H */
