/* The C allocation functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All are weak in executables, so that a program with its own malloc still
   links.  Each has a second name, which is not weak: then valgrind replaces all
   of them, or none.  Each passes on its own frame address: the return address
   in that frame is the innermost one of the calling context.  */

#include "abi-symbols.h"
#include "arena.h"
#include "frame.h"
#include "next.h"
#include "observe.h"
#include "replaced.h"
#include "route.h"
#include "sample.h"
#include "sampling.h"
#include "sys.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#define FRAME MACHINE_FRAME

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

RT_ROUTED (void *, malloc, (size_t size), malloc, rt_sample_malloc)
RT_OWN (malloc);

void *
rt_exact_malloc (size_t size)
{
  return or_no_memory (rt_allocate_usual (size, FRAME));
}

RT_ROUTED (void *, calloc, (size_t count, size_t size), calloc,
	   rt_sample_calloc)
RT_SECOND_NAME (calloc);

void *
rt_exact_calloc (size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes))
    return or_no_memory (NULL);
  return or_no_memory (rt_memory.allocate (bytes, RT_LEAST_ALIGNMENT, true,
					   FRAME));
}

static void *
reallocate (void *data, size_t size, const void *frame)
{
  if (data == NULL)
    return or_no_memory (rt_memory.allocate (size, RT_LEAST_ALIGNMENT, false,
					     frame));
  if (size == 0)
    {
      /* As in the C library.  */
      rt_memory.release (data);
      return NULL;
    }
  return or_no_memory (rt_memory.resize (data, size, frame));
}

RT_ROUTED (void *, realloc, (void *data, size_t size), realloc,
	   rt_sample_realloc)
RT_SECOND_NAME (realloc);

void *
rt_exact_realloc (void *data, size_t size)
{
  return reallocate (data, size, FRAME);
}

RT_ROUTED (void *, reallocarray, (void *data, size_t count, size_t size),
	   reallocarray, rt_exact_reallocarray)

void *
rt_exact_reallocarray (void *data, size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes))
    return or_no_memory (NULL);
  if (rt_malloc_is_foreign ())
    return realloc (data, bytes);
  return reallocate (data, bytes, FRAME);
}

RT_ROUTED (void, free, (void *data), free, rt_sample_free)
RT_SECOND_NAME (free);

void
rt_exact_free (void *data)
{
  if (data != NULL)
    rt_release (data);
}

RT_ROUTED (void, free_sized, (void *data, size_t size), free, rt_sample_free)

void
rt_exact_free_sized (void *data, size_t size)
{
  (void) size;
  if (rt_malloc_is_foreign ())
    free (data);
  else if (data != NULL)
    rt_memory.release (data);
}

RT_ROUTED (void, free_aligned_sized,
	   (void *data, size_t alignment, size_t size), free, rt_sample_free)

void
rt_exact_free_aligned_sized (void *data, size_t alignment, size_t size)
{
  (void) alignment;
  (void) size;
  if (rt_malloc_is_foreign ())
    free (data);
  else if (data != NULL)
    rt_memory.release (data);
}

/* An alignment that is not a power of two is rounded up, as in the C
   library.  */

static void *
allocate_aligned (size_t alignment, size_t size, const void *frame)
{
  size_t power = RT_LEAST_ALIGNMENT;
  while (power < alignment && power <= SIZE_MAX / 4)
    power *= 2;
  return or_no_memory (rt_memory.allocate (size, power, false, frame));
}

RT_ROUTED (void *, memalign, (size_t alignment, size_t size), memalign,
	   rt_exact_memalign)
RT_SECOND_NAME (memalign);

void *
rt_exact_memalign (size_t alignment, size_t size)
{
  return allocate_aligned (alignment, size, FRAME);
}

RT_ROUTED (void *, aligned_alloc, (size_t alignment, size_t size),
	   aligned_alloc, rt_exact_aligned_alloc)
RT_SECOND_NAME (aligned_alloc);

