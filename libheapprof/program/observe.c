/* Observing blocks: the path of each allocation and release, from top to
   bottom.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "observe.h"
#include "affinity.h"
#include "arena.h"
#include "bytes.h"
#include "context.h"
#include "debug-log.h"
#include "fold.h"
#include "gate.h"
#include "heap-size.h"
#include "histogram.h"
#include "interval.h"
#include "log.h"
#include "memo-usual.h"
#include "mib-table.h"
#include "options.h"
#include "probes.h"
#include "python.h"
#include "raw-file.h"
#include "resident.h"
#include "segment.h"
#include "sound.h"
#include "sys.h"
#include "unwind.h"
#include "walk-memo.h"

/* Count a free of a pointer that is not ours, if there is a file.  */

static void
count_foreign (void)
{
  if (rt_gate_is_open ())
    rt_raw_count (&rt_raw_header->foreign_frees);
}

/* True if the same walk, which led to its context, would do nothing next time
   except lead there again.  False if it would count something.  */

static bool
is_worth_keeping (const struct rt_thread *thread)
{
  const struct rt_walk *const walk = &thread->walker.walk;
  return walk->end == RT_WALK_OUTERMOST && walk->base == 0 && walk->is_own
	 && !rt_options.folds_recursion && walk->known == walk->depth;
}

/* Walk from FRAME; return the index of the MIB of the context found.  */

static __attribute__ ((noinline)) uint32_t
walk_to_mib (struct rt_thread *thread, const void *frame)
{
  struct rt_walker *const walker = &thread->walker;
  struct rt_walk *walk = &walker->walk;
  unsigned common = rt_unwind (walker, frame, rt_options.max_depth);
  if (rt_python_is_there ()
      && rt_python_mix (walker, rt_options.max_depth, &common))
    walk = &walker->python->mixed;
  if (walk->end == RT_WALK_TRUNCATED || walk->base > 0)
    rt_raw_count (&rt_raw_header->truncated_contexts);
  else if (walk->end == RT_WALK_STOPPED)
    rt_raw_count (&rt_raw_header->ended_walks);
  uint32_t node, index = 0;
  if (rt_context_find (walker, walk, common, &node))
    index = rt_mib_for_context (&thread->mibs, node);
  const bool has_mib = index != 0;
  if (!has_mib)
    index = rt_mib_substitute (&thread->mibs, node);
  if (rt_mib_is_brief (index))
    rt_resident_use_brief (index);
  RT_CHECK (rt_mib_exists (index));
  if (HEAPPROF_CHECKING > 1)
    rt_check_all (thread);
  /* The memo compares the stack, which does not have the other frames.  */
  if (walk == &walker->walk && has_mib && node != 0
      && is_worth_keeping (thread))
    rt_memo_keep (walker, (uintptr_t) frame, index);
  return index;
}

/* In a window, move the counts of BLOCK to where they are read.  In a child of
   a fork by a bare system call, which has no file yet, the gate discards the
   window.  */

static inline void
leave_window (const struct rt_block *block)
{
  if (__builtin_expect (rt_window_is_open, 0)
      && (rt_gate_is_open () || rt_gate_open (false)))
    rt_affinity_release (block);
}

/* Count BLOCK of SIZE bytes, in EPOCH, in its MIB, which was brief when the
   context was last seen; with it, the thread has allocated BYTES.  Return false
   if it does not fit, with the block's MIB set to one where it does.  If there
   is no space for that, this is the root's.  */

static __attribute__ ((noinline)) bool
count_briefly (struct rt_thread *thread, struct rt_block *block, size_t size,
	       uint32_t epoch, uint64_t bytes)
{
  const uint32_t known = block->mib;
  rt_resident_use_brief (known);
  uint32_t index = rt_brief_grown (known);
  if (rt_mib_is_brief (index))
    {
      if (rt_brief_allocate (index, epoch, size, bytes))
	return true;
      index = rt_mib_grow (&thread->mibs, index);
    }
  if (index == 0)
    {
      rt_raw_count (&rt_raw_header->dropped_contexts);
      index = RT_ROOT_MIB;
    }
  else
    rt_memo_replace (&thread->walker.memo, known, index);
  block->mib = index;
  return false;
}

