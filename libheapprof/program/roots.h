/* The memory from which the program can reach its blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   These words are roots: registers and stacks of all threads, a stack from the
   stack pointer on; their thread-local variables; and all other private memory
   that can be read and written: variables of modules, and mappings that the
   program made itself.  The library's own mappings are not, nor is a stack that
   the C library keeps after its thread has ended.  */

#ifndef HEAPPROF_ROOTS_H
#define HEAPPROF_ROOTS_H

#include "thread-pointer.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define RT_REGISTERS_MAX 34u

/* What a thread was about to use.  */
struct rt_stopped
{
  uintptr_t stack;   /* the stack pointer */
  unsigned red_zone; /* bytes below it that may be in use */
  uintptr_t pointer; /* to its control block */
  uintptr_t registers[RT_REGISTERS_MAX];
  unsigned register_count;
};

/* Return the calling thread's pointer to its control block.  */
static inline uintptr_t
rt_thread_pointer (void)
{
  return (uintptr_t) machine_own_thread_pointer ();
}

/* Read the registers of THREAD, which is stopped and traced, into *STOPPED.
   Return 0 or a negative errno.  */
int rt_roots_read_thread (pid_t thread, struct rt_stopped *stopped);

/* Report all roots of this process, a helper, to rt_reach_words.  THREADS are
   the COUNT threads that the program had.  Return false if that is not
   possible.  */
bool rt_roots_visit (const struct rt_stopped *threads, unsigned count);

#endif /* HEAPPROF_ROOTS_H */
