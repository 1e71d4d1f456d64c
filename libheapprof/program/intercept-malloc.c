/* The C allocation functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All are weak in executables, so that a program with its own malloc still
   links.  Each has a second name, which is not weak: then valgrind replaces all
   of them, or none.  Each passes on its own frame address: the return address
   in that frame is the innermost one of the calling context.  */

#include "abi-symbols.h"
#include "arena.h"
#include "observe.h"
#include "replaced.h"
#include "sys.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#define ENTRY RT_ENTRY
#define FRAME __builtin_frame_address (0)

/* Like RT_OWN, without a declaration, as it is never called.  */
#define SECOND_NAME(name)                                                      \
  __asm__(".globl rt_own_" #name "\n"                                          \
	  ".hidden rt_own_" #name "\n"                                         \
	  ".set rt_own_" #name ", " #name "\n")

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
SECOND_NAME (calloc);

static void *
reallocate (void *data, size_t size, const void *frame)
{
  if (data == NULL)
    return or_no_memory (rt_allocate (size, RT_BLOCK_ALIGNMENT, false, frame));
  if (size == 0)
    {
      /* As in the C library.  */
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
SECOND_NAME (realloc);

ENTRY void *
reallocarray (void *data, size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes))
    return or_no_memory (NULL);
  if (rt_malloc_is_foreign ())
    return realloc (data, bytes);
  return reallocate (data, bytes, FRAME);
}

ENTRY void
free (void *data)
{
  if (data != NULL)
    rt_release (data);
}
SECOND_NAME (free);

ENTRY void
free_sized (void *data, size_t size)
{
  (void) size;
  if (rt_malloc_is_foreign ())
    free (data);
  else if (data != NULL)
    rt_release (data);
}

ENTRY void
free_aligned_sized (void *data, size_t alignment, size_t size)
{
  (void) alignment;
  (void) size;
  if (rt_malloc_is_foreign ())
    free (data);
  else if (data != NULL)
    rt_release (data);
}

/* An alignment that is not a power of two is rounded up, as in the C
   library.  */

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
SECOND_NAME (memalign);

ENTRY void *
aligned_alloc (size_t alignment, size_t size)
{
  return allocate_aligned (alignment, size, FRAME);
}
SECOND_NAME (aligned_alloc);

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
SECOND_NAME (posix_memalign);

ENTRY void *
valloc (size_t size)
{
  return or_no_memory (rt_allocate (size, SYS_PAGE_BYTES, false, FRAME));
}
SECOND_NAME (valloc);

ENTRY void *
pvalloc (size_t size)
{
  const size_t page = SYS_PAGE_BYTES;
  size_t rounded;
  if (__builtin_add_overflow (size, page - 1, &rounded))
    return or_no_memory (NULL);
  if (rt_malloc_is_foreign ())
    return memalign (page, rounded / page * page);
  return or_no_memory (rt_allocate (rounded / page * page, page, false, FRAME));
}

/* Return the requested size, not the slot's: bytes beyond it are in granules
   that are not counted as the block's.  */

ENTRY size_t
malloc_usable_size (void *data)
{
  return data == NULL ? 0 : rt_requested_bytes (data);
}
SECOND_NAME (malloc_usable_size);

/* The C library's own versions of these would start a second heap.  */

ENTRY struct mallinfo2
mallinfo2 (void)
{
  const size_t mapped = rt_arena_mapped_bytes ();
  return (struct mallinfo2){ .arena = mapped, .uordblks = mapped };
}

ENTRY struct mallinfo
mallinfo (void)
{
  const size_t mapped = rt_arena_mapped_bytes ();
  const int shown = mapped < INT32_MAX ? (int) mapped : INT32_MAX;
  return (struct mallinfo){ .arena = shown, .uordblks = shown };
}
SECOND_NAME (mallinfo);

/* A parameter that no C library defines, and a result that only this function
   returns.  */
#define WHOSE_IS_IT (-0x6870)
#define OURS 0x6870

ENTRY int
mallopt (int parameter, int value)
{
  (void) value;
  return parameter == WHOSE_IS_IT ? OURS : 1;
}
SECOND_NAME (mallopt);

int rt_own_mallopt (int parameter, int value)
  __attribute__ ((visibility ("hidden")));

unsigned char rt_whose_malloc;

bool
rt_ask_whose_malloc (void)
{
  int (*volatile own) (int, int) = rt_own_mallopt;
  const bool is_foreign = own (WHOSE_IS_IT, 0) != OURS;
  __atomic_store_n (&rt_whose_malloc,
		    is_foreign ? RT_MALLOC_FOREIGN : RT_MALLOC_OURS,
		    __ATOMIC_RELAXED);
  return is_foreign;
}

ENTRY int
malloc_trim (size_t padding)
{
  (void) padding;
  return 0;
}
SECOND_NAME (malloc_trim);

ENTRY void
malloc_stats (void)
{}
SECOND_NAME (malloc_stats);

ENTRY int
malloc_info (int options, FILE *stream)
{
  (void) options;
  (void) stream;
  errno = ENOSYS;
  return -1;
}