/* Do the same in MIB INDEX, the block's, unless that is brief.  */

static inline __attribute__ ((always_inline)) void
count_fully (uint32_t index, size_t weighed, uint32_t epoch, uint64_t bytes,
	     uint32_t weight)
{
  struct heapprof_raw_mib *const mib = rt_mib_begin (index, epoch);
  mib->alloc_count += weight;
  mib->alloc_bytes += weighed;
  rt_moment_at (index)->lifetime_bytes -= bytes * weight;
  rt_mib_end (mib);
}

/* Count BLOCK of SIZE bytes, which stands for WEIGHT blocks and was allocated
   in EPOCH at ALLOC_NS, in its MIB, number INDEX, in the thread's share, and in
   the size of the heap.  */

static inline __attribute__ ((always_inline)) void
count_allocation (struct rt_thread *thread, struct rt_block *block,
		  uint32_t index, size_t size, uint32_t epoch,
		  uint64_t alloc_ns, uint32_t weight)
{
  const uint64_t weighed = size * weight;
  const uint64_t bytes = thread->clock.bytes + weighed;
  if (__builtin_expect (!rt_mib_is_brief (index), 1))
    count_fully (index, weighed, epoch, bytes, weight);
  else if (!count_briefly (thread, block, size, epoch, bytes))
    count_fully (block->mib, weighed, epoch, bytes, weight);
  /* A MIB that is new keeps what there was before its first block.  */
  thread->clock.bytes = bytes;
  rt_thread_heap_add (&thread->heap, weighed, weight);
  rt_heap_size_add (thread, weighed, alloc_ns);
}

/* The same with the options peak=exact or sample.  */

static __attribute__ ((noinline)) void
count_specially (struct rt_thread *thread, struct rt_block *block, size_t size,
		 uint32_t epoch, uint64_t alloc_ns)
{
  uint8_t state = block->state & (uint8_t) ~RT_BLOCK_UP;
  if (rt_sample_bytes != 0 && rt_sample_draw (size))
    state |= RT_BLOCK_UP;
  __atomic_store_n (&block->state, state, __ATOMIC_RELEASE);
  const struct rt_estimate estimate = rt_block_estimate (size, state);
  if (rt_options.is_peak_exact)
    rt_heap_size_begin ();
  count_allocation (thread, block, block->mib, size, epoch, alloc_ns,
		    estimate.weight);
  if (rt_options.is_peak_exact)
    rt_heap_size_end ();
}

/* Someone listens to the probe for allocations: tell it of BLOCK.  Blocks of 0
   bytes stand for no bytes, so their number could not be told.  */

static __attribute__ ((noinline)) void
announce_allocation (const struct rt_block *block)
{
  const uint64_t size = rt_block_size (block);
  if (size != 0)
    rt_probe_alloc (rt_arena_data (block), size, rt_sample_bytes_of (size));
}

/* The same for the release of the block at DATA of SIZE bytes, counted in MIB
   INDEX.  */

static __attribute__ ((noinline)) void
announce_release (const void *data, size_t size, uint32_t index)
{
  if (size != 0 && index != 0)
    rt_probe_free (data);
}

/* From this time on, blocks that are allocated get headers for later times.  No
   block that is allocated at an earlier time and counted at a much later one,
   in a thread that was stopped meanwhile, needs one.  */
#define FAR_TIME_BITS (HEAPPROF_RAW_TIME_BITS - 1)

/* Return a block that can be allocated at NS in place of BLOCK, which is not
   counted yet; BLOCK if there is no memory for it.  */

