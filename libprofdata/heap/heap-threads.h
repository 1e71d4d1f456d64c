/* What each thread of the runs allocated.
   SPDX-License-Identifier: GPL-3.0-or-later

   The HEAP_THREADS_MAX that allocated most are kept, of all runs; the others
   are one sum.  */

#ifndef HEAPPROF_HEAP_THREADS_H
#define HEAPPROF_HEAP_THREADS_H

#include "heap-details.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define HEAP_THREADS_MAX 256

/* With the NUL.  */
#define HEAP_THREAD_NAME_BYTES 17

  /* The blocks that a thread allocated, whoever released them.  */
  struct heap_thread
  {
    char name[HEAP_THREAD_NAME_BYTES]; /* any bytes; "" in a sum of threads */
    uint64_t tid;		       /* 0 in a sum of threads */
    uint64_t threads;		       /* how many threads this is the sum of */
    uint64_t start_ns;	  /* after the start of its run; of a sum, the least */
    uint64_t end_ns;	  /* 0: it was running; of a sum, the greatest */
    uint64_t alloc_count; /* all blocks */
    uint64_t alloc_bytes;
    uint64_t live_count; /* at the end of the run */
    uint64_t live_bytes;
    uint64_t peak_count; /* at the peak of the run */
    uint64_t peak_bytes;
    uint64_t most_bytes; /* live at one time; of a sum, the greatest */
  };

  /* Add THREAD, which may be a sum, to the sum *SUM, initially all zeros.  */
  void heap_thread_add (struct heap_thread *sum,
			const struct heap_thread *thread);

  /* Add a copy of *THREAD.  Return false if memory is exhausted.  */
  bool heap_details_add_thread (struct heap_details *details,
				const struct heap_thread *thread);

  /* Return the number of single threads, and each; the one that allocated most
     bytes first.  */
  uint32_t heap_details_thread_count (const struct heap_details *details);
  const struct heap_thread *
  heap_details_thread_at (const struct heap_details *details, uint32_t number);

  /* Return the sum of the others; NULL if there are none.  */
  const struct heap_thread *
  heap_details_other_threads (const struct heap_details *details);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_THREADS_H */
