/* Memory in large pieces.
   SPDX-License-Identifier: GPL-3.0-or-later

   Tables of millions of contexts are read and written all over.  In pages of
   2 MiB they cost a hundredth of the page faults, and far fewer misses of the
   processor's table of pages.  Small pieces come from malloc.  */

#ifndef HEAPPROF_LARGE_MEMORY_H
#define HEAPPROF_LARGE_MEMORY_H

#include <stddef.h>

/* N zeroed bytes; NULL if memory cannot be had.  */
void *large_memory_allocate (size_t n);

/* Release them; NULL is nothing.  N is as above.  */
void large_memory_free (void *memory, size_t n);

/* Let the N bytes at MEMORY, which are malloc's and nobody has touched, be in
   large pages where these lie wholly in them.  */
void large_memory_advise (void *memory, size_t n);

/* calloc and that.  */
void *large_memory_array (size_t count, size_t bytes);

/* Give back the pages that lie wholly in the N bytes at MEMORY, which nobody
   will read again, while what they are a part of stays allocated.  */
void large_memory_forget (void *memory, size_t n);

#endif /* HEAPPROF_LARGE_MEMORY_H */
