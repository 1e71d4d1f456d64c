/* Modules that are opened with RTLD_DEEPBIND must find this library's
   functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   See deep-binding.h.  Only in the shared library, which most programs use: a
   static program needs its own dlopen.  */

#include "deep-binding.h"
#include "intercept.h"
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

#ifdef PIC

#define ENTRY __attribute__ ((weak, visibility ("default")))

/* Functions that older headers do not declare.  */
void free_sized (void *data, size_t size);
void free_aligned_sized (void *data, size_t alignment, size_t size);

typedef void *open_function (const char *file, int flags);
typedef void *open_in_function (Lmid_t space, const char *file, int flags);

ENTRY void *dlopen (const char *file, int flags);
ENTRY void *dlmopen (Lmid_t space, const char *file, int flags);

/* Looked for before the symbols change.  */
static open_function *next_open;
static open_in_function *next_open_in;

static __attribute__ ((noinline)) void
find_originals (void)
{
  *(void **) &next_open_in = dlsym (RTLD_NEXT, "dlmopen");
  __atomic_store_n ((void **) &next_open, dlsym (RTLD_NEXT, "dlopen"),
		    __ATOMIC_RELEASE);
}

static inline void
find_originals_once (void)
{
  if (__atomic_load_n ((void **) &next_open, __ATOMIC_ACQUIRE) == NULL)
    find_originals ();
}

/* The functions that the program's other modules find, which may be those of
   another allocator that comes first.  */
static const struct deep_function functions[]
  = { DEEP_FUNCTION (free),	     DEEP_FUNCTION (free_sized),
      DEEP_FUNCTION (realloc),	     DEEP_FUNCTION (reallocarray),
      DEEP_FUNCTION (malloc),	     DEEP_FUNCTION (calloc),
      DEEP_FUNCTION (aligned_alloc), DEEP_FUNCTION (free_aligned_sized),
      DEEP_FUNCTION (memalign),	     DEEP_FUNCTION (malloc_usable_size) };

/* Return FLAGS, without RTLD_DEEPBIND if the module could not release the
   blocks of pools.  */

static __attribute__ ((noinline)) int
bind_deeply (int flags)
{
  static uint32_t is_done;
  if (__atomic_load_n (&is_done, __ATOMIC_ACQUIRE) != 0)
    return flags;
  hint_find_next ();
  const uintptr_t marks[] = { (uintptr_t) dlsym (RTLD_NEXT, "free"),
			      (uintptr_t) dlsym (RTLD_NEXT, "realloc") };
  if (!deep_binding_change (functions, sizeof functions / sizeof functions[0],
			    marks))
    return flags & ~RTLD_DEEPBIND;
  __atomic_store_n (&is_done, 1, __ATOMIC_RELEASE);
  return flags;
}

JUMPS void *
dlopen (const char *file, int flags)
{
  find_originals_once ();
  if ((flags & RTLD_DEEPBIND) != 0)
    flags = bind_deeply (flags);
  JUMP next_open (file, flags);
}

JUMPS void *
dlmopen (Lmid_t space, const char *file, int flags)
{
  find_originals_once ();
  if ((flags & RTLD_DEEPBIND) != 0 && space == LM_ID_BASE)
    flags = bind_deeply (flags);
  JUMP next_open_in (space, file, flags);
}

#endif
