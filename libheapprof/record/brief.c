/* Brief MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "brief.h"
#include "epoch.h"
#include "mib-fold.h"
#include "moment.h"
#include "resident.h"
#include "sys.h"

#define TIME_MASK HEAPPROF_RAW_TIME_MASK

uint64_t *rt_brief_latest;

/* Attempts at copying a record consistently.  */
#define COPY_TRIES 65536u

/* The word that changes when a brief MIB grows.  */
union growth
{
  uint64_t word;
  struct
  {
    uint16_t state;
    uint8_t alloc_count;
    uint8_t count;
    uint32_t full;
  };
};

_Static_assert(offsetof (struct heapprof_raw_brief, state) == 0
		 && offsetof (struct heapprof_raw_brief, full) == 4
		 && sizeof (union growth) == 8,
	       "one word has both");

static union growth
growth_of (const struct heapprof_raw_brief *brief)
{
  typedef uint64_t __attribute__ ((may_alias)) word;
  return (union growth){ .word = __atomic_load_n ((const word *) &brief->state,
						  __ATOMIC_ACQUIRE) };
}

static uint16_t
state_of (const struct heapprof_raw_brief *brief)
{
  return __atomic_load_n (&brief->state, __ATOMIC_RELAXED);
}

static void
set_state (struct heapprof_raw_brief *brief, uint16_t state)
{
  __atomic_store_n (&brief->state, state, __ATOMIC_RELEASE);
}

uint32_t
rt_brief_grown (uint32_t index)
{
  const union growth now = growth_of (rt_brief_at (index));
  return now.state == HEAPPROF_RAW_GROWN ? now.full : index;
}

/* Clear brief MIB INDEX and assign it to EPOCH.  Until then its fields belong
   to an epoch that is ignored.  */

static void
renew (uint32_t index, uint16_t epoch)
{
  struct heapprof_raw_brief *const brief = rt_brief_at (index);
  const struct heapprof_raw_brief empty
    = { .state = state_of (brief),
	.number
	= (uint32_t) __atomic_load_n (&rt_peak_number, __ATOMIC_RELAXED) };
  rt_origin_at (index)->first_bytes = heapprof_raw_small (rt_moment_hook ());
  *brief = empty;
  set_state (brief, epoch);
}

/* BRIEF is about to change: keep what was live in it at the last peak.  Return
   false if that does not fit.  */

static bool
keep_moment (struct heapprof_raw_brief *brief)
{
  const uint32_t number
    = (uint32_t) __atomic_load_n (&rt_peak_number, __ATOMIC_ACQUIRE);
  if (__builtin_expect (brief->number == number, 1))
    return true;
  if (brief->count > brief->alloc_count)
    return false;
  rt_moment_hook ();
  const uint64_t live = brief->alloc_count - brief->count;
  const uint64_t others = ((uint64_t) 1 << HEAPPROF_RAW_BRIEF_UPPER) - 1;
  brief->last_dealloc
    = (brief->last_dealloc & others) | live << HEAPPROF_RAW_BRIEF_UPPER;
  /* If the process is killed before this, the MIB still has the number.  */
  __atomic_store_n (&brief->number,
		    (uint32_t) __atomic_load_n (&rt_peak_number,
						__ATOMIC_ACQUIRE),
		    __ATOMIC_RELEASE);
  return true;
}

/* Return brief MIB INDEX, to be changed in EPOCH, if blocks of SIZE bytes fit;
   otherwise NULL.  */

static struct heapprof_raw_brief *
begin (uint32_t index, uint32_t epoch, uint64_t size)
{
  struct heapprof_raw_brief *const brief = rt_brief_at (index);
  if (state_of (brief) != rt_epoch_of_mibs (epoch))
    renew (index, rt_epoch_of_mibs (epoch));
  const bool is_new = brief->alloc_count == 0 && brief->count == 0;
  if (is_new ? size > UINT16_MAX : size != brief->size)
    return NULL;
  if (!keep_moment (brief))
    return NULL;
  return brief;
}

