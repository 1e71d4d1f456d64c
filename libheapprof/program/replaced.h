/* Detecting functions that the program, or valgrind, has replaced.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The C and C++ libraries guarantee that related functions follow a
   replacement: operator new[] calls the program's operator new, and the
   program's free accepts the result of strdup.  Each function has a second name
   that is always ours.  */

#ifndef HEAPPROF_REPLACED_H
#define HEAPPROF_REPLACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Give NAME, defined above, its second name.  In assembler, where NAME may be
   defined, too.  */
#define RT_OWN(name)                                                           \
  extern __typeof__ (name) rt_own_##name                                       \
    __attribute__ ((visibility ("hidden")));                                   \
  RT_SECOND_NAME (name)

/* Like RT_OWN, without a declaration, as it is never called.  */
#define RT_SECOND_NAME(name)                                                   \
  __asm__(".globl rt_own_" #name "\n"                                          \
	  ".hidden rt_own_" #name "\n"                                         \
	  ".set rt_own_" #name ", " #name "\n")

#define RT_IS_REPLACED(name)                                                   \
  rt_are_different ((uintptr_t) (name), (uintptr_t) rt_own_##name)

/* The compiler assumes that two names are two functions.  */
static inline bool
rt_are_different (uintptr_t a, uintptr_t b)
{
  __asm__("" : "+r"(a), "+r"(b));
  return a != b;
}

/* True if the program has replaced one of the allocation functions.  */
bool rt_is_any_replaced (void);

/* True if calls of malloc and related functions do not reach our code.  That is
   so under valgrind's memcheck, DHAT, massif, helgrind and DRD, unless they are
   told not to intercept them.  Functions that valgrind does not intercept must
   then call those that it does.  May be called at any time.  */

enum
{
  RT_MALLOC_UNKNOWN,
  RT_MALLOC_OURS,
  RT_MALLOC_FOREIGN
};
extern unsigned char rt_whose_malloc;
bool rt_ask_whose_malloc (void);

static inline bool
rt_malloc_is_foreign (void)
{
  const unsigned char whose
    = __atomic_load_n (&rt_whose_malloc, __ATOMIC_RELAXED);
  return whose == RT_MALLOC_UNKNOWN ? rt_ask_whose_malloc ()
				    : whose == RT_MALLOC_FOREIGN;
}

extern void *rt_own_malloc (size_t size)
  __attribute__ ((visibility ("hidden"), nothrow, leaf, malloc));

#endif /* HEAPPROF_REPLACED_H */
