/* Searching for lost blocks: live ones to which the program has no pointer.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A helper process with a copy of the program's memory does the search, so that
   the program's threads need not stand still meanwhile, and whatever happens in
   the search cannot harm the program.  */

#ifndef HEAPPROF_LEAK_CHECK_H
#define HEAPPROF_LEAK_CHECK_H

#include <stdint.h>

/* Search, and store the result in the file, which exists.  Return the number of
   lost blocks, or -1 if that is not possible; there is a message only with
   verbose=1.  The calling thread waits.  Inside the library, with no lock held
   but the dump's or the marks'.  */
int64_t rt_leak_check (void);

/* The same when the run ends.  Return the time of its end, by rt_raw_now_ns:
   the search is not a part of the run, unless other threads go on meanwhile. */
uint64_t rt_leak_check_at_end (void);

/* The same whether or not there is a file, for a search that was asked for: if
   it is not possible, there is a message the first time.  */
int64_t rt_find_leaks (void);

/* Reset locks in the child of a fork.  */
void rt_leak_check_reset_locks (void);

#endif /* HEAPPROF_LEAK_CHECK_H */