static __attribute__ ((noinline)) struct rt_block *
hold_time (struct rt_thread *thread, struct rt_block *block, uint64_t ns)
{
  return rt_arena_make_far (&thread->caches, block,
			    !rt_block_holds_time (block, ns));
}

static inline __attribute__ ((always_inline)) struct rt_block *
profile_allocation (struct rt_thread *thread, struct rt_block *block,
		    size_t size, const void *frame)
{
  if (!rt_gate_is_open () && !rt_gate_open (true))
    {
      block->mib = 0;
      return block;
    }
  if (__builtin_expect (__atomic_load_n (&rt_segment_closing, __ATOMIC_RELAXED)
			  != 0,
			0))
    rt_segment_check ();
  uint32_t known = rt_memo_find_usual (&thread->walker, (uintptr_t) frame);
  if (__builtin_expect (known == 0, 0))
    known = rt_memo_find (&thread->walker, (uintptr_t) frame);
  const uint32_t epoch = __atomic_load_n (&rt_epoch, __ATOMIC_RELAXED);
  const uint32_t index = known != 0 ? known : walk_to_mib (thread, frame);
  /* This does not count anything that was counted when it was remembered.  */
  RT_CHECK_FULL (known == 0
		 || (rt_mib_grown (walk_to_mib (thread, frame))
		     == rt_mib_grown (known)));
  uint64_t alloc_ns = rt_raw_event_ns (&thread->clock);
  if (__builtin_expect (alloc_ns >> FAR_TIME_BITS != 0, 0))
    {
      block = hold_time (thread, block, alloc_ns);
      if (!rt_block_holds_time (block, alloc_ns))
	alloc_ns = HEAPPROF_RAW_TIME_MASK;
    }
  rt_block_begin (block, index, epoch, alloc_ns, sys_cpu ());
  thread->newest = block;
  if (__builtin_expect (rt_options.is_special, 0))
    count_specially (thread, block, size, epoch, alloc_ns);
  else
    count_allocation (thread, block, index, size, epoch, alloc_ns, 1);
  if (rt_probe_is_used (&rt_probe_alloc_users))
    announce_allocation (block);
  rt_affinity_event (alloc_ns);
  rt_interval_event (alloc_ns);
  return block;
}

struct rt_block *
rt_profile_allocation (struct rt_thread *thread, struct rt_block *block,
		       const void *frame)
{
  return profile_allocation (thread, block, rt_block_size (block), frame);
}

/* True if the release of BLOCK must be recorded.  Then set *EPOCH to its epoch,
   the present one.  */

static inline bool
is_recorded (const struct rt_block *block, uint32_t *epoch)
{
  if (block->mib == 0 || (!rt_gate_is_open () && !rt_gate_open (false)))
    return false;
  *epoch = __atomic_load_n (&rt_epoch, __ATOMIC_RELAXED);
  return rt_block_is_of (block, *epoch);
}

/* Count the accesses of OBSERVATION, if it is a sample, once: all that were
   counted are these and those to other memory.  */

static inline void
count_sample (const struct rt_observation *observation)
{
  if (rt_sample_bytes != 0)
    __atomic_fetch_add (&rt_raw_header->sample_accesses, observation->accesses,
			__ATOMIC_RELAXED);
}

uint32_t
rt_profile_record (struct rt_thread *thread, uint32_t index, uint32_t epoch,
		   const struct rt_observation *observation,
		   const struct rt_estimate *estimate)
{
  count_sample (observation);
  return rt_fold_observation (thread, index, epoch, observation,
			      rt_sample_bytes == 0 ? NULL : estimate, 0);
}

/* Count the release of a block, at DEALLOC_NS, in the share of the thread that
   allocated it at ALLOC_NS, and in the size of the heap.  The allocation was
   counted in MIB INDEX, and the release in one of this thread, which IS_SAME.
   The block stands for COUNT blocks of SIZE bytes together.  */