static void
mark_changing (struct heapprof_raw_brief *brief)
{
  __atomic_store_n (&brief->state, brief->state | HEAPPROF_RAW_CHANGING,
		    __ATOMIC_RELAXED);
  __atomic_thread_fence (__ATOMIC_RELEASE);
}

static void
end (struct heapprof_raw_brief *brief)
{
  set_state (brief, brief->state & HEAPPROF_RAW_EPOCH_MASK);
}

/* The word `lifetime_bytes'.  */
#define BYTES_MASK TIME_MASK

/* True if BYTES, in addition to the lifetimes in BRIEF, fit.  Then set *WORD to
   the sum, as stored.  */

static bool
add_bytes (const struct heapprof_raw_brief *brief, uint64_t bytes,
	   uint64_t *word)
{
  const uint64_t sum
    = heapprof_raw_brief_lifetime_bytes (brief->lifetime_bytes) + bytes;
  *word = sum & BYTES_MASK;
  return heapprof_raw_brief_lifetime_bytes (*word) == sum;
}

bool
rt_brief_allocate (uint32_t index, uint32_t epoch, uint64_t size,
		   uint64_t bytes)
{
  struct heapprof_raw_brief *const brief = begin (index, epoch, size);
  uint64_t word;
  if (brief == NULL || brief->alloc_count == HEAPPROF_RAW_BRIEF_BLOCKS
      || !add_bytes (brief, -bytes, &word))
    return false;
  mark_changing (brief);
  brief->size = (uint16_t) size;
  brief->alloc_count++;
  brief->lifetime_bytes = (brief->lifetime_bytes & ~BYTES_MASK) | word;
  end (brief);
  return true;
}

/* True if BLOCK, whose size fits, can be folded into BRIEF.  */

static bool
fits (const struct heapprof_raw_brief *brief,
      const struct rt_observation *block)
{
  if (brief->count == HEAPPROF_RAW_BRIEF_BLOCKS || block->accesses > UINT16_MAX
      || block->dealloc_ns >= TIME_MASK || block->alloc_cpu > UINT8_MAX
      || block->dealloc_cpu > UINT8_MAX
      || block->lifetime_access_density >> RT_NARROW_BITS != 0
      || (brief->lifetime_access_density + block->lifetime_access_density)
	     >> RT_NARROW_BITS
	   != 0)
    return false;
  return brief->count == 0 || block->accesses == brief->accesses;
}

/* The utilizations: two different ones, or the same twice, and how many blocks
   have the greater one, or all.  */
struct used
{
  uint64_t min;
  uint64_t max;
  uint64_t more;
};

/* Set *USED to those after folding BLOCK into BRIEF; return false if that has
   two others.  */

static bool
add_used (const struct heapprof_raw_brief *brief,
	  const struct rt_observation *block, struct used *used)
{
  const uint64_t value = block->utilization;
  const uint64_t min = heapprof_raw_brief_lower (brief->lifetime_bytes);
  const uint64_t max = heapprof_raw_brief_upper (brief->lifetime_bytes);
  const uint64_t more = brief->lifetime >> HEAPPROF_RAW_BRIEF_MORE_USED;
  if (brief->count == 0)
    *used = (struct used){ value, value, 1 };
  else if (value == max)
    *used = (struct used){ min, max, more + 1 };
  else if (value == min)
    *used = (struct used){ min, max, more };
  else if (min == max && value > max)
    *used = (struct used){ min, value, 1 };
  else if (min == max)
    *used = (struct used){ value, max, more };
  else
    return false;
  return true;
}

/* BLOCK is about to be folded into brief MIB INDEX, of which it IS_FIRST.  If
   it OVERLAPS the one before, it may have been allocated earlier than all
   others.  */

