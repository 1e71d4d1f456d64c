/* Which thread made the allocations of each calling context.
   SPDX-License-Identifier: GPL-3.0-or-later

   Numbers and addresses of threads are others in each run, so a thread goes by
   the function that it began with: that which was given to pthread_create,
   std::thread, an OpenMP team and the like.  It is the outermost frame of a
   context that belongs to neither start-up code nor a library of threads.  All
   that the first thread does, before and after main too, is main's.  Coroutines
   and signal handlers have stacks of their own, and so are threads of their own
   here. Where the outermost frames are missing, because the context was cut
   short, or functions have no names, the thread is not known.  Profiles of
   LLVM's tools have no start-up code; there the outermost frame is taken.  */

#ifndef HEAPPROF_THREAD_STARTS_H
#define HEAPPROF_THREAD_STARTS_H

#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

#define THREAD_UNKNOWN 0u
#define THREAD_MAIN 1u

/* Threads are numbered from THREAD_MAIN on, those that began with functions of
   one name alike; THREAD_UNKNOWN is none.  */
struct thread_starts
{
  const struct heap_profile *profile;
  uint32_t *threads; /* by context: of those below it, too; malloced */
  uint32_t *frames;  /* the first function, by thread; 0 for those
			above; malloced */
  uint32_t count;    /* of threads, with THREAD_UNKNOWN */
};

/* Find the threads of PROFILE, which must outlive *STARTS.  False if memory is
   exhausted; release *STARTS in any case.  */
bool thread_starts_make (struct thread_starts *starts,
			 const struct heap_profile *profile);
void thread_starts_release (struct thread_starts *starts);

/* The linkage name of the function that THREAD began with, `main' for
   THREAD_MAIN, empty for THREAD_UNKNOWN.  */
const char *thread_starts_name (const struct thread_starts *starts,
				uint32_t thread);

/* Is MODULE, a file's name, the C library?  Its functions without names are
   mostly those that call main or begin a thread.  */
bool thread_starts_is_c_library (const char *module);

#endif /* HEAPPROF_THREAD_STARTS_H */
