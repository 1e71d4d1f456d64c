/* The functions that must know blocks of the pools.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libheaphint replaces free, realloc and malloc_usable_size, with their
   relatives; whatever is not of a pool goes on to the next definition, which
   is the C library's or another allocator's.  */

#ifndef HEAPPROF_INTERCEPT_H
#define HEAPPROF_INTERCEPT_H

#include <stdbool.h>

/* This thread called this library's free with a null pointer since the flag
   was cleared.  Noticed only until a range was asked for.  */
extern __thread bool hint_free_saw_null;

#endif /* HEAPPROF_INTERCEPT_H */