static inline __attribute__ ((always_inline)) void
count_in_heap (struct rt_thread *thread, uint32_t index, bool is_same,
	       uint64_t alloc_ns, uint64_t dealloc_ns, uint64_t size,
	       uint32_t count)
{
  if (__builtin_expect (is_same && alloc_ns >= thread->heap.from_ns, 1))
    rt_thread_heap_subtract (&thread->heap, size, count);
  else
    rt_thread_heap_release_other (thread, rt_mib_writer (index), alloc_ns, size,
				  count);
  rt_heap_size_subtract (thread, size, dealloc_ns);
}

/* True if BLOCK, which is being released, is the newest of THREAD.  */

static inline bool
is_newest (struct rt_thread *thread, const struct rt_block *block)
{
  if (block != thread->newest)
    return false;
  thread->newest = NULL;
  return true;
}

/* Count BLOCK as temporary in MIB INDEX.  */

static inline void
count_temporary (uint32_t index)
{
  if (rt_mib_is_brief (index))
    rt_brief_add_temporary (index);
  else
    rt_moment_at (index)->temporary++;
}

/* True if a block counted in MIB INDEX is released in the same MIB if THREAD
   releases it.  */

static inline bool
is_same_mib (const struct rt_thread *thread, uint32_t index)
{
  return __builtin_expect (rt_mib_is_own (&thread->mibs, index), 1)
	 || index == RT_ROOT_MIB;
}

/* Fold OBSERVATION of the release of BLOCK, with ESTIMATE, into MIB INDEX, and
   count it.  Return the number of this MIB, which may have grown meanwhile; 0
   if it was folded into another one.  */

static inline uint32_t
count_release (struct rt_thread *thread, const struct rt_block *block,
	       uint32_t index, uint32_t epoch,
	       const struct rt_observation *observation,
	       const struct rt_estimate *estimate)
{
  const uint32_t weight = estimate == NULL ? 1 : estimate->weight;
  const bool is_same = is_same_mib (thread, index);
  const uint32_t folded
    = rt_fold_observation (thread, index, epoch, observation, estimate,
			   thread->clock.bytes * weight);
  count_in_heap (thread, index, is_same, observation->alloc_ns,
		 observation->dealloc_ns, observation->size * weight, weight);
  /* Another thread's block may have been allocated at the same address.  If
     this is a sample, there may have been other blocks since.  */
  if (is_newest (thread, block) && is_same
      && (estimate == NULL || rt_sample_bytes == 0))
    count_temporary (folded);
  return is_same ? folded : 0;
}

/* The same with the options peak=exact or sample.  */

static __attribute__ ((noinline)) void
release_specially (struct rt_thread *thread, const struct rt_block *block,
		   uint32_t index, uint32_t epoch,
		   const struct rt_observation *observation, uint8_t state)
{
  const struct rt_estimate estimate
    = rt_block_estimate (observation->size, state);
  count_sample (observation);
  if (rt_options.is_peak_exact)
    rt_heap_size_begin ();
  count_release (thread, block, index, epoch, observation,
		 rt_sample_bytes == 0 ? NULL : &estimate);
  if (rt_options.is_peak_exact)
    rt_heap_size_end ();
}

/* STATE is that of the block before it was released.  Return the number of its
   MIB if it was folded into that, and this may be remembered; otherwise 0.  */

static inline uint32_t
record_release (struct rt_thread *thread, const struct rt_block *block,
		uint32_t index, uint32_t epoch,
		const struct rt_observation *observation, uint8_t state)
{
  if (__builtin_expect (!rt_options.is_special, 1))
    return count_release (thread, block, index, epoch, observation, NULL);
  release_specially (thread, block, index, epoch, observation, state);
  return 0;
}

/* Fold the release of BLOCK of EPOCH, whose counters added up to SUM, at NOW_NS
   on CPU into its MIB, and count it.  */

