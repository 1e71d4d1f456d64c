/* Telling the contexts of allocations apart by cloning functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_CLONE_H
#define HEAPPROF_CONTEXT_CLONE_H

/* Clone functions so that each class of contexts has its own calls of the
   allocation function, and give the calls their hints.  The graph of contexts
   is there, before and after.  */
void context_clone (void);

#endif /* HEAPPROF_CONTEXT_CLONE_H */
