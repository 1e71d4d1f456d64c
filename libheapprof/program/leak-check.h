/* Searching for lost blocks: live ones to which the program has no pointer.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A helper process with a copy of the program's memory does the search, so that
   the program's threads need not stand still meanwhile, and whatever happens in
   the search cannot harm the program.  */

#ifndef HEAPPROF_LEAK_CHECK_H
#define HEAPPROF_LEAK_CHECK_H

#include <stdbool.h>

/* Search, and store the result in the file.  Return false, with a message the
   first time, if that is not possible.  The calling thread waits.  Inside the
   library, with no lock held but the dump's.  */
bool rt_leak_check (void);

#endif /* HEAPPROF_LEAK_CHECK_H */
