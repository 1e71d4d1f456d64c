/* Arrays that grow.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GROWING_ARRAY_H
#define HEAPPROF_GROWING_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Make room for COUNT more elements of BYTES bytes in the malloced array that
   ARRAY points at, which has USED elements and room for *CAPACITY; the caller
   frees it.  Return false, and leave it as it was, if memory is exhausted.  */
bool growing_array_reserve (void *array, size_t used, size_t *capacity,
			    size_t count, size_t bytes);

#endif /* HEAPPROF_GROWING_ARRAY_H */
