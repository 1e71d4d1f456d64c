/* Count allocations, and make an allocation fail.
   SPDX-License-Identifier: GPL-3.0-or-later

   The program must be linked with --wrap for malloc, calloc, realloc and free;
   internal allocations of shared libraries are not counted.  */

#ifndef HEAPPROF_COUNT_MEMORY_H
#define HEAPPROF_COUNT_MEMORY_H

#include <stddef.h>

/* Bytes that are allocated now.  */
size_t count_memory_live (void);

/* From here on note the most that is allocated at one time, until
   count_memory_stop; and that, beyond what was allocated here.  */
void count_memory_begin (void);
void count_memory_stop (void);
size_t count_memory_peak (void);

/* Let allocation number N from here on fail, the first being 0; SIZE_MAX: none.
   And how many there were since.  */
void count_memory_fail (size_t n);
size_t count_memory_allocations (void);

#endif /* HEAPPROF_COUNT_MEMORY_H */
