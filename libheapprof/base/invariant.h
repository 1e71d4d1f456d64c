/* Invariants, checked while the library runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   In three classes, by what they cost:

     RT_HOLDS       always.  A comparison or two where something is made that
		    stays: a node, a record, a batch of slots; never in each
		    allocation
     RT_CHECK       configure --enable-checking: validity functions, called
   where calls into the library begin and end something RT_CHECK_FULL  configure
   --enable-checking=full: the same at each change

   What does not hold ends the profile, not the program, and is said once.  A
   library built with --enable-checking ends the program, so that tests see
   it.  */

#ifndef HEAPPROF_INVARIANT_H
#define HEAPPROF_INVARIANT_H

#include <stdbool.h>

/* 0, 1 or 2: by configure.  */
#ifndef HEAPPROF_CHECKING
#define HEAPPROF_CHECKING 0
#endif

/* WHAT, in FILE at LINE, does not hold.  May be called anywhere.  */
void rt_check_failed (const char *file, unsigned line, const char *what)
  __attribute__ ((cold, noinline));

/* Have END_PROFILE called when something does not hold, with any lock held.
   Once, at start.  */
void rt_check_start (void (*end_profile) (void));

#define RT_FAIL(what) rt_check_failed (__FILE__, __LINE__, what)

/* Does CONDITION hold?  The caller does without what does not.  */
#define RT_HOLDS(condition)                                                    \
  (__builtin_expect (!!(condition), 1) || (RT_FAIL (#condition), false))

#define RT_CHECK(condition)                                                    \
  do                                                                           \
    if (HEAPPROF_CHECKING > 0 && !(condition))                                 \
      RT_FAIL (#condition);                                                    \
  while (0)

#define RT_CHECK_FULL(condition)                                               \
  do                                                                           \
    if (HEAPPROF_CHECKING > 1 && !(condition))                                 \
      RT_FAIL (#condition);                                                    \
  while (0)

#endif /* HEAPPROF_INVARIANT_H */
