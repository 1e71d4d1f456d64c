/* The processes of the threads in a recording.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_THREADS_H
#define HEAPPROF_PERF_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* A thread that is not the first of its process.  */
struct perf_thread
{
  int32_t tid;
  int32_t pid;
  uint32_t number; /* in the order of the records */
};

/* All zeros is none.  */
struct perf_threads
{
  struct perf_thread *threads; /* sorted on use */
  uint32_t count;
  uint32_t capacity;
  bool is_sorted;
};

/* Note that the thread TID belongs to process PID from now on.  Return false if
   memory is exhausted.  */
bool perf_threads_add (struct perf_threads *threads, int32_t tid, int32_t pid);

/* Return the process of the thread TID, by default the one with that number. */
int32_t perf_threads_process (struct perf_threads *threads, int32_t tid);

void perf_threads_release (struct perf_threads *threads);

#endif /* HEAPPROF_PERF_THREADS_H */
