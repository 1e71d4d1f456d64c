/* The calling thread's pointer to its control block, and words at an offset
   from it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_THREAD_POINTER_H
#define HEAPPROF_THREAD_POINTER_H

#include <stddef.h>
#include <stdint.h>

static inline void *
machine_own_thread_pointer (void)
{
  return __builtin_thread_pointer ();
}

/* Return the word at OFFSET from the thread pointer, which the kernel may
   change at any time.  */

static inline int32_t
machine_thread_word (ptrdiff_t offset)
{
  const char *const start = (const char *) machine_own_thread_pointer ();
  return *(const volatile int32_t *) (start + offset);
}

#endif /* HEAPPROF_THREAD_POINTER_H */
