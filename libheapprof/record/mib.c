/* Memory-info blocks: folding observations together.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   This follows LLVM's MemProf, which compares each block with the one folded in
   just before it.  */

#include "mib.h"
#include "mib-fold.h"
#include "heapprof/raw-mib.h"

#define TIME_MASK HEAPPROF_RAW_TIME_MASK
#define TIME_BITS HEAPPROF_RAW_TIME_BITS

/* ---- Narrow.  */

/* Set the times and CPUs of the block folded in last, and the utilization.  */

static void
set_words (struct heapprof_raw_mib *into, const struct rt_observation *block,
	   bool is_first)
{
  uint64_t least = block->utilization, greatest = block->utilization;
  uint64_t first_alloc = block->alloc_ns, first_dealloc = block->dealloc_ns;
  if (!is_first)
    {
      const uint64_t was_least = into->last_dealloc >> TIME_BITS & 0xff;
      const uint64_t was_greatest = into->last_dealloc >> (TIME_BITS + 8);
      least = was_least < least ? was_least : least;
      greatest = was_greatest > greatest ? was_greatest : greatest;
      first_dealloc = into->first_dealloc & TIME_MASK;
      if ((into->first_alloc & TIME_MASK) < first_alloc)
	first_alloc = into->first_alloc & TIME_MASK;
    }
  into->first_alloc = first_alloc | (uint64_t) block->alloc_cpu << TIME_BITS;
  into->first_dealloc
    = first_dealloc | (uint64_t) block->dealloc_cpu << TIME_BITS;
  into->last_dealloc
    = block->dealloc_ns | least << TIME_BITS | greatest << (TIME_BITS + 8);
  into->last_lifetime_ns = heapprof_raw_narrow_value (block->lifetime_ns);
}

/* LIFETIME is the new word with the total of lifetimes and the count of
   overlaps.  */

static void
fold_narrow_lifetime (struct heapprof_raw_mib *into, uint64_t lifetime,
		      uint64_t value, bool is_first)
{
  const uint32_t narrow = heapprof_raw_narrow_value (value);
  into->lifetime = lifetime;
  if (is_first || narrow < into->min_lifetime_ns)
    into->min_lifetime_ns = narrow;
  if (is_first || narrow > into->max_lifetime_ns)
    into->max_lifetime_ns = narrow;
}

static void
fold_narrow_range (struct heapprof_raw_narrow_range *range, uint64_t value,
		   bool is_first)
{
  const uint32_t narrow = (uint32_t) value;
  range->total += narrow;
  if (is_first || narrow < range->min)
    range->min = narrow;
  if (is_first || narrow > range->max)
    range->max = narrow;
}

/* Bit 31 of the result is set if adding VALUE changes the uppermost bit of
   SUM.  */

static uint32_t
carry (uint32_t sum, uint64_t value)
{
  return sum ^ (sum + (uint32_t) value);
}

/* True if adding BLOCK to *INTO changes the uppermost bit of a sum, except for
   that of lifetimes, or a value except for the lifetime does not fit.  */

static bool
needs_wide (const struct heapprof_raw_mib *into,
	    const struct rt_observation *block)
{
  const uint64_t any = block->accesses | block->size | block->access_density
		       | block->lifetime_access_density;
  const uint32_t carries
    = carry (into->access_count.total, block->accesses)
      | carry (into->size.total, block->size)
      | carry (into->access_density.total, block->access_density)
      | carry (into->lifetime_access_density.total,
	       block->lifetime_access_density)
      | carry (into->utilization_total, block->utilization)
      | carry (into->count, 1);
  return (any >> RT_NARROW_BITS | carries >> 31) != 0
	 || block->dealloc_ns >= HEAPPROF_RAW_TIME_MASK;
}

/* How a block compares with the one folded in just before it.  */
struct comparison
{
  uint16_t migrated_cpu;
  bool overlaps;
  uint16_t same_alloc_cpu;
  uint16_t same_dealloc_cpu;
};

