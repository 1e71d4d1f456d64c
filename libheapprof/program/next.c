/* The next allocator.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "next.h"
#include <dlfcn.h>

/* Missing in static programs, which have no other allocator either: the C
   library's is not linked.  */
#pragma weak dlsym
#pragma weak dlerror

void *(*rt_next_malloc) (size_t size);
void *(*rt_next_calloc) (size_t count, size_t size);
void *(*rt_next_realloc) (void *data, size_t size);
void *(*rt_next_memalign) (size_t alignment, size_t size);
void (*rt_next_free) (void *data);
size_t (*rt_next_usable_size) (void *data);
size_t (*rt_next_strlen) (const char *text);
size_t (*rt_next_strnlen) (const char *text, size_t most);
void *(*rt_next_memcpy) (void *to, const void *from, size_t bytes);

void *
rt_next_find (const char *name)
{
  return dlsym == NULL ? NULL : dlsym (RTLD_NEXT, name);
}

void *
rt_next_find_first (const char *name)
{
  return dlsym == NULL ? NULL : dlsym (RTLD_DEFAULT, name);
}

bool
rt_next_start (void)
{
  *(void **) &rt_next_malloc = rt_next_find ("malloc");
  *(void **) &rt_next_calloc = rt_next_find ("calloc");
  *(void **) &rt_next_realloc = rt_next_find ("realloc");
  *(void **) &rt_next_memalign = rt_next_find ("memalign");
  *(void **) &rt_next_free = rt_next_find ("free");
  *(void **) &rt_next_usable_size = rt_next_find ("malloc_usable_size");
  *(void **) &rt_next_strlen = rt_next_find ("strlen");
  *(void **) &rt_next_strnlen = rt_next_find ("strnlen");
  *(void **) &rt_next_memcpy = rt_next_find ("memcpy");
  return rt_next_malloc != NULL && rt_next_calloc != NULL
	 && rt_next_realloc != NULL && rt_next_memalign != NULL
	 && rt_next_free != NULL && rt_next_usable_size != NULL
	 && rt_next_strlen != NULL && rt_next_strnlen != NULL
	 && rt_next_memcpy != NULL;
}

void
rt_next_forget_error (void)
{
  if (dlerror != NULL)
    dlerror ();
}

void *
rt_next_allocate (size_t size, size_t alignment, bool zero, const void *frame)
{
  (void) frame;
  if (zero)
    return rt_next_calloc (1, size);
  return alignment > RT_LEAST_ALIGNMENT ? rt_next_memalign (alignment, size)
					: rt_next_malloc (size);
}

void
rt_next_release (void *data)
{
  rt_next_free (data);
}
