/* Reading a word of the thread's control block or thread-local storage.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_THREAD_WORD_H
#define HEAPPROF_THREAD_WORD_H

#include <stddef.h>
#include <stdint.h>

/* Return the word at OFFSET from the thread pointer, which the kernel may
   change at any time.  */
static inline int32_t
machine_thread_word (ptrdiff_t offset)
{
  const char *const start = (const char *) __builtin_thread_pointer ();
  return *(const volatile int32_t *) (start + offset);
}

#endif /* HEAPPROF_THREAD_WORD_H */
