/* Invariants of the models, checked while a tool runs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Built with --enable-checking, a tool stops at the place where its data are
   wrong, before it writes them.  Input never brings that about: a reader
   refuses what is wrong in it.  A library neither prints nor exits; a debugger
   shows where the trap is.  */

#ifndef HEAPPROF_PROFILE_CHECK_H
#define HEAPPROF_PROFILE_CHECK_H

/* 0, 1 or 2: by configure.  */
#ifndef HEAPPROF_CHECKING
#define HEAPPROF_CHECKING 0
#endif

#define PROFILE_CHECK(condition)                                               \
  do                                                                           \
    if (HEAPPROF_CHECKING > 0 && !(condition))                                 \
      __builtin_trap ();                                                       \
  while (0)

#endif /* HEAPPROF_PROFILE_CHECK_H */
