/* Separation of allocation contexts by cloning functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_CLONE_H
#define HEAPPROF_CONTEXT_CLONE_H

/* Clone functions so that each class of contexts has its own calls of the
   allocation function, and give these calls their hints.  The graph of contexts
   exists before and after.  */
void context_clone (void);

#endif /* HEAPPROF_CONTEXT_CLONE_H */
