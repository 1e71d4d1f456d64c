/* The processes of the threads in a recording.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "perf-threads.h"
#include <stdlib.h>

bool
perf_threads_add (struct perf_threads *threads, int32_t tid, int32_t pid)
{
  /* The number of an ended thread may be that of a new process.  */
  if (tid == pid && threads->count == 0)
    return true;
  if (threads->count == threads->capacity)
    {
      uint32_t capacity = threads->capacity ? 2 * threads->capacity : 16;
      void *grown
	= capacity > threads->capacity
	    ? realloc (threads->threads, capacity * sizeof *threads->threads)
	    : NULL;
      if (!grown)
	return false;
      threads->threads = grown;
      threads->capacity = capacity;
    }
  threads->threads[threads->count]
    = (struct perf_thread){ tid, pid, threads->count };
  threads->count++;
  threads->is_sorted = false;
  return true;
}

static int
compare_threads (const void *a, const void *b)
{
  const struct perf_thread *x = a;
  const struct perf_thread *y = b;
  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Sort, and keep only the newest process of each thread.  */
static void
tidy (struct perf_threads *threads)
{
  uint32_t kept = 0;
  if (threads->count > 0)
    qsort (threads->threads, threads->count, sizeof *threads->threads,
	   compare_threads);
  for (uint32_t i = 0; i < threads->count; i++)
    if (i + 1 == threads->count
	|| threads->threads[i + 1].tid != threads->threads[i].tid)
      {
	threads->threads[kept] = threads->threads[i];
	threads->threads[kept].number = 0;
	kept++;
      }
  threads->count = kept;
  threads->is_sorted = true;
}

int32_t
perf_threads_process (struct perf_threads *threads, int32_t tid)
{
  if (!threads->is_sorted)
    tidy (threads);
  uint32_t low = 0;
  uint32_t high = threads->count;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (threads->threads[middle].tid < tid)
	low = middle + 1;
      else
	high = middle;
    }
  return low < threads->count && threads->threads[low].tid == tid
	   ? threads->threads[low].pid
	   : tid;
}

void
perf_threads_release (struct perf_threads *threads)
{
  free (threads->threads);
  *threads = (struct perf_threads){ 0 };
}
