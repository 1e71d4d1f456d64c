/* Observing blocks: the work done at each allocation and release.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The functions that the program calls (intercept-*.c) use only rt_allocate,
   rt_release and rt_resize.  */

#ifndef HEAPPROF_OBSERVE_H
#define HEAPPROF_OBSERVE_H

#include "block.h"
#include "mib.h"
#include "thread.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Allocate SIZE bytes aligned to ALIGNMENT, a power of two, zeroed if ZERO.
   FRAME is the frame address of the function that the program called: its
   return address is the innermost one of the context.  NULL if memory is
   exhausted.  errno is not changed.  */
void *rt_allocate (size_t size, size_t alignment, bool zero, const void *frame);

/* The same with RT_BLOCK_ALIGNMENT, and not zeroed.  */
void *rt_allocate_usual (size_t size, const void *frame);

/* Release a block that rt_allocate returned.  Other pointers, and blocks
   already released, are ignored.  */
void rt_release (void *data);

/* Resize the block DATA: observed as a release and an allocation.  NULL, and
   nothing changes, if memory is exhausted.  */
void *rt_resize (void *data, size_t size, const void *frame);

/* Return the requested size of block DATA; 0 if it is not a live block.  */
size_t rt_requested_bytes (const void *data);

/* Find the context of the allocation of BLOCK, whose size is known, by the walk
   from FRAME, and count it there.  Return BLOCK, or a copy of it that takes its
   place.  THREAD is the calling thread.  */
struct rt_block *rt_profile_allocation (struct rt_thread *thread,
					struct rt_block *block,
					const void *frame);

/* End the block's life: fold its observation into a MIB of its context and
   clear its counters.  THREAD is the calling thread.  */
void rt_profile_release (struct rt_thread *thread, struct rt_block *block);

/* The calling thread starts to use THREAD, or ends to use it.  */
void rt_profile_thread_start (struct rt_thread *thread);
void rt_profile_thread_end (struct rt_thread *thread);

/* Fold OBSERVATION, of a block allocated in EPOCH that stands for ESTIMATE,
   into the calling thread's MIB for the context of MIB number INDEX.  */
uint32_t rt_profile_record (struct rt_thread *thread, uint32_t index,
			    uint32_t epoch,
			    const struct rt_observation *observation,
			    const struct rt_estimate *estimate);

#endif /* HEAPPROF_OBSERVE_H */
