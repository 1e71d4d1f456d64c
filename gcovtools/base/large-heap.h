/* Preparing malloc for large inputs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_LARGE_HEAP_H
#define HEAPPROF_LARGE_HEAP_H

#include <stddef.h>

/* If the COUNT files PATHS have many bytes together, let malloc's memory be in
   huge pages, and keep what is released for the next table.  Later calls, once
   that was done, do nothing.  */
void large_heap_prepare (char *const *paths, size_t count);

#endif /* HEAPPROF_LARGE_HEAP_H */
