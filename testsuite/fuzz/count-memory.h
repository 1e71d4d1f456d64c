/* Count allocations, and make an allocation fail.
   SPDX-License-Identifier: GPL-3.0-or-later

   The program must be linked with --wrap for malloc, calloc, realloc and free;
   internal allocations of shared libraries are not counted.  */

#ifndef HEAPPROF_COUNT_MEMORY_H
#define HEAPPROF_COUNT_MEMORY_H

#include <stddef.h>

/* Return the number of bytes that are allocated now.  */
size_t count_memory_live (void);

/* Start recording the most bytes allocated at one time; stop recording; return
   that number, minus the bytes that were allocated at the start.  */
void count_memory_begin (void);
void count_memory_stop (void);
size_t count_memory_peak (void);

/* Make allocation number N from here on fail, counted from 0; none if N is
   SIZE_MAX.  Return the number of allocations since then.  */
void count_memory_fail (size_t n);
size_t count_memory_allocations (void);

#endif /* HEAPPROF_COUNT_MEMORY_H */