void *
rt_exact_aligned_alloc (size_t alignment, size_t size)
{
  return allocate_aligned (alignment, size, FRAME);
}

RT_ROUTED (int, posix_memalign, (void **result, size_t alignment, size_t size),
	   posix_memalign, rt_exact_posix_memalign)
RT_SECOND_NAME (posix_memalign);

int
rt_exact_posix_memalign (void **result, size_t alignment, size_t size)
{
  if (alignment % sizeof (void *) != 0 || !is_power_of_two (alignment))
    return EINVAL;
  const size_t enough
    = alignment < RT_LEAST_ALIGNMENT ? RT_LEAST_ALIGNMENT : alignment;
  void *const data = rt_memory.allocate (size, enough, false, FRAME);
  if (data == NULL)
    return ENOMEM;
  *result = data;
  return 0;
}

RT_ROUTED (void *, valloc, (size_t size), valloc, rt_exact_valloc)
RT_SECOND_NAME (valloc);

void *
rt_exact_valloc (size_t size)
{
  return or_no_memory (rt_memory.allocate (size, sys_page_bytes (), false,
					   FRAME));
}

RT_ROUTED (void *, pvalloc, (size_t size), pvalloc, rt_exact_pvalloc)

void *
rt_exact_pvalloc (size_t size)
{
  const size_t page = sys_page_bytes ();
  size_t rounded;
  if (__builtin_add_overflow (size, page - 1, &rounded))
    return or_no_memory (NULL);
  if (rt_malloc_is_foreign ())
    return memalign (page, rounded / page * page);
  return or_no_memory (rt_memory.allocate (rounded / page * page, page, false,
					   FRAME));
}

/* Return the requested size, not the slot's: bytes beyond it are in granules
   that are not counted as the block's.  */

RT_ROUTED (size_t, malloc_usable_size, (void *data), malloc_usable_size,
	   rt_sample_malloc_usable_size)
RT_SECOND_NAME (malloc_usable_size);

size_t
rt_exact_malloc_usable_size (void *data)
{
  return data == NULL ? 0 : rt_memory.usable_size (data);
}

/* The C library's own versions of these would start a second heap.  */

/* Missing before glibc 2.33: the next allocator must have all routed
   functions.  */
#if !defined __GLIBC__ || __GLIBC_PREREQ(2, 33)

RT_ROUTED (struct mallinfo2, mallinfo2, (void), mallinfo2, 0)

struct mallinfo2
rt_exact_mallinfo2 (void)
{
  const size_t mapped = rt_arena_mapped_bytes ();
  return (struct mallinfo2){ .arena = mapped, .uordblks = mapped };
}

#endif

RT_ROUTED (struct mallinfo, mallinfo, (void), mallinfo, 0)
RT_SECOND_NAME (mallinfo);

struct mallinfo
rt_exact_mallinfo (void)
{
  const size_t mapped = rt_arena_mapped_bytes ();
  const int shown = mapped < INT32_MAX ? (int) mapped : INT32_MAX;
  return (struct mallinfo){ .arena = shown, .uordblks = shown };
}

RT_ROUTED (int, malloc_trim, (size_t padding), malloc_trim, 0)
RT_SECOND_NAME (malloc_trim);

int
rt_exact_malloc_trim (size_t padding)
{
  (void) padding;
  bool some = false;
  struct rt_thread *const thread = rt_enter ();
  if (thread != NULL)
    some = rt_arena_trim (&thread->caches);
  rt_leave ();
  return some;
}

RT_ROUTED (void, malloc_stats, (void), malloc_stats, 0)
RT_SECOND_NAME (malloc_stats);

void
rt_exact_malloc_stats (void)
{}

RT_ROUTED (int, malloc_info, (int options, FILE *stream), malloc_info, 0)

int
rt_exact_malloc_info (int options, FILE *stream)
{
  (void) options;
  (void) stream;
  errno = ENOSYS;
  return -1;
}