static inline void
fold_origin (uint32_t index, const struct rt_observation *block, bool is_first,
	     bool overlaps)
{
  uint64_t *const latest
    = &rt_brief_latest[(index & ~HEAPPROF_RAW_BRIEF) / RT_BRIEF_CHUNK];
  if (!is_first && (!overlaps || block->alloc_ns >= *latest))
    return;
  struct heapprof_raw_origin *const origin = rt_lone_origin_at (index);
  if (is_first)
    {
      origin->first_dealloc = block->dealloc_ns;
      rt_resident_touch_origins (1);
      if (block->alloc_ns > *latest)
	*latest = block->alloc_ns;
    }
  if (is_first || block->alloc_ns < origin->first_alloc)
    origin->first_alloc = block->alloc_ns;
  /* If the process is killed, it has at least what the MIB counts.  */
  __atomic_signal_fence (__ATOMIC_RELEASE);
}

/* Return the word `min_lifetime' after folding BLOCK into BRIEF, of which it
   IS_FIRST.  */

static uint64_t
new_min (const struct heapprof_raw_brief *brief,
	 const struct rt_observation *block, bool is_first)
{
  if (is_first)
    return block->lifetime_ns;
  const uint64_t last = brief->last_lifetime;
  const uint64_t min_ns = heapprof_raw_brief_time (brief->min_lifetime);
  const uint64_t less
    = block->lifetime_ns < min_ns ? min_ns - block->lifetime_ns : 0;
  return brief->min_lifetime - less
	 + heapprof_raw_brief_word (0,
				    block->alloc_cpu
				      != heapprof_raw_brief_lower (last),
				    block->dealloc_cpu
				      != heapprof_raw_brief_upper (last));
}

/* Return the word `max_lifetime' after folding BLOCK, which OVERLAPS the one
   before, into BRIEF.  */

static uint64_t
new_max (const struct heapprof_raw_brief *brief,
	 const struct rt_observation *block, bool overlaps)
{
  const uint64_t max_ns = heapprof_raw_brief_time (brief->max_lifetime);
  const uint64_t more
    = block->lifetime_ns > max_ns ? block->lifetime_ns - max_ns : 0;
  return brief->max_lifetime + more
	 + heapprof_raw_brief_word (0, block->alloc_cpu != block->dealloc_cpu,
				    overlaps);
}

bool
rt_brief_fold (uint32_t index, uint32_t epoch,
	       const struct rt_observation *block, uint64_t bytes)
{
  struct heapprof_raw_brief *const brief = begin (index, epoch, block->size);
  struct used used;
  uint64_t word;
  if (brief == NULL || !fits (brief, block) || !add_used (brief, block, &used)
      || !add_bytes (brief, bytes, &word))
    return false;
  const bool is_first = brief->count == 0;
  const bool overlaps
    = !is_first
      && block->alloc_ns < heapprof_raw_brief_time (brief->last_dealloc);
  mark_changing (brief);
  fold_origin (index, block, is_first, overlaps);
  brief->size = (uint16_t) block->size;
  brief->accesses = (uint16_t) block->accesses;
  brief->lifetime
    = (heapprof_raw_brief_total (brief->lifetime) + block->lifetime_ns)
      | used.more << HEAPPROF_RAW_BRIEF_MORE_USED;
  brief->min_lifetime = new_min (brief, block, is_first);
  brief->max_lifetime = new_max (brief, block, overlaps);
  brief->last_lifetime
    = heapprof_raw_brief_word (block->lifetime_ns, block->alloc_cpu,
			       block->dealloc_cpu);
  brief->last_dealloc = (brief->last_dealloc & ~TIME_MASK) | block->dealloc_ns;
  brief->lifetime_access_density += (uint32_t) block->lifetime_access_density;
  brief->lifetime_bytes = heapprof_raw_brief_word (word, used.min, used.max);
  brief->count++;
  end (brief);
  return true;
}

bool
rt_brief_subtract (uint32_t index)
{
  struct heapprof_raw_brief *const brief = rt_brief_at (index);
  if (brief->alloc_count == 0)
    return false;
  mark_changing (brief);
  brief->alloc_count--;
  end (brief);
  return true;
}

bool
rt_brief_add_bytes (uint32_t index, uint64_t bytes)
{
  struct heapprof_raw_brief *const brief = rt_brief_at (index);
  uint64_t word;
  if (!add_bytes (brief, bytes, &word))
    return false;
  brief->lifetime_bytes = (brief->lifetime_bytes & ~BYTES_MASK) | word;
  return true;
}

