/* Temporary memory for one call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   It comes from the kernel or, if that has none, from a small reserve, so that
   a program at its limit of mappings can still complete its profile.  For one
   thread at a time.  */

#ifndef HEAPPROF_LOAN_H
#define HEAPPROF_LOAN_H

#include <stddef.h>

/* Return BYTES zero bytes, or NULL.  */
void *rt_borrow (size_t bytes);

/* Return memory that rt_borrow returned for BYTES bytes; may be NULL.  */
void rt_give_back (void *memory, size_t bytes);

#endif /* HEAPPROF_LOAN_H */
