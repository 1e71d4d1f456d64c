/* Which thread made the allocations of each calling context.
   SPDX-License-Identifier: GPL-3.0-or-later

   Thread numbers and addresses differ between runs, so a thread is identified
   by its first function: the one passed to pthread_create, std::thread, an
   OpenMP team and the like.  It is the outermost frame of a context that is
   neither start-up code nor in a thread library.  The first thread counts as
   main's, even before and after main.  Coroutines and signal handlers have
   their own stacks and count as separate threads.  The thread is unknown if the
   outermost frames are missing (the context was truncated) or functions have no
   names.  Profiles of LLVM's tools have no start-up code; the outermost frame
   is used there.  */

#ifndef HEAPPROF_THREAD_STARTS_H
#define HEAPPROF_THREAD_STARTS_H

#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

#define THREAD_UNKNOWN 0u
#define THREAD_MAIN 1u

/* Threads are numbered from THREAD_MAIN; threads whose first functions have the
   same name share a number.  THREAD_UNKNOWN means none.  */
struct thread_starts
{
  const struct heap_profile *profile;
  uint32_t *threads; /* by context, including inner nodes; malloced */
  uint32_t *frames;  /* frame of the first function, by thread; 0 for
			THREAD_UNKNOWN and THREAD_MAIN; malloced */
  uint32_t count;    /* of threads, including THREAD_UNKNOWN */
};

/* Find the threads of PROFILE, which must outlive *STARTS.  Return false if
   memory is exhausted; release *STARTS in any case.  */
bool thread_starts_make (struct thread_starts *starts,
			 const struct heap_profile *profile);
void thread_starts_release (struct thread_starts *starts);

/* Return the linkage name of THREAD's first function, `main' for THREAD_MAIN,
   empty for THREAD_UNKNOWN.  */
const char *thread_starts_name (const struct thread_starts *starts,
				uint32_t thread);

/* Return true if MODULE, a file name, is the C library.  Its functions without
   names are mostly those that call main or start a thread.  */
bool thread_starts_is_c_library (const char *module);

#endif /* HEAPPROF_THREAD_STARTS_H */
