/* Functions that must recognize pool blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each has two names.  In a program with a dynamic C library the plain name
   takes precedence over the C library's.  A static program already contains the
   plain names in one object with malloc, and those definitions override the
   weak ones here; linked with -Wl,--wrap=free and so on, its objects call the
   other names.

   A program that never gives a hint pays only for hint_in_range, and realloc's
   look at the context token.  */

#include "intercept.h"
#include "bytes.h"
#include "cache.h"
#include "hint-token.h"
#include "definition.h"
#include "pool.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#define WEAK __attribute__ ((weak))
#define ENTRY WEAK __attribute__ ((visibility ("default")))

/* For static programs: with --wrap, the definition of the plain name, possibly
   another allocator's; without, the C library's.  */
extern __typeof__ (free) __real_free WEAK;
extern __typeof__ (realloc) __real_realloc WEAK;
extern size_t __real_malloc_usable_size (void *) WEAK;
extern __typeof__ (free) __libc_free WEAK;
extern __typeof__ (realloc) __libc_realloc WEAK;
extern size_t __malloc_usable_size (void *) WEAK;

/* In static programs this finds nothing, but allocates to report that; or it is
   absent.  */
extern __typeof__ (dlsym) dlsym WEAK;

/* The definitions below, even if the plain names have others: __real_free and
   so on resolve to these unless there is a stronger definition, such as the C
   library's malloc_usable_size.  */
static void own_free (void *data) __attribute__ ((alias ("free"), nothrow));
static void own_wrap_free (void *data)
  __attribute__ ((alias ("__wrap_free"), nothrow));
static void *own_realloc (void *data, size_t size)
  __attribute__ ((alias ("realloc"), nothrow, alloc_size (2)));
static size_t own_usable_size (void *data)
  __attribute__ ((alias ("malloc_usable_size")));

static void first_free (void *data);
static void *first_realloc (void *data, size_t size);
static size_t first_usable_size (void *data);

bool hint_are_ignored;

/* The next definitions; the first call of any of them finds all.  */
static struct
{
  void (*free) (void *data);
  void *(*realloc) (void *data, size_t size);
  size_t (*usable_size) (void *data);
} next = { first_free, first_realloc, first_usable_size };

/* Return the next definition of NAME after OWN.  WRAPPED and OF_LIBRARY are
   those that a static program may have instead.  */

static void *
find_next (const char *name, void *own, void *wrapped, void *of_library)
{
  void *const found = dlsym == NULL || hint_program_is_static ()
			? NULL
			: dlsym (RTLD_NEXT, name);
  if (found != NULL)
    return found;
  /* The compiler assumes that two names are two functions; the linker does
     not.  */
  __asm__("" : "+r"(wrapped));
  return wrapped != NULL && wrapped != own ? wrapped : of_library;
}

static size_t
no_usable_size (void *data)
{
  (void) data;
  return 0;
}

static void
find_all (void)
{
  void *const usable_size
    = find_next ("malloc_usable_size", (void *) own_usable_size,
		 (void *) __real_malloc_usable_size,
		 (void *) __malloc_usable_size);
  __atomic_store_n (&next.usable_size,
		    usable_size == NULL ? no_usable_size
					: (size_t (*) (void *)) usable_size,
		    __ATOMIC_RELAXED);
  __atomic_store_n (&next.realloc,
		    (void *(*) (void *, size_t))
		      find_next ("realloc", (void *) own_realloc,
				 (void *) __real_realloc,
				 (void *) __libc_realloc),
		    __ATOMIC_RELAXED);
  __atomic_store_n (&next.free,
		    (void (*) (void *)) find_next ("free", (void *) own_free,
						   (void *) __real_free,
						   (void *) __libc_free),
		    __ATOMIC_RELAXED);
}

/* Return false if this thread is already searching: dlsym may release the text
   of an earlier error, which is then leaked.  Volatile, as the compiler assumes
   that dlsym does not call back into this file.  */

static bool
find_once (void)
{
  static __thread volatile bool finding;
  if (finding)
    return false;
  finding = true;
  find_all ();
  finding = false;
  return true;
}

static void
first_free (void *data)
{
  if (find_once ())
    next.free (data);
}

static void *
first_realloc (void *data, size_t size)
{
  return find_once () ? next.realloc (data, size) : NULL;
}

void
hint_find_next (void)
{
  if (__atomic_load_n (&next.free, __ATOMIC_RELAXED) == first_free)
    find_once ();
}

static size_t
first_usable_size (void *data)
{
  return find_once () ? next.usable_size (data) : 0;
}

static __attribute__ ((noinline)) void
release_slowly (void *data)
{
  if (!hint_pool_release_own (data))
    next.free (data);
}

static inline void
release (void *data)
{
  size_t bytes;
  const size_t offset = hint_range_offset (data, &bytes);
  if (__builtin_expect (offset >= bytes, true))
    next.free (data);
  else if (!hint_cache_give (data, offset))
    release_slowly (data);
}

