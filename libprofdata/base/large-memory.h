/* Large memory blocks in huge pages.
   SPDX-License-Identifier: GPL-3.0-or-later

   Tables of millions of contexts are accessed at random.  Pages of 2 MiB need a
   hundredth of the page faults and cause far fewer TLB misses.  Small blocks
   come from malloc.  */

#ifndef HEAPPROF_LARGE_MEMORY_H
#define HEAPPROF_LARGE_MEMORY_H

#include <stddef.h>

/* Return N zeroed bytes; NULL if memory is exhausted.  */
void *large_memory_allocate (size_t n);

/* Free MEMORY, N bytes from large_memory_allocate; NULL is ignored.  */
void large_memory_free (void *memory, size_t n);

/* Use huge pages for the N bytes at MEMORY, which are malloced and not yet
   touched, where a huge page fits in them.  */
void large_memory_advise (void *memory, size_t n);

/* calloc for COUNT elements of BYTES each, in huge pages if they are many.  */
void *large_memory_array (size_t count, size_t bytes);

/* Return room for N bytes, not zeroed, from malloc; a large block begins and
   ends with whole huge pages.  NULL if memory is exhausted.  Free it with free.
 */
void *large_memory_room (size_t n);

/* realloc ROOM, which is from malloc or large_memory_room, or NULL, to N bytes,
   of which the first USED are kept.  If N is large, use huge pages.  */
void *large_memory_resize (void *room, size_t used, size_t n);

/* Get from the system the pages that lie completely in the N bytes at MEMORY,
   if it can: accessing them causes no page faults then.  Other threads may use
   the memory meanwhile.  */
void large_memory_populate (void *memory, size_t n);

/* Return to the system the pages that lie completely in the N bytes at MEMORY.
   Their content is lost; the block stays allocated.  */
void large_memory_forget (void *memory, size_t n);

#endif /* HEAPPROF_LARGE_MEMORY_H */
