/* Promotion of calls through pointers whose targets are known from contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_PROMOTE_H
#define HEAPPROF_CONTEXT_PROMOTE_H

#include "context-graph.h"

/* For each unknown caller in FOUND that may be a call through a pointer, add a
   direct call of the function that the contexts show as its target.  FOUND does
   not get the new calls.  */
void context_promote (const context_groups &found);

#endif /* HEAPPROF_CONTEXT_PROMOTE_H */
