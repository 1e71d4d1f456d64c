/* Brief MIBs: what most MIBs of a program with very many contexts hold.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A MIB starts in less than half of the space (heapprof/raw-format.h), most of
   it a record of a line of the processor's cache.  The rest, its origin, is
   seldom needed, so that its page need not be in memory (resident.h).  The MIB
   grows when a block does not fit: after 255 blocks, or if one differs from the
   others in its size or its accesses (mib-table.h).  The number of a brief MIB
   stays valid, as blocks have it, and leads to what it has grown to.

   Only its thread changes a brief MIB.  The root has none, nor have
   samples.  */

#ifndef HEAPPROF_BRIEF_H
#define HEAPPROF_BRIEF_H

#include "heapprof/raw-brief.h"
#include "mib.h"
#include "raw-file.h"
#include <stdbool.h>
#include <stdint.h>

/* Number of brief MIBs that threads take at once.  */
#define RT_BRIEF_CHUNK 32u

/* For each chunk, a time by which a block of each of its MIBs that have folded
   one in had been allocated.  So what is allocated later is not the first one,
   and the origin need not be read.  Only the chunk's thread uses it.  */
extern uint64_t *rt_brief_latest __attribute__ ((visibility ("hidden")));

/* True if INDEX is the number of a brief MIB, which may have grown.  */
static inline bool
rt_mib_is_brief (uint32_t index)
{
  return (int32_t) index < 0;
}

static inline struct heapprof_raw_brief *
rt_brief_at (uint32_t index)
{
  return (struct heapprof_raw_brief *) rt_tables[RT_BRIEFS].records
	 + (index & ~HEAPPROF_RAW_BRIEF);
}

static inline struct heapprof_raw_origin *
rt_origin_at (uint32_t index)
{
  return (struct heapprof_raw_origin *) rt_tables[RT_ORIGINS].records
	 + (index & ~HEAPPROF_RAW_BRIEF);
}

/* The same, for origins in no order.  A page fault for reading would bring the
   pages around it, too; one for writing does not.  */
static inline struct heapprof_raw_origin *
rt_lone_origin_at (uint32_t index)
{
  struct heapprof_raw_origin *const origin = rt_origin_at (index);
  *(volatile uint16_t *) &origin->reserved0 = 0;
  return origin;
}

/* Return the number of the MIB that brief INDEX has grown to; INDEX if it is
   still brief.  */
uint32_t rt_brief_grown (uint32_t index);

/* Return the number of the MIB that INDEX leads to.  */
static inline uint32_t
rt_mib_grown (uint32_t index)
{
  return rt_mib_is_brief (index) ? rt_brief_grown (index) : index;
}

/* Return the context of MIB number INDEX.  */
static inline uint32_t
rt_mib_context (uint32_t index)
{
  return rt_mib_is_brief (index) ? rt_origin_at (index)->context
				 : rt_mib_at (index)->context;
}

/* Count in brief MIB INDEX, of the calling thread, that a block of SIZE bytes
   was allocated in EPOCH, when the process had allocated BYTES.  Return false,
   without counting it, if it does not fit.  */
bool rt_brief_allocate (uint32_t index, uint32_t epoch, uint64_t size,
			uint64_t bytes);

/* Fold BLOCK into it, in EPOCH, and add BYTES to lifetimes.  Return false,
   without doing so, if it does not fit.  */
bool rt_brief_fold (uint32_t index, uint32_t epoch,
		    const struct rt_observation *block, uint64_t bytes);

/* Do not count one block allocated in it any more; return false if it has
   none.  */
bool rt_brief_subtract (uint32_t index);

/* Add BYTES to lifetimes; return false if that does not fit.  */
bool rt_brief_add_bytes (uint32_t index, uint64_t bytes);

/* A block that was folded into it was temporary.  */
void rt_brief_add_temporary (uint32_t index);

/* True if a MIB with what brief MIB INDEX has needs a wide record.  */
static inline bool
rt_brief_is_long (uint32_t index)
{
  return heapprof_raw_brief_is_long (rt_brief_at (index));
}

/* Copy what brief MIB INDEX has to MIB number FULL, an unused one, and let it
   lead there.  If rt_brief_is_long, FULL has a wide record.  */
void rt_brief_grow (uint32_t index, uint32_t full);

/* Copy brief MIB INDEX, which may be changing, to *MIB and *MOMENT, as it was
   at one time.  If that needs a wide record, that is *WIDE, and the field
   `wide' of *MIB is not 0.  Return false if it has grown.  */
bool rt_brief_copy (uint32_t index, struct heapprof_raw_mib *mib,
		    struct heapprof_raw_wide *wide,
		    struct heapprof_raw_moment *moment);

/* If it has grown, return the number of its MIB.  Otherwise set *LIVE to the
   blocks allocated minus those folded in, none if it is not of EPOCH, and
   return 0.  */
uint32_t rt_brief_balance (uint32_t index, uint64_t epoch,
			   struct heapprof_raw_live *live);

/* Mark brief MIB INDEX as unused if it is not of epoch CURRENT.  */
void rt_brief_retire (uint32_t index, uint16_t current);

#endif /* HEAPPROF_BRIEF_H */
