/* Copying, filling and comparing memory without the C library, whose functions
   a program may replace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   These functions behave like the standard ones they are named after, and may
   be called at any time.  Their linker names are reserved for the
   implementation, and the definitions are weak, so that a program may contain
   several of our libraries.  */

#ifndef HEAPPROF_BYTES_H
#define HEAPPROF_BYTES_H

#include <stddef.h>

#define OWN_HIDDEN __attribute__ ((visibility ("hidden")))

extern OWN_HIDDEN void *own_memcpy (void *to, const void *from,
				    size_t bytes) __asm__("__hpr_memcpy");
extern OWN_HIDDEN void *own_memmove (void *to, const void *from,
				     size_t bytes) __asm__("__hpr_memmove");
extern OWN_HIDDEN void *own_memset (void *to, int value,
				    size_t bytes) __asm__("__hpr_memset");
extern OWN_HIDDEN int own_memcmp (const void *a, const void *b,
				  size_t bytes) __asm__("__hpr_memcmp");
extern OWN_HIDDEN size_t own_strlen (const char *text) __asm__("__hpr_strlen");
extern OWN_HIDDEN size_t own_strnlen (const char *text,
				      size_t most) __asm__("__hpr_strnlen");

/* Copies and fills of constant size are expanded inline.  */
#define own_memcpy(to, from, bytes)                                            \
  (__builtin_constant_p (bytes) ? __builtin_memcpy (to, from, bytes)           \
				: (own_memcpy) (to, from, bytes))
#define own_memset(to, value, bytes)                                           \
  (__builtin_constant_p (bytes) ? __builtin_memset (to, value, bytes)          \
				: (own_memset) (to, value, bytes))

#endif /* HEAPPROF_BYTES_H */