static __attribute__ ((noinline)) void
fold_release (struct rt_thread *thread, const struct rt_block *block,
	      uint32_t epoch, const struct rt_shadow_sum *sum, uint64_t now_ns,
	      uint32_t cpu)
{
  const struct rt_observation observation
    = rt_observe (block, sum, now_ns, cpu);
  const uint32_t index = record_release (thread, block, block->mib, epoch,
					 &observation, block->state);
  if (index > RT_ROOT_MIB && !rt_mib_is_brief (index))
    rt_familiar_meet (rt_familiar_at (thread->familiars, index), index, epoch,
		      &observation, rt_mib_at (index));
}

/* Do the same, if BLOCK has SIZE bytes, if it only adds to sums; return false,
   with nothing changed, if it does not.  */

static inline __attribute__ ((always_inline)) bool
add_release (struct rt_thread *thread, const struct rt_block *block,
	     size_t size, uint32_t epoch, const struct rt_shadow_sum *sum,
	     uint64_t now_ns, uint32_t cpu)
{
  const uint32_t index = block->mib;
  struct rt_familiar *const familiar
    = rt_familiar_at (thread->familiars, index);
  struct heapprof_raw_mib *const mib = rt_mib_at (index);
  struct rt_addend addend;
  const uint64_t alloc_ns = rt_block_alloc_ns_on (block, cpu);
  if (!rt_familiar_knows (familiar, block, size, alloc_ns, sum, epoch, now_ns,
			  cpu, mib, &addend))
    return false;
  rt_mib_begin (index, epoch);
  rt_familiar_fold (familiar, &addend, alloc_ns, now_ns, mib);
  rt_moment_at (index)->lifetime_bytes += thread->clock.bytes;
  rt_mib_end_of (mib, epoch);
  count_in_heap (thread, index, true, alloc_ns, now_ns, size, 1);
  if (is_newest (thread, block))
    rt_moment_at (index)->temporary++;
  return true;
}

/* Fold the histogram of the SIZE bytes at DATA, counted in MIB INDEX, if they
   are RECORDED, and clear it.  */

static void
release_histogram (uint32_t index, const void *data, size_t size, bool recorded)
{
  if (recorded)
    rt_histogram_fold (rt_mib_context (index), data, size);
  rt_histogram_clear (data, size);
}

/* DATA is that of BLOCK, as far as the library knows it.  */

static inline __attribute__ ((always_inline)) void
profile_release (struct rt_thread *thread, struct rt_block *block, void *data)
{
  const size_t size = rt_block_size (block);
  uint32_t epoch;
  if (rt_probe_is_used (&rt_probe_free_users))
    announce_release (rt_arena_data (block), size, block->mib);
  leave_window (block);
  rt_arena_retract (block);
  if (rt_histogram_is_on ())
    release_histogram (block->mib, data, size, is_recorded (block, &epoch));
  const struct rt_shadow_sum sum = rt_shadow_take (data, size);
  RT_CHECK (rt_shadow_is_clear (data, size));
  RT_DEBUG (3, "release 0x%x: %u bytes, MIB %u, %u accesses",
	    (uint64_t) (uintptr_t) data, (uint64_t) size, (uint64_t) block->mib,
	    sum.accesses);
  if (!is_recorded (block, &epoch))
    return;
  const uint64_t now_ns = rt_raw_event_ns (&thread->clock);
  const uint32_t cpu = sys_cpu ();
  if (!add_release (thread, block, size, epoch, &sum, now_ns, cpu))
    fold_release (thread, block, epoch, &sum, now_ns, cpu);
}

void
rt_profile_release (struct rt_thread *thread, struct rt_block *block)
{
  profile_release (thread, block, rt_block_data (block));
}

void
rt_profile_thread_start (struct rt_thread *thread)
{
  rt_thread_heap_start (thread, rt_gate_is_open ());
}

void
rt_profile_thread_end (struct rt_thread *thread)
{
  rt_thread_heap_end (thread, rt_gate_is_open ());
}

