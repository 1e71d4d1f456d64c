/* Invariants of the models, checked while a tool runs.
   SPDX-License-Identifier: GPL-3.0-or-later

   With --enable-checking a tool traps where its data become wrong, before it
   writes them.  Input never causes that: readers reject invalid input.  As the
   library neither prints nor exits, use a debugger to find the trap.  */

#ifndef HEAPPROF_PROFILE_CHECK_H
#define HEAPPROF_PROFILE_CHECK_H

/* 0, 1 or 2; set by configure.  */
#ifndef HEAPPROF_CHECKING
#define HEAPPROF_CHECKING 0
#endif

#define PROFILE_CHECK(condition)                                               \
  do                                                                           \
    if (HEAPPROF_CHECKING > 0 && !(condition))                                 \
      __builtin_trap ();                                                       \
  while (0)

#endif /* HEAPPROF_PROFILE_CHECK_H */
