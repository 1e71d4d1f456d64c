/* Search for allocator wrappers in the contexts of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is found to be a wrapper if all that is allocated below it is
   allocated by malloc or by other wrappers, on few lines, and

   - its name says that it allocates or duplicates, and it is called from more
     than one line; or
   - many functions call it, for blocks of different sizes; or
   - only such wrappers call it, or known ones whose names say that they
     allocate: it is a part of them, or the allocator that they were given.

   A function that makes one kind of object has blocks of one size, and stays a
   site.  Wrappers of wrappers are found in turn.  */

#ifndef HEAPPROF_WRAPPER_SEARCH_H
#define HEAPPROF_WRAPPER_SEARCH_H

#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* A wrapper allocates on at most so many lines.  If its name does not say what
   it does, one line allocates for so many functions, in so many sizes: two
   would be a structure and its buffer.  */
#define WRAPPER_MOST_LINES 4
#define WRAPPER_LEAST_CALLERS 8
#define WRAPPER_LEAST_SIZES 3

/* Set KINDS, by frame of PROFILE, to WRAPPER_FOUND for functions that are none
   so far, but are found to be wrappers.  Return false if memory is exhausted.
 */
bool wrapper_search (const struct heap_profile *profile, uint8_t *kinds);

#endif /* HEAPPROF_WRAPPER_SEARCH_H */
