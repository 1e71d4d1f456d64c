/* The C allocation functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All are weak, so that a program that brings its own malloc still links.
   Each passes its own frame address on: the return address in that frame is
   the innermost one of the calling context.  */

#include "abi-symbols.h"
#include "arena.h"
#include "profile.h"
#include "replaced.h"
#include "sys.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#define ENTRY RT_PUBLIC __attribute__ ((weak))
#define FRAME __builtin_frame_address (0)

/* C23; not declared by older C libraries.  */
ENTRY void free_sized (void *data, size_t size);
ENTRY void free_aligned_sized (void *data, size_t alignment, size_t size);

static void *
or_no_memory (void *data)
{
  if (data == NULL)
    errno = ENOMEM;
  return data;
}

static bool
is_power_of_two (size_t value)
{
  return value != 0 && (value & (value - 1)) == 0;
}

ENTRY void *
malloc (size_t size)
{
  return or_no_memory (rt_allocate (size, RT_BLOCK_ALIGNMENT, false, FRAME));
}
RT_OWN (malloc);

ENTRY void *
calloc (size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes))
    return or_no_memory (NULL);
  return or_no_memory (rt_allocate (bytes, RT_BLOCK_ALIGNMENT, true, FRAME));
}

static void *
reallocate (void *data, size_t size, const void *frame)
{
  if (data == NULL)
    return or_no_memory (rt_allocate (size, RT_BLOCK_ALIGNMENT, false,
				      frame));
  if (size == 0)
    {
      /* As the C library does it.  */
      rt_release (data);
      return NULL;
    }
  return or_no_memory (rt_resize (data, size, frame));
}

ENTRY void *
realloc (void *data, size_t size)
{
  return reallocate (data, size, FRAME);
}

ENTRY void *
reallocarray (void *data, size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes))
    return or_no_memory (NULL);
  return reallocate (data, bytes, FRAME);
}

ENTRY void
free (void *data)
{
  if (data != NULL)
    rt_release (data);
}

ENTRY void
free_sized (void *data, size_t size)
{
  (void) size;
  if (data != NULL)
    rt_release (data);
}

ENTRY void
free_aligned_sized (void *data, size_t alignment, size_t size)
{
  (void) alignment;
  (void) size;
  if (data != NULL)
    rt_release (data);
}

/* An alignment that is no power of two is rounded up, as the C library
   does.  */

static void *
allocate_aligned (size_t alignment, size_t size, const void *frame)
{
  size_t power = RT_BLOCK_ALIGNMENT;
  while (power < alignment && power <= SIZE_MAX / 4)
    power *= 2;
  return or_no_memory (rt_allocate (size, power, false, frame));
}

ENTRY void *
memalign (size_t alignment, size_t size)
{
  return allocate_aligned (alignment, size, FRAME);
}

ENTRY void *
aligned_alloc (size_t alignment, size_t size)
{
  return allocate_aligned (alignment, size, FRAME);
}

ENTRY int
posix_memalign (void **result, size_t alignment, size_t size)
{
  if (alignment % sizeof (void *) != 0 || !is_power_of_two (alignment))
    return EINVAL;
  const size_t enough
    = alignment < RT_BLOCK_ALIGNMENT ? RT_BLOCK_ALIGNMENT : alignment;
  void *const data = rt_allocate (size, enough, false, FRAME);
  if (data == NULL)
    return ENOMEM;
  *result = data;
  return 0;
}

ENTRY void *
valloc (size_t size)
{
  return or_no_memory (rt_allocate (size, SYS_PAGE_BYTES, false, FRAME));
}

ENTRY void *
pvalloc (size_t size)
{
  const size_t page = SYS_PAGE_BYTES;
  size_t rounded;
  if (__builtin_add_overflow (size, page - 1, &rounded))
    return or_no_memory (NULL);
  return or_no_memory (rt_allocate (rounded / page * page, page, false,
				    FRAME));
}

/* What was asked for, not what the slot has: bytes beyond it are in granules
   that are not counted as the block's.  */

ENTRY size_t
malloc_usable_size (void *data)
{
  return data == NULL ? 0 : rt_requested_bytes (data);
}

/* The C library's own versions of these would start a second heap.  */

ENTRY struct mallinfo2
mallinfo2 (void)
{
  const size_t mapped = rt_arena_mapped_bytes ();
  return (struct mallinfo2) { .arena = mapped, .uordblks = mapped };
}

ENTRY struct mallinfo
mallinfo (void)
{
  const size_t mapped = rt_arena_mapped_bytes ();
  const int shown = mapped < INT32_MAX ? (int) mapped : INT32_MAX;
  return (struct mallinfo) { .arena = shown, .uordblks = shown };
}

ENTRY int
mallopt (int parameter, int value)
{
  (void) parameter;
  (void) value;
  return 1;
}

ENTRY int
malloc_trim (size_t padding)
{
  (void) padding;
  return 0;
}

ENTRY void
malloc_stats (void)
{
}

ENTRY int
malloc_info (int options, FILE *stream)
{
  (void) options;
  (void) stream;
  errno = ENOSYS;
  return -1;
}
