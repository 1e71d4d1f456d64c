/* Assignment of contexts to the copies of an allocation call.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_COPIES_H
#define HEAPPROF_CONTEXT_COPIES_H

/* Remove from allocations the contexts that belong to other copies of the call,
   or mark them as spare if they would be left without any.  */
void context_copies_share_out (void);

#endif /* HEAPPROF_CONTEXT_COPIES_H */
