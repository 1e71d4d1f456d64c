/* The functions that must know blocks of the pools.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each has two names.  In a program with a dynamic C library the plain name
   stands before the C library's.  A static program already has the plain names
   in one piece with malloc, whose definitions are stronger than these; linked
   with -Wl,--wrap=free and so on, its objects call the other ones.

   What a program pays that never gives a hint is hint_in_range.  */

#include "intercept.h"
#include "definition.h"
#include "pool.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

#define WEAK __attribute__ ((weak))
#define ENTRY WEAK __attribute__ ((visibility ("default")))

/* Of a static program: with --wrap, what has the plain name, which may be
   another allocator's; without, the C library's.  */
extern __typeof__ (free) __real_free WEAK;
extern __typeof__ (realloc) __real_realloc WEAK;
extern size_t __real_malloc_usable_size (void *) WEAK;
extern __typeof__ (free) __libc_free WEAK;
extern __typeof__ (realloc) __libc_realloc WEAK;
extern size_t __malloc_usable_size (void *) WEAK;

/* Finds nothing in static programs, but allocates to say so; or is absent.  */
extern __typeof__ (dlsym) dlsym WEAK;

/* What is defined below, whoever else defines the plain names: __real_free and
   so on are these where nobody has a stronger definition, as the C library of
   malloc_usable_size.  */
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

/* The next definitions; the first call of any finds them all.  */
static struct
{
  void (*free) (void *data);
  void *(*realloc) (void *data, size_t size);
  size_t (*usable_size) (void *data);
} next = { first_free, first_realloc, first_usable_size };

/* The next definition of NAME after OWN: WRAPPED and OF_LIBRARY are what a
   static program may have instead.  */

static void *
find_next (const char *name, void *own, void *wrapped, void *of_library)
{
  void *const found = dlsym == NULL || hint_program_is_static ()
			? NULL
			: dlsym (RTLD_NEXT, name);
  if (found != NULL)
    return found;
  /* The compiler knows that two names are two functions; the linker does
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

/* False if this thread does so already: dlsym may release what is left of an
   earlier error; that little is lost.  Volatile, as dlsym passes for a function
   that does not come back here.  */

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

static size_t
first_usable_size (void *data)
{
  return find_once () ? next.usable_size (data) : 0;
}

static __attribute__ ((noinline, cold)) void
release_in_range (void *data)
{
  if (hint_pool_has (data))
    hint_pool_release (data);
  else
    next.free (data);
}

static inline void
release (void *data)
{
  if (__builtin_expect (hint_in_range (data), false))
    release_in_range (data);
  else
    next.free (data);
}

static inline void *
resize (void *data, size_t size)
{
  if (__builtin_expect (hint_in_range (data), false) && hint_pool_has (data))
    return hint_pool_resize (data, size);
  return next.realloc (data, size);
}

/* Multiply; if that is too much, errno says so.  */

static bool
array_bytes (size_t count, size_t size, size_t *bytes)
{
  if (!__builtin_mul_overflow (count, size, bytes))
    return true;
  errno = ENOMEM;
  return false;
}

static size_t
usable_size (void *data)
{
  if (__builtin_expect (hint_in_range (data), false) && hint_pool_has (data))
    return hint_pool_usable_bytes (data);
  return next.usable_size (data);
}

/* NAME and the name that --wrap=NAME makes of it; BODY calls others by names
   that begin with PREFIX, as whoever defines those may come before this.  */
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
