/* Hints for programs with mimalloc: a heap for each thread's cold blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Hot blocks come from malloc.  Only the thread that created a heap may
   allocate from it, and mimalloc destroys a thread's heaps in a destructor of a
   thread-specific key.  Our handler must run earlier, as destructors of C++
   thread-local objects do.  */

#include "definition.h"
#include "select.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#define WEAK __attribute__ ((weak))

struct mi_heap_s;
extern struct mi_heap_s *mi_heap_new (void) WEAK;
extern void *mi_heap_malloc_aligned (struct mi_heap_s *, size_t, size_t) WEAK;
extern void *mi_heap_zalloc_aligned (struct mi_heap_s *, size_t, size_t) WEAK;
extern void *mi_heap_realloc (struct mi_heap_s *, void *, size_t) WEAK;

/* Called by C++ compilers for thread-local objects; defined by the C
   library.  */
extern int __cxa_thread_atexit_impl (void (*) (void *), void *, void *) WEAK;
extern void *__dso_handle __attribute__ ((visibility ("hidden")));

static __thread struct mi_heap_s *heap;
static __thread bool has_ended;

static void
end_thread (void *data)
{
  (void) data;
  has_ended = true;
}

/* Return this thread's heap; NULL if it has none.  */

static struct mi_heap_s *
get_heap (void)
{
  if (has_ended || heap != NULL)
    return has_ended ? NULL : heap;
  /* mimalloc may set errno and still succeed.  */
  const int error = errno;
  struct mi_heap_s *const made = mi_heap_new ();
  errno = error;
  has_ended
    = made == NULL
      || __cxa_thread_atexit_impl (end_thread, NULL, &__dso_handle) != 0;
  if (!has_ended)
    heap = made;
  return heap;
}

static void *
allocate (unsigned pool, size_t size, size_t alignment, bool zeroed)
{
  struct mi_heap_s *const own = get_heap ();
  (void) pool;
  if (own == NULL || size > PTRDIFF_MAX)
    return NULL;
  return zeroed ? mi_heap_zalloc_aligned (own, size, alignment)
		: mi_heap_malloc_aligned (own, size, alignment);
}

static void *
reallocate (unsigned pool, void *data, size_t size)
{
  struct mi_heap_s *const own = get_heap ();
  (void) pool;
  return own == NULL || size > PTRDIFF_MAX ? NULL
					   : mi_heap_realloc (own, data, size);
}

static const struct hint_backend backend
  = { .name = "mimalloc", .allocate = allocate, .reallocate = reallocate };

const struct hint_backend *
hint_mimalloc_backend (void)
{
  if (mi_heap_new == NULL || mi_heap_malloc_aligned == NULL
      || mi_heap_zalloc_aligned == NULL || mi_heap_realloc == NULL
      || __cxa_thread_atexit_impl == NULL)
    return NULL;
  /* If mimalloc was built without malloc, it is a second allocator next to the
     program's; in a static program the two cases cannot be distinguished.  */
  const bool serves_malloc
    = !hint_program_is_static ()
      && hint_find_definition (HINT_MALLOC).module
	   == hint_find_definition (HINT_MI_HEAP_NEW).module;
  return serves_malloc ? &backend : NULL;
}
