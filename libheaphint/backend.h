/* The interface of backends: our own pools or another allocator.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_BACKEND_H
#define HEAPPROF_BACKEND_H

#include "hint-kind.h"
#include <stdbool.h>

struct hint_backend
{
  const char *name;

  /* Return memory of POOL for SIZE bytes, possibly 0, aligned to ALIGNMENT, a
     power of two; 1 means malloc's alignment.  If ZEROED, the memory is all
     zero.  Return NULL if there is none.  The program's free and realloc accept
     the block.  */
  void *(*allocate) (unsigned pool, size_t size, size_t alignment, bool zeroed);

  /* Move DATA, from any allocation function, to memory of POOL with SIZE bytes,
     more than 0.  Return NULL, leaving DATA unchanged, if there is none.  */
  void *(*reallocate) (unsigned pool, void *data, size_t size);
};

/* Request just malloc's alignment.  This is not the same as 16: jemalloc has
   smaller blocks, and sized operator delete relies on them.  */
#define HINT_ALIGNMENT 1u

#endif /* HEAPPROF_BACKEND_H */
