/* Has the program brought its own version of a function that is weak here?
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The C and C++ libraries promise that other functions follow then: operator
   new[] calls the program's operator new, and what strdup returns may be given
   to the program's free.  Each function has a second name that is always
   ours.  */

#ifndef HEAPPROF_REPLACED_H
#define HEAPPROF_REPLACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Give NAME, which is defined above, its second name.  */
#define RT_OWN(name)                                                           \
  extern __typeof__ (name) rt_own_##name                                       \
    __attribute__ ((alias (#name), visibility ("hidden")))

#define RT_IS_REPLACED(name)                                                   \
  rt_are_different ((uintptr_t) (name), (uintptr_t) rt_own_##name)

/* The compiler takes two names for two functions.  */
static inline bool
rt_are_different (uintptr_t a, uintptr_t b)
{
  __asm__("" : "+r"(a), "+r"(b));
  return a != b;
}

/* Is the code of our malloc and its relatives not run, although they are
   called? That is so under valgrind's memcheck, DHAT, massif, helgrind and DRD,
   unless they are told to leave them alone.  Then what they do not know of must
   come to what they do.  May be asked at any time.  */

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
