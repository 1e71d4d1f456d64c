/* Preparing malloc for large inputs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reading a profile of 150,000 contexts takes dozens of tables of some hundred
   KiB, each of which malloc would map, and unmap when it is freed: a page fault
   for every 4 KiB that are touched.  Tables of 4 MiB and more ask for huge
   pages themselves.  */

#include "large-heap.h"
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define MEBIBYTE ((size_t) 1 << 20)

/* For smaller inputs a huge page would cost more than it saves.  */
#define LEAST_INPUT MEBIBYTE

/* The heap's part in huge pages; what is not used takes no memory.  glibc does
   not allow more, less one MiB.  */
#define HEAP_BYTES (31 * MEBIBYTE)
#define HUGE_PAGE_BYTES (2 * MEBIBYTE)

/* Larger blocks are mapped.  */
#define LEAST_MAPPED (4 * MEBIBYTE)

/* Return the bytes of the COUNT files PATHS, without the zeros that make raw
   profiles longer but take no space.  */
static uint64_t
bytes_of (char *const *paths, size_t count)
{
  uint64_t bytes = 0;
  struct stat status;
  for (size_t i = 0; i < count; i++)
    if (stat (paths[i], &status) == 0 && S_ISREG (status.st_mode))
      {
	const uint64_t length = (uint64_t) status.st_size;
	const uint64_t stored = (uint64_t) status.st_blocks * 512;
	bytes += stored < length ? stored : length;
      }
  return bytes;
}

void
large_heap_prepare (char *const *paths, size_t count)
{
  static bool is_prepared;
  static void *volatile before;
  if (is_prepared || bytes_of (paths, count) < LEAST_INPUT)
    return;
  is_prepared = true;
  /* Threads that help to read a single file allocate little: better in the
     same memory than in a heap of their own, in small pages.  */
  if (count == 1)
    mallopt (M_ARENA_MAX, 1);
  /* The block is at the end of the heap, and the heap stays as large.  */
  mallopt (M_MMAP_THRESHOLD, HEAP_BYTES + MEBIBYTE);
  mallopt (M_TRIM_THRESHOLD, 2 * HEAP_BYTES);
  char *block = malloc (HEAP_BYTES);
  if (block != NULL)
    {
      uintptr_t start = ((uintptr_t) block + HUGE_PAGE_BYTES - 1)
			& -(uintptr_t) HUGE_PAGE_BYTES;
      uintptr_t end
	= ((uintptr_t) block + HEAP_BYTES) & -(uintptr_t) HUGE_PAGE_BYTES;
      /* Without huge pages everything works, only slower.  */
      (void) madvise ((void *) start, end - start, MADV_HUGEPAGE);
      const size_t skipped = start - (uintptr_t) block;
      free (block);
      /* What is before the first huge page stays unused, so it takes no memory
	 either.  GCC would leave out a call whose result is not used.  */
      before = malloc (skipped);
      (void) before;
    }
  mallopt (M_MMAP_THRESHOLD, LEAST_MAPPED);
}
