/* The calling thread's pointer to its control block, and words at an offset
   from it, on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_THREAD_POINTER_H
#define HEAPPROF_THREAD_POINTER_H

#include <stddef.h>
#include <stdint.h>

static inline void *
machine_own_thread_pointer (void)
{
#if defined __clang__ || __GNUC__ >= 11
  return __builtin_thread_pointer ();
#else
  /* Older GCCs refuse the built-in function.  The block's first word is its
     own address.  */
  void *pointer;
  __asm__("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
#endif
}

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

#endif /* HEAPPROF_THREAD_POINTER_H */