/* Allocate for a signal handler that interrupted the library, without
   profiling.  */

static struct rt_block *
allocate_nested (size_t size, size_t alignment)
{
  struct rt_block *const block = rt_arena_allocate_apart (size, alignment);
  if (block == NULL)
    return NULL;
  if (rt_gate_is_open ())
    rt_raw_count (&rt_raw_header->unprofiled_allocations);
  rt_arena_publish (block);
  return block;
}

/* Leave the library with DATA, which the program does not have yet; return it.
   A search for lost blocks that was asked for happens on leaving, and must find
   this pointer: a register, or a place on the stack, holds it.  */

static inline void *
leave_with (void *data)
{
  __asm__ volatile("" : "+r"(data));
  rt_leave ();
  __asm__ volatile("" : "+r"(data));
  return data;
}

static inline __attribute__ ((always_inline)) void *
allocate (size_t size, size_t alignment, bool zero, const void *frame)
{
  struct rt_thread *const thread = rt_enter ();
  struct rt_block *block;
  void *data = NULL;
  bool zeroed = true;
  if (__builtin_expect (thread == NULL, 0))
    {
      block = allocate_nested (size, alignment);
      if (block != NULL)
	data = rt_block_data (block);
    }
  else
    {
      block = rt_arena_allocate_at (&thread->caches, size, alignment, &zeroed,
				    &data);
      if (block != NULL)
	{
	  struct rt_block *const counted
	    = profile_allocation (thread, block, size, frame);
	  if (__builtin_expect (counted != block, 0))
	    data = rt_block_data (counted);
	  rt_arena_publish (counted);
	  RT_DEBUG (3, "allocate 0x%x: %u bytes, MIB %u",
		    (uint64_t) (uintptr_t) data, (uint64_t) size,
		    (uint64_t) counted->mib);
	}
    }
  if (block != NULL && zero && !zeroed)
    own_memset (data, 0, size);
  return leave_with (data);
}

void *
rt_allocate (size_t size, size_t alignment, bool zero, const void *frame)
{
  return allocate (size, alignment, zero, frame);
}

void *
rt_allocate_usual (size_t size, const void *frame)
{
  return allocate (size, RT_BLOCK_ALIGNMENT, false, frame);
}

/* Return the live block at DATA; if there is none, report or count that and
   return NULL.  */

static inline __attribute__ ((always_inline)) struct rt_block *
find_live (const void *data)
{
  static bool said;
  struct rt_block *const block = rt_arena_find (data);
  if (block == NULL)
    count_foreign ();
  else if (__builtin_expect (rt_block_is_live (block), 1))
    return block;
  else if (block->state == RT_BLOCK_FREE)
    count_foreign ();
  else
    rt_log_once (&said, "block 0x%x freed twice; ignored, as are any others",
		 (uint64_t) (uintptr_t) data);
  return NULL;
}

void
rt_release (void *data)
{
  struct rt_thread *const thread = rt_enter ();
  struct rt_block *const block = find_live (data);
  if (block != NULL && thread != NULL)
    {
      profile_release (thread, block, data);
      rt_arena_release_at (&thread->caches, block, data);
    }
  else if (block != NULL)
    rt_defer_release (block);
  rt_leave ();
}

/* Resize BLOCK, which is live, to SIZE bytes without copying; return NULL if it
   does not fit.  Its counts so far belong to the release, which is observed
   before the block may move.  */

