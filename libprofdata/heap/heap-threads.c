/* What each thread of the runs allocated.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-threads.h"
#include "heap-detail-tables.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* Compare all of A and B, so that the result of merging does not depend on the
   order: positive if A comes first.  */
static int
compare_threads (const struct heap_thread *a, const struct heap_thread *b)
{
  int order = compare_numbers (a->alloc_bytes, b->alloc_bytes);
  order = order ? order : compare_numbers (a->alloc_count, b->alloc_count);
  order = order ? order : compare_numbers (b->start_ns, a->start_ns);
  order = order ? order : compare_numbers (b->tid, a->tid);
  order = order ? order : compare_numbers (b->end_ns, a->end_ns);
  order = order ? order : compare_numbers (a->live_count, b->live_count);
  order = order ? order : compare_numbers (a->live_bytes, b->live_bytes);
  order = order ? order : compare_numbers (a->peak_count, b->peak_count);
  order = order ? order : compare_numbers (a->peak_bytes, b->peak_bytes);
  order = order ? order : compare_numbers (a->most_bytes, b->most_bytes);
  return order ? order : strcmp (b->name, a->name);
}

static void
add (uint64_t *sum, uint64_t number)
{
  *sum = saturating_add (*sum, number);
}

void
heap_thread_add (struct heap_thread *sum, const struct heap_thread *thread)
{
  if (sum->threads == 0 || thread->start_ns < sum->start_ns)
    sum->start_ns = thread->start_ns;
  if (sum->end_ns < thread->end_ns)
    sum->end_ns = thread->end_ns;
  if (sum->most_bytes < thread->most_bytes)
    sum->most_bytes = thread->most_bytes;
  add (&sum->threads, thread->threads);
  add (&sum->alloc_count, thread->alloc_count);
  add (&sum->alloc_bytes, thread->alloc_bytes);
  add (&sum->live_count, thread->live_count);
  add (&sum->live_bytes, thread->live_bytes);
  add (&sum->peak_count, thread->peak_count);
  add (&sum->peak_bytes, thread->peak_bytes);
}

bool
heap_details_add_thread (struct heap_details *details,
			 const struct heap_thread *thread)
{
  struct heap_threads *all = &details->threads;
  if (thread->threads != 1)
    {
      if (thread->threads > 0)
	heap_thread_add (&all->others, thread);
      return true;
    }
  if (!all->of)
    all->of = calloc (HEAP_THREADS_MAX + 1, sizeof *all->of);
  if (!all->of)
    return false;
  uint32_t place = all->count;
  while (place > 0 && compare_threads (thread, &all->of[place - 1]) > 0)
    place--;
  memmove (&all->of[place + 1], &all->of[place],
	   (all->count - place) * sizeof *all->of);
  all->of[place] = *thread;
  all->of[place].name[HEAP_THREAD_NAME_BYTES - 1] = '\0';
  if (all->count < HEAP_THREADS_MAX)
    all->count++;
  else
    heap_thread_add (&all->others, &all->of[HEAP_THREADS_MAX]);
  return true;
}

uint32_t
heap_details_thread_count (const struct heap_details *details)
{
  return details->threads.count;
}

const struct heap_thread *
heap_details_thread_at (const struct heap_details *details, uint32_t number)
{
  return &details->threads.of[number];
}

const struct heap_thread *
heap_details_other_threads (const struct heap_details *details)
{
  return details->threads.others.threads > 0 ? &details->threads.others : NULL;
}

bool
heap_threads_merge (struct heap_details *details,
		    const struct heap_details *source)
{
  const struct heap_threads *from = &source->threads;
  for (uint32_t i = 0; i < from->count; i++)
    if (!heap_details_add_thread (details, &from->of[i]))
      return false;
  if (from->others.threads > 0)
    heap_thread_add (&details->threads.others, &from->others);
  return true;
}

static void
scale (struct heap_thread *thread, uint64_t weight)
{
  thread->alloc_count = saturating_multiply (thread->alloc_count, weight);
  thread->alloc_bytes = saturating_multiply (thread->alloc_bytes, weight);
  thread->live_count = saturating_multiply (thread->live_count, weight);
  thread->live_bytes = saturating_multiply (thread->live_bytes, weight);
  thread->peak_count = saturating_multiply (thread->peak_count, weight);
  thread->peak_bytes = saturating_multiply (thread->peak_bytes, weight);
}

/* A thread stays one: it is not known which of as many runs it was in.  */
void
heap_threads_scale (struct heap_details *details, uint64_t weight)
{
  for (uint32_t i = 0; i < details->threads.count; i++)
    scale (&details->threads.of[i], weight);
  scale (&details->threads.others, weight);
}
