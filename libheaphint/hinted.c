/* The C allocation functions with a hint.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A call that is not served by a backend becomes a jump to the plain function,
   so that a profiler sees the caller's address, not this library's.  */

#include "bytes.h"
#include "cache.h"
#include "hint-token.h"
#include "plain-malloc.h"
#include "pool.h"
#include "select.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PUBLIC __attribute__ ((visibility ("default")))

/* Kept out of its caller, which then has nothing to save on its fast path.  */
#define SLOW __attribute__ ((noinline))

/* Referenced by compiled code (heapprof/abi.h).  */

PUBLIC void __heapprof_link_with_lheaphint_or_fplugin_arg_heapprof_use (void);

PUBLIC void
__heapprof_link_with_lheaphint_or_fplugin_arg_heapprof_use (void)
{}

/* Return memory where HINT says; NULL if that is plain memory or there is
   none.  */

static void *
allocate_aligned (size_t size, size_t alignment, int hint)
{
  const unsigned pool = hint_pool_of (hint);
  return pool == HINT_NO_POOL ? NULL
			      : hint_allocate (pool, size, alignment, false);
}

static void *
allocate (size_t size, int hint)
{
  const unsigned pool = hint_pool_of (hint);
  void *data;
  return pool != HINT_NO_POOL && hint_cache_take (pool, size, &data)
	   ? data
	   : allocate_aligned (size, HINT_ALIGNMENT, hint);
}

static SLOW void *
malloc_slowly (size_t size, unsigned pool)
{
  void *const data = hint_allocate (pool, size, HINT_ALIGNMENT, false);
  return data != NULL ? data : hint_plain_malloc (size);
}

/* ---- malloc.  Its route is known once the backend is chosen.  */

static void *
malloc_by_hint (size_t size, int hint)
{
  const unsigned pool = hint_pool_of (hint);
  if (pool == HINT_NO_POOL)
    return hint_plain_malloc (size);
  void *data;
  if (hint_cache_take (pool, size, &data))
    return data;
  return malloc_slowly (size, pool);
}

static void *
malloc_unless_cold (size_t size, int hint)
{
  return hint_may_be_hot (hint) ? hint_plain_malloc (size)
				: malloc_by_hint (size, hint);
}

static void *first_malloc (size_t size, int hint);

static void *(*malloc_route) (size_t size, int hint) = first_malloc;

static void *
first_malloc (size_t size, int hint)
{
  if (hint_pool_of (hint) != HINT_NO_POOL)
    {
      hint_choice ();
      if (hint_is_chosen ())
	__atomic_store_n (&malloc_route,
			  hint_hot_is_plain ? malloc_unless_cold
					    : malloc_by_hint,
			  __ATOMIC_RELAXED);
    }
  return malloc_by_hint (size, hint);
}

PUBLIC void *
heapprof_malloc_hinted (size_t size, int hint)
{
  return __atomic_load_n (&malloc_route, __ATOMIC_RELAXED) (size, hint);
}

/* ---- calloc.  */

static SLOW void *
calloc_slowly (size_t count, size_t size, unsigned pool)
{
  void *const data = hint_allocate (pool, count * size, HINT_ALIGNMENT, true);
  return data != NULL ? data : hint_plain_calloc (count, size);
}

PUBLIC void *
heapprof_calloc_hinted (size_t count, size_t size, int hint)
{
  size_t bytes;
  const unsigned pool = hint_pool_of (hint);
  if (pool == HINT_NO_POOL || __builtin_mul_overflow (count, size, &bytes))
    return hint_plain_calloc (count, size);
  void *data;
  if (hint_cache_take (pool, bytes, &data))
    return own_memset (data, 0, bytes);
  return hint_is_plain (pool) ? hint_plain_calloc (count, size)
			      : calloc_slowly (count, size, pool);
}

/* Resize DATA to SIZE bytes of plain memory; a pool block moves out of its
   pool.  */

static SLOW void *
make_plain (void *data, size_t size)
{
  if (size == 0 || !hint_pool_has (data))
    return PLAIN_CALL (realloc (data, size));
  void *const new = hint_plain_malloc (size);
  if (new == NULL)
    return NULL;
  const size_t old = hint_pool_usable_bytes (data);
  own_memcpy (new, data, old < size ? old : size);
  hint_pool_release (data);
  return new;
}

static SLOW void *
realloc_slowly (void *data, size_t size, unsigned pool)
{
  const struct hint_backend *const backend = hint_choice ()->backend;
  void *const moved = backend == NULL || hint_is_plain (pool)
			? NULL
			: backend->reallocate (pool, data, size);
  return moved != NULL ? moved : PLAIN_CALL (realloc (data, size));
}

PUBLIC void *
heapprof_realloc_hinted (void *data, size_t size, int hint)
{
  if (data == NULL)
    return heapprof_malloc_hinted (size, hint);
  if (__atomic_load_n (&hint_hot_is_passed, __ATOMIC_RELAXED)
      && hint_may_be_hot (hint))
    return realloc (data, size);
  const unsigned pool = hint_pool_of (hint);
  return pool == HINT_NO_POOL || size == 0 ? make_plain (data, size)
					   : realloc_slowly (data, size, pool);
}

static bool
is_power_of_two (size_t value)
{
  return value != 0 && (value & (value - 1)) == 0;
}

/* Other alignments are left to the C library.  */

PUBLIC void *
heapprof_aligned_alloc_hinted (size_t alignment, size_t size, int hint)
{
  void *data = NULL;
  if (is_power_of_two (alignment))
    data = allocate_aligned (size, alignment, hint);
  return data != NULL ? data : aligned_alloc (alignment, size);
}

PUBLIC int
heapprof_posix_memalign_hinted (void **result, size_t alignment, size_t size,
				int hint)
{
  void *data = NULL;
  if (is_power_of_two (alignment) && alignment % sizeof (void *) == 0)
    data = allocate_aligned (size, alignment, hint);
  if (data == NULL)
    return posix_memalign (result, alignment, size);
  *result = data;
  return 0;
}

PUBLIC char *
heapprof_strdup_hinted (const char *string, int hint)
{
  const size_t size = own_strlen (string) + 1;
  char *const copy = allocate (size, hint);
  return copy != NULL ? own_memcpy (copy, string, size)
		      : PLAIN_CALL (strdup (string));
}

PUBLIC char *
heapprof_strndup_hinted (const char *string, size_t most, int hint)
{
  const size_t length = own_strnlen (string, most);
  char *const copy = allocate (length + 1, hint);
  if (copy == NULL)
    return PLAIN_CALL (strndup (string, most));
  copy[length] = '\0';
  return own_memcpy (copy, string, length);
}