static void *
resize_in_place (struct rt_thread *thread, struct rt_block *block, size_t size,
		 const void *frame)
{
  void *const data = rt_block_data (block);
  const size_t old_size = rt_block_size (block);
  const uint32_t old_mib = block->mib;
  const uint8_t old_state = block->state;
  uint32_t epoch = 0;
  const bool recorded = is_recorded (block, &epoch);
  /* Changing a mapping may fail, and then the counters must be unchanged.  */
  const bool may_fail = block->size_class == RT_CLASS_LARGE;
  if (!rt_arena_fits (block, size))
    return NULL;
  leave_window (block);
  const struct rt_shadow_sum sum = may_fail ? rt_shadow_sum (data, old_size)
					    : rt_shadow_take (data, old_size);
  const struct rt_observation observation
    = rt_observe (block, &sum, rt_raw_event_ns (&thread->clock), sys_cpu ());
  struct rt_block *resized = rt_arena_resize (block, size);
  if (resized == NULL)
    return NULL;
  if (rt_histogram_is_on ())
    release_histogram (old_mib, data, old_size, recorded);
  if (rt_probe_is_used (&rt_probe_free_users))
    announce_release (data, old_size, old_mib);
  if (recorded)
    record_release (thread, block, old_mib, epoch, &observation, old_state);
  if (may_fail)
    rt_shadow_take (data, old_size);
  resized = rt_profile_allocation (thread, resized, frame);
  rt_arena_publish (resized);
  RT_DEBUG (3, "resize 0x%x: %u bytes instead of %u, MIB %u",
	    (uint64_t) (uintptr_t) data, (uint64_t) size, (uint64_t) old_size,
	    (uint64_t) resized->mib);
  return rt_block_data (resized);
}

/* Do the same with a new block and a copy.  The old one is released first, as
   far as the profile is concerned: a realloc is not counted as if both were
   live at one time.  Return NULL if memory is exhausted.  */

static void *
resize_by_copy (struct rt_thread *thread, struct rt_block *block, size_t size,
		const void *frame)
{
  bool zeroed;
  struct rt_block *resized
    = rt_arena_allocate (&thread->caches, size, RT_BLOCK_ALIGNMENT, &zeroed);
  if (resized == NULL)
    return NULL;
  const size_t old_size = rt_block_size (block);
  own_memcpy (rt_block_data (resized), rt_block_data (block),
	      old_size < size ? old_size : size);
  rt_profile_release (thread, block);
  resized = rt_profile_allocation (thread, resized, frame);
  rt_arena_publish (resized);
  RT_DEBUG (3, "move 0x%x to 0x%x: %u bytes, MIB %u",
	    (uint64_t) (uintptr_t) rt_block_data (block),
	    (uint64_t) (uintptr_t) rt_block_data (resized), (uint64_t) size,
	    (uint64_t) resized->mib);
  rt_arena_release (&thread->caches, block);
  return rt_block_data (resized);
}

/* Return the number of readable bytes from DATA on, at most SIZE.  */

static size_t
readable_bytes (const char *data, size_t size)
{
  size_t readable = 0;
  while (readable < size && sys_is_readable (data + readable))
    readable += SYS_LEAST_PAGE_BYTES
		- (uintptr_t) (data + readable) % SYS_LEAST_PAGE_BYTES;
  return readable < size ? readable : size;
}

void *
rt_resize (void *data, size_t size, const void *frame)
{
  struct rt_thread *const thread = rt_enter ();
  struct rt_block *const block = find_live (data);
  /* The size of a block that is not ours is unknown: copy what is readable.  */
  const size_t kept
    = block != NULL ? rt_block_size (block) : readable_bytes (data, size);
  void *resized = NULL;
  if (block != NULL && thread != NULL)
    {
      resized = resize_in_place (thread, block, size, frame);
      if (resized == NULL)
	resized = resize_by_copy (thread, block, size, frame);
      return leave_with (resized);
    }
  rt_leave ();

  resized = rt_allocate (size, RT_BLOCK_ALIGNMENT, false, frame);
  if (resized == NULL)
    return NULL;
  own_memcpy (resized, data, kept < size ? kept : size);
  if (block != NULL)
    rt_release (data);
  return resized;
}

size_t
rt_requested_bytes (const void *data)
{
  const struct rt_block *const block = rt_arena_find (data);
  return block != NULL && rt_block_is_live (block) ? rt_block_size (block) : 0;
}
