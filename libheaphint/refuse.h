/* Errors that end the program, and checks of the library's own structures.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A wrong pointer from the program is always detected where the library must
   look at the block's record.  The structures themselves, hint_*_valid, are
   checked in builds that are configured for it:

     HINT_CHECK       --enable-checking: where a thread's cache has run out of
		      slots or of space, at fork, and at the end of threads and
		      of the program
     HINT_CHECK_FULL  --enable-checking=full: at each change of runs  */

#ifndef HEAPPROF_REFUSE_H
#define HEAPPROF_REFUSE_H

/* 0, 1 or 2: set by configure.  */
#ifndef HEAPPROF_CHECKING
#define HEAPPROF_CHECKING 0
#endif

/* Print the one-line error WHAT and abort.  */
void hint_refuse (const char *what) __attribute__ ((cold, noreturn));

/* CONDITION is compiled only where it is checked, as its functions are.  */
#if HEAPPROF_CHECKING > 0
#define HINT_CHECK(condition)                                                  \
  ((condition) ? (void) 0 : hint_refuse ("check failed: " #condition))
#else
#define HINT_CHECK(condition) ((void) 0)
#endif

#if HEAPPROF_CHECKING > 1
#define HINT_CHECK_FULL(condition) HINT_CHECK (condition)
#else
#define HINT_CHECK_FULL(condition) ((void) 0)
#endif

#endif /* HEAPPROF_REFUSE_H */
