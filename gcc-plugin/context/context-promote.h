/* Promotion of calls through pointers whose targets are known from contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_PROMOTE_H
#define HEAPPROF_CONTEXT_PROMOTE_H

#include "context-graph.h"

/* Give the calls through pointers that are the unknown callers in FOUND a
   direct call for each target in the contexts.  FOUND does not get the direct
   calls.  */
void context_promote (const context_groups &found);

#endif /* HEAPPROF_CONTEXT_PROMOTE_H */