static struct comparison
compare (const struct heapprof_raw_mib *into,
	 const struct rt_observation *block, bool is_first)
{
  const bool has_previous = !is_first;
  return (struct comparison){
    .migrated_cpu = block->alloc_cpu != block->dealloc_cpu,
    .overlaps
    = has_previous && block->alloc_ns < (into->last_dealloc & TIME_MASK),
    .same_alloc_cpu
    = has_previous && block->alloc_cpu == into->first_alloc >> TIME_BITS,
    .same_dealloc_cpu
    = has_previous && block->dealloc_cpu == into->first_dealloc >> TIME_BITS
  };
}

/* The lifetime of BLOCK, which is being folded into *INTO, does not fit: set
   what *WIDE has of it.  If the process is killed before *INTO refers to it,
   nothing has changed.  */

static void
set_long_lifetime (const struct heapprof_raw_mib *into,
		   struct heapprof_raw_observations *wide,
		   const struct rt_observation *block)
{
  const uint64_t value = block->lifetime_ns;
  if (into->max_lifetime_ns != UINT32_MAX || value > wide->lifetime_ns.max)
    wide->lifetime_ns.max = value;
  if (into->min_lifetime_ns == UINT32_MAX && value < wide->lifetime_ns.min)
    wide->lifetime_ns.min = value;
  wide->last_alloc_ns = block->alloc_ns;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
}

/* Fold BLOCK into *INTO, and only its lifetime into *WIDE, unless that is NULL:
   then the lifetime fits.  Return false, with nothing changed, if more does not
   fit.  */

static inline __attribute__ ((always_inline)) bool
fold_sums (struct heapprof_raw_mib *into,
	   struct heapprof_raw_observations *wide,
	   const struct rt_observation *block)
{
  const bool is_first = into->count == 0;
  if (needs_wide (into, block) || (is_first && into->wide != 0))
    return false;
  const struct comparison now = compare (into, block, is_first);
  const uint16_t migrated = into->migrated_cpu + now.migrated_cpu;
  const uint64_t lifetime = into->lifetime + block->lifetime_ns
			    + ((uint64_t) now.overlaps << TIME_BITS);
  const uint16_t same_alloc = into->same_alloc_cpu + now.same_alloc_cpu;
  const uint16_t same_dealloc = into->same_dealloc_cpu + now.same_dealloc_cpu;
  if (((migrated ^ into->migrated_cpu) | (same_alloc ^ into->same_alloc_cpu)
       | (same_dealloc ^ into->same_dealloc_cpu))
	  >> 15
	!= 0
      || ((lifetime ^ into->lifetime) & RT_LIFETIME_CARRIES) != 0)
    return false;
  if (wide != NULL)
    set_long_lifetime (into, wide, block);
  into->migrated_cpu = migrated;
  into->same_alloc_cpu = same_alloc;
  into->same_dealloc_cpu = same_dealloc;
  fold_narrow_range (&into->access_count, block->accesses, is_first);
  fold_narrow_range (&into->size, block->size, is_first);
  fold_narrow_lifetime (into, lifetime, block->lifetime_ns, is_first);
  fold_narrow_range (&into->access_density, block->access_density, is_first);
  fold_narrow_range (&into->lifetime_access_density,
		     block->lifetime_access_density, is_first);
  into->utilization_total += block->utilization;
  set_words (into, block, is_first);
  into->count++;
  return true;
}

bool
rt_fold_narrow (struct heapprof_raw_mib *into,
		const struct rt_observation *block)
{
  return block->lifetime_ns < UINT32_MAX && fold_sums (into, NULL, block);
}

/* Do the same if only the lifetime does not fit, as is usual in processes that
   run for more than four seconds.  */

static bool
fold_long (struct heapprof_raw_mib *into,
	   struct heapprof_raw_observations *wide,
	   const struct rt_observation *block)
{
  return block->lifetime_ns >= UINT32_MAX
	 && block->lifetime_ns >> (TIME_BITS - 1) == 0
	 && fold_sums (into, wide, block);
}

