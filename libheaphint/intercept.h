/* The functions that must know blocks of the pools.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libheaphint replaces free, realloc and malloc_usable_size, with their
   relatives; whatever is not of a pool goes on to the next definition, which
   is the C library's or another allocator's.  */

#ifndef HEAPPROF_INTERCEPT_H
#define HEAPPROF_INTERCEPT_H

#include <stdbool.h>

/* Is FUNCTION this library's free, or what --wrap=free makes of it?  */
bool hint_is_own_free (const void *function);

/* Is what --wrap=free leaves the C library's free?  The object that defines
   another one does not come here.  */
bool hint_wraps_library (void);

#endif /* HEAPPROF_INTERCEPT_H */
