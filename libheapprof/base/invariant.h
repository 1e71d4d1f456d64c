/* Run-time checks of invariants.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   In three classes, by cost:

     RT_HOLDS       always: a comparison or two where something permanent is
		    created (a node, a record, a batch of slots), never in
		    every allocation
     RT_CHECK       configure --enable-checking: validity functions, called
		    where calls into the library start and end
     RT_CHECK_FULL  configure --enable-checking=full: validity functions,
		    called at each change

   A failure ends the profile, not the program, and is reported once.  A library
   built with --enable-checking ends the program, so that tests notice.  */

#ifndef HEAPPROF_INVARIANT_H
#define HEAPPROF_INVARIANT_H

#include <stdbool.h>

/* 0, 1 or 2: set by configure.  */
#ifndef HEAPPROF_CHECKING
#define HEAPPROF_CHECKING 0
#endif

/* Report that WHAT, in FILE at LINE, does not hold.  May be called
   anywhere.  */
void rt_check_failed (const char *file, unsigned line, const char *what)
  __attribute__ ((cold, noinline));

/* Make failures call END_PROFILE, possibly with any lock held.  Call once, at
   start.  */
void rt_check_start (void (*end_profile) (void));

#define RT_FAIL(what) rt_check_failed (__FILE__, __LINE__, what)

/* True if CONDITION holds; otherwise the caller carries on without the
   object.  */
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
