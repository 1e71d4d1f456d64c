/* Reading a word of the thread's control block or thread-local storage, on
   x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_THREAD_WORD_H
#define HEAPPROF_THREAD_WORD_H

#include <stddef.h>
#include <stdint.h>

/* Return the word at OFFSET from the thread pointer, which the kernel may
   change at any time.  One instruction, not the three that the address
   takes.  */
static inline int32_t
machine_thread_word (ptrdiff_t offset)
{
  int32_t word;
  __asm__ volatile("movl %%fs:(%1), %0" : "=r"(word) : "r"(offset));
  return word;
}

#endif /* HEAPPROF_THREAD_WORD_H */
