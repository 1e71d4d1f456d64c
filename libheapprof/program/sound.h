/* Validity checks of all structures of the library, with --enable-checking.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_SOUND_H
#define HEAPPROF_SOUND_H

#include "invariant.h"
#include "thread.h"

#if HEAPPROF_CHECKING > 0

/* Check the structures that only THREAD, the calling thread, changes and, while
   a profile is in progress, the shared ones.  Inside the library, with no lock
   held.  */
void rt_check_all (const struct rt_thread *thread);

#else

static inline void
rt_check_all (const struct rt_thread *thread)
{
  (void) thread;
}

#endif

#endif /* HEAPPROF_SOUND_H */