/* ---- Wide.  */

struct heapprof_raw_observations
rt_mib_observations (const struct heapprof_raw_mib *mib,
		     const struct heapprof_raw_wide *wide)
{
  return heapprof_raw_mib_observations (mib, wide == NULL
					       ? NULL
					       : &wide->observations);
}

struct heapprof_raw_live
rt_mib_balance (uint32_t index, const struct heapprof_raw_mib *mib,
		const struct heapprof_raw_wide *wide)
{
  const uint64_t size_base = wide == NULL ? 0 : wide->observations.size.total;
  return (struct heapprof_raw_live){
    .mib = index,
    .count = mib->alloc_count - mib->count,
    .bytes
    = mib->alloc_bytes - heapprof_raw_whole_sum (size_base, mib->size.total, 32)
  };
}

static void
fold_range (struct heapprof_raw_range *range, uint64_t value, uint64_t weight,
	    bool is_first)
{
  range->total += value * weight;
  if (is_first || value < range->min)
    range->min = value;
  if (is_first || value > range->max)
    range->max = value;
}

/* Fold in the fields that compare a block with the preceding one.  */

static void
fold_sequence (struct heapprof_raw_observations *into,
	       const struct rt_observation *block, uint64_t weight,
	       bool is_first)
{
  if (is_first || block->alloc_ns < into->first_alloc_ns)
    into->first_alloc_ns = block->alloc_ns;
  if (is_first)
    into->first_dealloc_ns = block->dealloc_ns;
  else
    {
      into->lifetime_overlaps
	+= block->alloc_ns < into->last_dealloc_ns ? weight : 0;
      into->same_alloc_cpu += block->alloc_cpu == into->alloc_cpu ? weight : 0;
      into->same_dealloc_cpu
	+= block->dealloc_cpu == into->dealloc_cpu ? weight : 0;
    }
  into->migrated_cpu += block->alloc_cpu != block->dealloc_cpu ? weight : 0;
  into->last_alloc_ns = block->alloc_ns;
  into->last_dealloc_ns = block->dealloc_ns;
  into->alloc_cpu = block->alloc_cpu;
  into->dealloc_cpu = block->dealloc_cpu;
}

static void
fold (struct heapprof_raw_observations *into,
      const struct rt_observation *block, uint64_t weight)
{
  const bool is_first = into->count == 0;
  fold_range (&into->access_count, block->accesses, weight, is_first);
  fold_range (&into->size, block->size, weight, is_first);
  fold_range (&into->lifetime_ns, block->lifetime_ns, weight, is_first);
  fold_range (&into->utilization, block->utilization, weight, is_first);
  fold_range (&into->access_density, block->access_density, weight, is_first);
  fold_range (&into->lifetime_access_density, block->lifetime_access_density,
	      weight, is_first);
  fold_sequence (into, block, weight, is_first);
  into->count += weight;
}

/* Add what BLOCK, with ESTIMATE, contributes to the variances.  */

static void
add_variances (struct heapprof_raw_variances *into,
	       const struct rt_observation *block,
	       const struct rt_estimate *estimate)
{
  const double size = (double) block->size;
  const double accesses = (double) block->accesses;
  into->count += estimate->variance;
  into->bytes += estimate->variance * size * size;
  into->accesses += estimate->access_variance * accesses * accesses;
}

void
rt_fold_wide (struct heapprof_raw_mib *into, struct heapprof_raw_wide *wide,
	      const struct rt_observation *block,
	      const struct rt_estimate *estimate)
{
  if (estimate == NULL && fold_long (into, &wide->observations, block))
    return;
  struct heapprof_raw_observations all = rt_mib_observations (into, wide);
  fold (&all, block, estimate == NULL ? 1 : estimate->weight);
  /* In this order, a sum stays correct if the process is killed in between,
     unless this block alone made its lower bits wrap around.  */
  heapprof_raw_set_mib (into, &all);
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  wide->observations = all;
  if (estimate != NULL)
    add_variances (&wide->variances, block, estimate);
}
