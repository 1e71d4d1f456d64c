/* Calls that may throw, from C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_CATCH_H
#define HEAPPROF_CATCH_H

#include <stddef.h>

/* Return FUNCTION (SIZE, ALIGNMENT, FRAME); NULL if it throws.  The exception
   is destroyed.  FUNCTION may have fewer parameters.  */
void *rt_call_catching (void *(*function) (size_t, size_t, const void *),
			size_t size, size_t alignment, const void *frame)
  __attribute__ ((visibility ("hidden")));

#endif /* HEAPPROF_CATCH_H */
