/* The program's malloc and calloc, without this library's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The shared library replaces both to follow context tokens; allocations with a
   hint of their own must not.  A static program has the C library's.  */

#ifndef HEAPPROF_PLAIN_MALLOC_H
#define HEAPPROF_PLAIN_MALLOC_H

#include "hint-kind.h"
#include <stddef.h>
#include <stdlib.h>

#ifdef PIC
extern void *(*hint_plain_malloc) (size_t size) HINT_PRIVATE;
extern void *(*hint_plain_calloc) (size_t count, size_t size) HINT_PRIVATE;
#else
#define hint_plain_malloc malloc
#define hint_plain_calloc calloc
#endif

#endif /* HEAPPROF_PLAIN_MALLOC_H */
