/* What stands behind the hints: pools of our own or another allocator.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_BACKEND_H
#define HEAPPROF_BACKEND_H

#include "hint-kind.h"
#include <stdbool.h>

struct hint_backend
{
  const char *name;

  /* Memory of KIND for SIZE bytes, 0 included, at a multiple of ALIGNMENT, a
     power of two, as 1 with the alignment of malloc; with ZEROED, its bytes
     are 0.  NULL if there is none.  The program's free and realloc take it.  */
  void *(*allocate) (enum hint_kind kind, size_t size, size_t alignment,
		     bool zeroed);

  /* Move DATA, from any allocation function, to memory of KIND with SIZE
     bytes, more than 0.  NULL if there is none; DATA stays then.  */
  void *(*reallocate) (enum hint_kind kind, void *data, size_t size);
};

/* Nothing but malloc's alignment was asked for.  That is not the same as 16:
   jemalloc has smaller blocks, and a sized operator delete counts on them.  */
#define HINT_ALIGNMENT 1u

#endif /* HEAPPROF_BACKEND_H */
