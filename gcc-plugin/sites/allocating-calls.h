/* Which calls may lead to an allocation.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ALLOCATING_CALLS_H
#define HEAPPROF_ALLOCATING_CALLS_H

/* Find out which functions of this unit allocate nothing, whatever they call.
   To be called when the call graph is final and no function is compiled
   yet.  */
void allocating_calls_find (void);

/* True if a call of CALLEE, NULL if it is unknown, may allocate, or call
   something that does.  */
bool may_allocate_p (const_tree callee);

#endif /* HEAPPROF_ALLOCATING_CALLS_H */
