/* Growing arrays of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_ARRAY_H
#define HEAPPROF_MIP_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Make room for COUNT more elements of BYTES bytes in the malloced array that
   ARRAY points at, which has USED elements and room for *CAPACITY.  Return
   false if memory is exhausted.  */
bool mip_array_reserve (void *array, size_t used, size_t *capacity,
			size_t count, size_t bytes);

#endif /* HEAPPROF_MIP_ARRAY_H */
