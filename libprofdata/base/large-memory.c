/* Large memory blocks in huge pages.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "large-memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE_BYTES (UINT64_C (2) << 20)
#define PAGE_BYTES 4096

/* Smaller blocks come from malloc; room for less is not aligned.  */
#define LEAST_BYTES (2 * LARGE_PAGE_BYTES)
#define LEAST_ROOM LARGE_PAGE_BYTES

static size_t
round_up (size_t n)
{
  return (n + LARGE_PAGE_BYTES - 1) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
}

void *
large_memory_allocate (size_t n)
{
  if (n < LEAST_BYTES || n > SIZE_MAX / 2)
    return calloc (1, n);
  /* One page more; the parts before and after the aligned range are
     unmapped.  */
  size_t bytes = round_up (n);
  size_t mapped = bytes + LARGE_PAGE_BYTES;
  char *start = mmap (NULL, mapped, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    return NULL;
  size_t before = -(uintptr_t) start % LARGE_PAGE_BYTES;
  if (before > 0)
    munmap (start, before);
  if (before < LARGE_PAGE_BYTES)
    munmap (start + before + bytes, LARGE_PAGE_BYTES - before);
  /* Without huge pages everything works, only slower.  */
  (void) madvise (start + before, bytes, MADV_HUGEPAGE);
  return start + before;
}

void
large_memory_free (void *memory, size_t n)
{
  if (!memory)
    return;
  if (n < LEAST_BYTES || n > SIZE_MAX / 2)
    free (memory);
  else
    munmap (memory, round_up (n));
}

void
large_memory_advise (void *memory, size_t n)
{
  if (n < LEAST_BYTES)
    return;
  uintptr_t start = round_up ((uintptr_t) memory);
  uintptr_t end = ((uintptr_t) memory + n) & -LARGE_PAGE_BYTES;
  if (start < end)
    (void) madvise ((void *) start, end - start, MADV_HUGEPAGE);
}

void *
large_memory_room (size_t n)
{
  if (n < LEAST_ROOM || n > SIZE_MAX / 2)
    return malloc (n);
  const size_t bytes = round_up (n);
  void *room = aligned_alloc (LARGE_PAGE_BYTES, bytes);
  if (room)
    (void) madvise (room, bytes, MADV_HUGEPAGE);
  return room;
}

void *
large_memory_array (size_t count, size_t bytes)
{
  if (bytes == 0 || count < LEAST_BYTES / bytes || count > SIZE_MAX / 2 / bytes)
    return calloc (count, bytes);
  void *array = large_memory_room (count * bytes);
  if (array)
    memset (array, 0, count * bytes);
  return array;
}

/* If there is little in it, it is copied to whole huge pages.  */

void *
large_memory_resize (void *room, size_t used, size_t n)
{
  if (n < LEAST_BYTES || used > n / 4)
    {
      char *larger = realloc (room, n);
      if (larger)
	large_memory_advise (larger + used, n - used);
      return larger;
    }
  void *whole = large_memory_room (n);
  if (whole && used > 0)
    memcpy (whole, room, used);
  if (whole)
    free (room);
  return whole;
}

void
large_memory_populate (void *memory, size_t n)
{
#ifdef MADV_POPULATE_WRITE
  uintptr_t start = ((uintptr_t) memory + PAGE_BYTES - 1) & -PAGE_BYTES;
  uintptr_t end = ((uintptr_t) memory + n) & -PAGE_BYTES;
  /* Linux before 5.14 cannot.  */
  if (start < end)
    (void) madvise ((void *) start, end - start, MADV_POPULATE_WRITE);
#else
  (void) memory;
  (void) n;
#endif
}

void
large_memory_forget (void *memory, size_t n)
{
  uintptr_t start = ((uintptr_t) memory + PAGE_BYTES - 1) & -PAGE_BYTES;
  uintptr_t end = ((uintptr_t) memory + n) & -PAGE_BYTES;
  if (start < end)
    (void) madvise ((void *) start, end - start, MADV_DONTNEED);
}
