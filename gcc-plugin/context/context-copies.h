/* Which copy of an allocation call a context comes to.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_COPIES_H
#define HEAPPROF_CONTEXT_COPIES_H

/* Take contexts away from the allocations that they do not come to.  */
void context_copies_share_out (void);

#endif /* HEAPPROF_CONTEXT_COPIES_H */
