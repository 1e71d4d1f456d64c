/* The next allocator: that which the program would use without this library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_NEXT_H
#define HEAPPROF_NEXT_H

#include <stdbool.h>
#include <stddef.h>

/* What the C library's malloc, and so each allocator that replaces it, aligns
   blocks to.  */
#define RT_LEAST_ALIGNMENT 16u

/* Its functions.  The names are those of variables in assembler code.  */
extern void *(*rt_next_malloc) (size_t size)
  __attribute__ ((visibility ("hidden")));
extern void *(*rt_next_calloc) (size_t count, size_t size)
  __attribute__ ((visibility ("hidden")));
extern void *(*rt_next_realloc) (void *data, size_t size)
  __attribute__ ((visibility ("hidden")));
extern void *(*rt_next_memalign) (size_t alignment, size_t size)
  __attribute__ ((visibility ("hidden")));
extern void (*rt_next_free) (void *data)
  __attribute__ ((visibility ("hidden")));
extern size_t (*rt_next_usable_size) (void *data)
  __attribute__ ((visibility ("hidden")));

/* The C library's functions for memory and text, the program's own excepted. */
extern size_t (*rt_next_strlen) (const char *text)
  __attribute__ ((visibility ("hidden")));
extern size_t (*rt_next_strnlen) (const char *text, size_t most)
  __attribute__ ((visibility ("hidden")));
extern void *(*rt_next_memcpy) (void *to, const void *from, size_t bytes)
  __attribute__ ((visibility ("hidden")));

/* Return its function NAME; NULL if there is none.  */
void *rt_next_find (const char *name);

/* Return the first function or variable NAME in the program.  */
void *rt_next_find_first (const char *name);

/* Find all functions above; return false if one is missing.  */
bool rt_next_start (void);

/* Forget errors that failed searches left for dlerror.  */
void rt_next_forget_error (void);

/* Its part in struct rt_memory (route.h).  */
void *rt_next_allocate (size_t size, size_t alignment, bool zero,
			const void *frame);
void rt_next_release (void *data);

#endif /* HEAPPROF_NEXT_H */
