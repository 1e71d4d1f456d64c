/* Each thread's share of the heap.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A thread's share is the blocks that it allocated, whoever releases them.  The
   thread counts its allocations, and the releases of its own blocks, in a
   record that no other thread changes; a thread that releases blocks of another
   one adds them to a second part of that one's record.

   MIBs belong to structures of threads (mib-table.h), which threads use one
   after the other.  So a block's thread is found from its MIB's owner and the
   time of its allocation.

   The greatest size of a share is exact if the thread releases its blocks
   itself.  Otherwise it may be too low by as much as the thread withholds
   (heap-size.h).  */

#ifndef HEAPPROF_THREAD_HEAP_H
#define HEAPPROF_THREAD_HEAP_H

#include "thread-record.h"
#include <stdbool.h>
#include <stdint.h>

struct rt_thread;

/* Which thread's block was released last, among those of other threads.  */
struct rt_other_thread
{
  struct heapprof_raw_thread *record;
  uint64_t from_ns; /* its blocks were allocated from then */
  uint64_t to_ns;   /* until then */
  uint32_t owner;   /* of their MIBs */
  uint32_t starts;  /* number of threads that had started */
};

/* The part of a thread for its share.  */
struct rt_thread_heap
{
  struct heapprof_raw_thread *record; /* never NULL once it is in use */
  uint64_t from_ns; /* blocks in its MIBs allocated from then on are its own */
  uint64_t high;    /* greatest rt_thread.heap_place since it was set */
  uint32_t epoch;   /* of the record */
  uint32_t number;  /* of the record */
  uint32_t ended;   /* record of the thread that used the structure before */
  uint32_t ended_epoch; /* of that record; if it is an old one there is none */
  struct rt_other_thread other;
};

/* Call once, at start.  */
void rt_thread_heap_begin (void);

/* The calling thread starts to use THREAD, which may be new, or ends to use it;
   the profile is being recorded or not.  */
void rt_thread_heap_start (struct rt_thread *thread, bool is_recorded);
void rt_thread_heap_end (struct rt_thread *thread, bool is_recorded);

/* Note the greatest size of THREAD's share so far.  Any thread may call this.
 */
void rt_thread_heap_look (struct rt_thread *thread);

/* Store the names of running threads in their records.  */
void rt_thread_heap_describe (void);

/* THREAD releases COUNT blocks of SIZE bytes that it has not allocated itself;
   MIB_OWNER is the owner of the MIB where it was counted, at ALLOC_NS.  Before
   the release is counted in THREAD.  */
void rt_thread_heap_release_other (struct rt_thread *thread, uint32_t mib_owner,
				   uint64_t alloc_ns, uint64_t size,
				   uint32_t count);

/* A thread has allocated SIZE bytes in COUNT blocks, or released such blocks of
   its own.  */
static inline void
rt_thread_heap_add (struct rt_thread_heap *heap, uint64_t size, uint32_t count)
{
  struct heapprof_raw_thread *record = heap->record;
  record->alloc_count += count;
  /* Two additions are faster than putting both numbers into a vector.  */
  __asm__("" : "+r"(record));
  record->alloc_bytes += size;
}

static inline void
rt_thread_heap_subtract (struct rt_thread_heap *heap, uint64_t size,
			 uint32_t count)
{
  heap->record->free_count += count;
  heap->record->free_bytes += size;
}

#endif /* HEAPPROF_THREAD_HEAP_H */
