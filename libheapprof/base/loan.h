/* Memory for the time of a call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   It comes from the kernel, or, if that gives none, from a small reserve: a
   program that has as many mappings as it may can still complete its profile.
   For one thread at a time.  */

#ifndef HEAPPROF_LOAN_H
#define HEAPPROF_LOAN_H

#include <stddef.h>

/* BYTES bytes of zero, or NULL.  */
void *rt_borrow (size_t bytes);

/* Give back what rt_borrow returned for BYTES bytes; may be NULL.  */
void rt_give_back (void *memory, size_t bytes);

#endif /* HEAPPROF_LOAN_H */
