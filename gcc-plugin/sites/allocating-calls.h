/* Calls that may lead to an allocation.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ALLOCATING_CALLS_H
#define HEAPPROF_ALLOCATING_CALLS_H

/* Find the functions of this unit that allocate nothing, neither directly nor
   through calls.  Call it when the call graph is final and before any function
   is compiled.  */
void allocating_calls_find (void);

/* True if a call of CALLEE may lead to an allocation.  CALLEE is NULL if
   unknown.  */
bool may_allocate_p (const_tree callee);

#endif /* HEAPPROF_ALLOCATING_CALLS_H */