#ifdef PIC

/* Resize DATA where the context token says, if it has to move, so that callers
   with different tokens can enlarge a block in turn without more copies.
   Return NULL, leaving DATA unchanged, if plain realloc does the same or there
   is no memory.  */

static __attribute__ ((noinline)) void *
resize_by_token (void *data, size_t size)
{
  if (hint_malloc_by_token == NULL)
    return NULL;
  if (data == NULL)
    return hint_malloc_by_token (size);
  const unsigned pool
    = hint_pool_of (__heapprof_hint_token ^ HEAPPROF_HINT_AMBIGUOUS);
  if (size == 0 || __atomic_load_n (&hint_are_ignored, __ATOMIC_RELAXED))
    return NULL;
  if (hint_pool_has (data))
    return hint_pool_grow (pool, data, size);
  const size_t old = pool == HINT_NO_POOL ? SIZE_MAX : next.usable_size (data);
  /* Plain realloc may enlarge a block without copying.  */
  if (size <= old || !hint_pool_takes (pool, size))
    return NULL;
  void *const new = hint_malloc_by_token (size);
  if (new == NULL)
    return NULL;
  own_memcpy (new, data, old);
  next.free (data);
  return new;
}

#endif

static inline void *
resize (void *data, size_t size)
{
#ifdef PIC
  if (HAS_TOKEN)
    {
      void *const moved = resize_by_token (data, size);
      if (moved != NULL)
	return moved;
    }
#endif
  if (__builtin_expect (hint_in_range (data), false) && hint_pool_has (data))
    return hint_pool_resize (data, size);
  return next.realloc (data, size);
}

/* Multiply; on overflow set errno and return false.  */

static bool
array_bytes (size_t count, size_t size, size_t *bytes)
{
  if (!__builtin_mul_overflow (count, size, bytes))
    return true;
  errno = ENOMEM;
  return false;
}

static __attribute__ ((noinline)) size_t
usable_size_slowly (void *data)
{
  const size_t bytes = hint_pool_usable_own (data);
  return bytes != 0 ? bytes : next.usable_size (data);
}

static inline size_t
usable_size (void *data)
{
  size_t bytes;
  const size_t offset = hint_range_offset (data, &bytes);
  if (__builtin_expect (offset >= bytes, true))
    return next.usable_size (data);
  const struct hint_tag *const tag = &hint_tags[offset >> HINT_CHUNK_SHIFT];
  return hint_starts_slot (tag, offset) ? tag->slot_bytes
					: usable_size_slowly (data);
}

/* Define NAME and the name that --wrap=NAME uses for it.  BODY calls other
   functions by names with the same PREFIX, as their definitions may come before
   these.  */
#define FUNCTION(prefix, type, name, body, ...)                                \
  ENTRY type prefix##name (__VA_ARGS__);                                       \
  ENTRY type prefix##name (__VA_ARGS__) { body; }

#define UNUSED __attribute__ ((unused))

#define FUNCTIONS(prefix)                                                      \
  FUNCTION (prefix, void, free, release (data), void *data)                    \
  FUNCTION (prefix, void, free_sized, prefix##free (data), void *data,         \
	    size_t size UNUSED)                                                \
  FUNCTION (prefix, void, free_aligned_sized, prefix##free (data), void *data, \
	    size_t alignment UNUSED, size_t size UNUSED)                       \
  FUNCTION (prefix, void *, realloc, return resize (data, size), void *data,   \
	    size_t size)                                                       \
  FUNCTION (prefix, void *, reallocarray,                                      \
	    return array_bytes (count, size, &size)                            \
		     ? prefix##realloc (data, size)                            \
		     : NULL,                                                   \
	    void *data, size_t count, size_t size)                             \
  FUNCTION (prefix, size_t, malloc_usable_size, return usable_size (data),     \
	    void *data)

FUNCTIONS ()
FUNCTIONS (__wrap_)

void
hint_pass_on (void *data)
{
  next.free (data);
}

bool
hint_is_own_free (const void *function)
{
  return function == (const void *) own_free
	 || function == (const void *) own_wrap_free;
}

bool
hint_wraps_library (void)
{
  const void *wrapped = (const void *) __real_free;
  __asm__("" : "+r"(wrapped));
  return wrapped != NULL && wrapped == (const void *) __libc_free;
}

bool
hint_intercepts_calls (void)
{
  /* A call, not a copy of the function's code.  */
  size_t (*volatile const called) (void *) = own_usable_size;
  void *const data = hint_pool_backend.allocate (hint_pool (0, HINT_COLD), 1,
						 HINT_ALIGNMENT, false);
  if (data == NULL)
    return false;
  const size_t bytes = called (data);
  hint_pool_release (data);
  return bytes != 0;
}
