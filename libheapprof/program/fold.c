/* Folding an observation into a MIB of a thread, whatever it takes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "fold.h"
#include "gate.h"
#include "mib-fold.h"
#include "mib-table.h"
#include "resident.h"

/* Return the MIB for a release in THREAD of a block that was counted in MIB
   INDEX, which is not THREAD's own.  */

static uint32_t
foreign_mib (struct rt_thread *thread, uint32_t index)
{
  if (index == RT_ROOT_MIB)
    return index;
  const uint32_t node = rt_mib_context (index);
  const uint32_t own = rt_mib_for_context (&thread->mibs, node);
  return own != 0 ? own : rt_mib_substitute (&thread->mibs, node);
}

/* Fold OBSERVATION into the root's MIB, as that of its context needs space that
   there is not.  The allocation IS_MOVED there, too, and so are END_BYTES.  */

static void
record_at_root (bool is_moved, uint32_t epoch,
		const struct rt_observation *observation,
		const struct rt_estimate *estimate, uint64_t end_bytes)
{
  const uint32_t weight = estimate == NULL ? 1 : estimate->weight;
  rt_raw_count (&rt_raw_header->dropped_contexts);
  struct heapprof_raw_mib *const root = rt_mib_begin (RT_ROOT_MIB, epoch);
  if (is_moved)
    {
      root->alloc_count += weight;
      root->alloc_bytes += observation->size * weight;
    }
  if (estimate != NULL || !rt_fold_narrow (root, observation))
    rt_fold_wide (root, rt_mib_wide (RT_ROOT_MIB), observation, estimate);
  rt_moment_at (RT_ROOT_MIB)->lifetime_bytes += end_bytes;
  rt_mib_end (root);
}

/* True if the allocation of a block goes to the root when its observation does,
   so that the block does not seem live.  Not that of a block that is live at
   the end, whose live record refers to the MIB where it was counted.  */

static bool
moves_to_root (void)
{
  return rt_gate_is_open ();
}

/* Fold OBSERVATION, in EPOCH, into brief MIB INDEX, one of THREAD's, and add
   END_BYTES to lifetimes; if it does not fit and there is no space, into the
   root's.  Return the number of this MIB, or that of what INDEX has grown to,
   into which the observation must still be folded.  */

static __attribute__ ((noinline)) uint32_t
record_briefly (struct rt_thread *thread, uint32_t index, uint32_t epoch,
		const struct rt_observation *observation, uint64_t end_bytes)
{
  if (rt_brief_fold (index, epoch, observation, end_bytes))
    return index;
  const uint32_t full = rt_mib_grow (&thread->mibs, index);
  if (full != 0)
    return full;
  const bool is_moved = moves_to_root () && rt_brief_subtract (index);
  const bool is_kept = rt_brief_add_bytes (index, end_bytes);
  record_at_root (is_moved, epoch, observation, NULL, is_kept ? 0 : end_bytes);
  return RT_ROOT_MIB;
}

/* Fold OBSERVATION, with ESTIMATE, into MIB OWN, one of THREAD's, or the
   root's, that is not brief.  END_BYTES is added to lifetimes.  */

static inline void
record_fully (struct rt_thread *thread, uint32_t own, uint32_t epoch,
	      const struct rt_observation *observation,
	      const struct rt_estimate *estimate, uint64_t end_bytes)
{
  struct heapprof_raw_mib *const mib = rt_mib_begin (own, epoch);
  if (estimate != NULL
      || (!__builtin_expect (rt_fold_usual (mib, observation), 1)
	  && !rt_fold_narrow (mib, observation)))
    {
      struct heapprof_raw_wide *const wide = rt_mib_wide (own);
      if (wide != NULL)
	rt_fold_wide (mib, wide, observation, estimate);
      else
	{
	  const bool is_moved = moves_to_root ();
	  const uint32_t weight = estimate == NULL ? 1 : estimate->weight;
	  mib->alloc_count -= is_moved ? weight : 0;
	  mib->alloc_bytes -= is_moved ? observation->size * weight : 0;
	  record_at_root (is_moved, epoch, observation, estimate, 0);
	}
    }
  rt_moment_at (own)->lifetime_bytes += end_bytes;
  rt_mib_end (mib);
  rt_familiar_forget (thread->familiars, own);
}

uint32_t
rt_fold_observation (struct rt_thread *thread, uint32_t index, uint32_t epoch,
		     const struct rt_observation *observation,
		     const struct rt_estimate *estimate, uint64_t end_bytes)
{
  if (rt_mib_is_brief (index))
    rt_resident_use_brief (index);
  uint32_t own
    = rt_mib_grown (__builtin_expect (rt_mib_is_own (&thread->mibs, index), 1)
		      ? index
		      : foreign_mib (thread, index));
  if (rt_mib_is_brief (own))
    {
      own = record_briefly (thread, own, epoch, observation, end_bytes);
      if (rt_mib_is_brief (own) || own == RT_ROOT_MIB)
	return own;
    }
  record_fully (thread, own, epoch, observation, estimate, end_bytes);
  return own;
}