void
rt_brief_add_temporary (uint32_t index)
{
  rt_brief_at (index)->last_dealloc += heapprof_raw_brief_word (0, 1, 0);
}

/* A process killed before the growth leaves a MIB that does not count, as its
   brief one does not lead to it; one killed after it, a MIB that does, although
   it still has the brief one's number.  */

void
rt_brief_grow (uint32_t index, uint32_t full)
{
  struct heapprof_raw_brief *const brief = rt_brief_at (index);
  struct heapprof_raw_mib *const mib = rt_mib_at (full);
  const uint32_t wide = mib->wide;
  struct heapprof_raw_mib expanded;
  heapprof_raw_brief_expand (brief, rt_origin_at (index), &expanded,
			     rt_moment_at (full));
  if (wide != HEAPPROF_RAW_NO_INDEX)
    rt_wide_at (wide)->observations
      = heapprof_raw_brief_observations (brief, &expanded);
  expanded.wide = index;
  __atomic_store_n (&mib->wide, index, __ATOMIC_RELEASE);
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  *mib = expanded;
  const union growth grown = { .state = HEAPPROF_RAW_GROWN, .full = full };
  typedef uint64_t __attribute__ ((may_alias)) word;
  __atomic_store_n ((word *) &brief->state, grown.word, __ATOMIC_RELEASE);
  __atomic_store_n (&mib->wide, wide, __ATOMIC_RELEASE);
}

bool
rt_brief_copy (uint32_t index, struct heapprof_raw_mib *mib,
	       struct heapprof_raw_wide *wide,
	       struct heapprof_raw_moment *moment)
{
  struct heapprof_raw_brief *const from = rt_brief_at (index);
  struct heapprof_raw_brief copy;
  struct heapprof_raw_origin origin;
  for (unsigned tries = 1;; tries++)
    {
      const union growth before = growth_of (from);
      if (before.state == HEAPPROF_RAW_GROWN)
	return false;
      copy = *(volatile struct heapprof_raw_brief *) from;
      origin = *(volatile struct heapprof_raw_origin *) rt_origin_at (index);
      __atomic_thread_fence (__ATOMIC_ACQUIRE);
      const union growth after = growth_of (from);
      /* Its thread may have been stopped for good.  */
      if (after.state != HEAPPROF_RAW_GROWN
	  && (tries == COPY_TRIES
	      || ((before.state & HEAPPROF_RAW_CHANGING) == 0
		  && before.word == after.word)))
	break;
      if (tries % 64 == 0)
	sys_yield ();
    }
  heapprof_raw_brief_expand (&copy, &origin, mib, moment);
  if (heapprof_raw_brief_is_long (&copy))
    {
      *wide = (struct heapprof_raw_wide){
	.observations = heapprof_raw_brief_observations (&copy, mib)
      };
      mib->wide = index;
    }
  return true;
}

uint32_t
rt_brief_balance (uint32_t index, uint64_t epoch,
		  struct heapprof_raw_live *live)
{
  const struct heapprof_raw_brief *const brief = rt_brief_at (index);
  const union growth now = growth_of (brief);
  if (now.state == HEAPPROF_RAW_GROWN)
    return now.full;
  const bool counts = (now.state & HEAPPROF_RAW_EPOCH_MASK) == epoch;
  const uint32_t count
    = counts ? (uint32_t) now.alloc_count - (uint32_t) now.count : 0;
  *live
    = (struct heapprof_raw_live){ .mib = index,
				  .count = count,
				  .bytes = (uint64_t) (int64_t) (int32_t) count
					   * brief->size };
  return 0;
}

void
rt_brief_retire (uint32_t index, uint16_t current)
{
  struct heapprof_raw_brief *const brief = rt_brief_at (index);
  uint16_t state = state_of (brief);
  if (state != current && (state & HEAPPROF_RAW_CHANGING) == 0)
    __atomic_compare_exchange_n (&brief->state, &state, 0, false,
				 __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
