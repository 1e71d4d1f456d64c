/* Functions that must recognize pool blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libheaphint replaces free, realloc, malloc_usable_size and related functions;
   they pass blocks that are not in a pool on to the next definition, which is
   the C library's or another allocator's.  */

#ifndef HEAPPROF_INTERCEPT_H
#define HEAPPROF_INTERCEPT_H

#include "hint-kind.h"
#include <stdbool.h>

/* True once it is known that no block comes from hints, so that realloc need
   not look where blocks belong.  */
extern bool hint_are_ignored HINT_PRIVATE;

/* True if FUNCTION is this library's free, or the function that calls of free
   become with --wrap=free.  */
bool hint_is_own_free (const void *function);

/* True if the original free under --wrap=free is the C library's.  The object
   of any other definition is not linked.  */
bool hint_wraps_library (void);

/* True if a call of malloc_usable_size for a pool's block arrives in this
   library, not in a function that valgrind executes instead; this also applies
   to free.  The pools must be in use.  */
bool hint_intercepts_calls (void);

/* Find the next definitions now, before names lead elsewhere.  */
void hint_find_next (void);

/* Release DATA, which is in no pool, by the next definition of free.  */
void hint_pass_on (void *data);

#endif /* HEAPPROF_INTERCEPT_H */
