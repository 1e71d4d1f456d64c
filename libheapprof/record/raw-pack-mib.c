/* Writing the MIBs of the packed raw profile; raw-pack.c describes the format.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program may have a million MIBs, and waits for all of them to be written at
   exit: as far as possible no branch depends on a number's value, and there is
   a second copy of the code for processors that find the uppermost bit of a
   number by one instruction.  */

#include "raw-pack-mib.h"
#include "heapprof/raw-mib.h"
#include "pack-output.h"
#include "vectors.h"

#define INLINE inline __attribute__ ((always_inline))

/* Return which of the four DIFFERENCES are nonzero, as bits from FIRST on.  */

static inline uint32_t
mask_of (const uint64_t differences[4], unsigned first)
{
  return ((uint32_t) (differences[0] != 0)
	  | (uint32_t) (differences[1] != 0) << 1
	  | (uint32_t) (differences[2] != 0) << 2
	  | (uint32_t) (differences[3] != 0) << 3)
	 << first;
}

static INLINE uint8_t *
put_observations (uint8_t *next, struct heapprof_raw_observations *seen,
		  struct heapprof_packed_basis *basis)
{
  uint64_t cpus[2] = { seen->alloc_cpu, seen->dealloc_cpu };
  uint64_t differences[HEAPPROF_PACKED_DIFFERENCES];
  heapprof_packed_code (seen, cpus, basis, differences, false);
  uint32_t mask
    = mask_of (differences, 0) | mask_of (differences + 4, 4)
      | mask_of (differences + 8, 8) | mask_of (differences + 12, 12)
      | mask_of (differences + 16, 16) | mask_of (differences + 20, 20)
      | mask_of (differences + 24, 24);
  next = rt_put_small (next, seen->count);
  next = rt_put (next, mask);
  for (; mask != 0; mask &= mask - 1)
    next = rt_put_signed (next, differences[__builtin_ctz (mask)]);
  return next;
}

static uint8_t *
put_variances (uint8_t *next, const struct heapprof_raw_variances *variances)
{
  uint64_t bits[3];
  _Static_assert(sizeof bits == sizeof *variances, "three numbers");
  __builtin_memcpy (bits, variances, sizeof bits);
  for (int i = 0; i < 3; i++)
    next = rt_put (next, bits[i]);
  return next;
}

/* Store MIB, whose wide record's observations are WIDE or NULL, after a MIB of
   CONTEXT_BEFORE; store nothing if it is empty.  */

static INLINE uint8_t *
put_mib (uint8_t *next, const struct rt_pack_mib *mib,
	 const struct heapprof_raw_observations *wide, uint32_t context_before,
	 uint64_t peak_number, struct heapprof_packed_basis *basis)
{
  const struct heapprof_raw_mib *const record = &mib->record;
  const struct heapprof_raw_moment *const moment = &mib->moment;
  struct heapprof_raw_observations seen
    = heapprof_raw_mib_observations (record, wide);
  const uint32_t unfolded_count = record->alloc_count - (uint32_t) seen.count;
  const uint64_t unfolded_bytes = record->alloc_bytes - seen.size.total;
  const bool has_unfolded = unfolded_count != 0 || unfolded_bytes != 0;
  const bool has_live = mib->live_count != 0 || mib->live_bytes != 0;
  /* A snapshot may find a later peak than that in its header.  */
  const bool is_kept = (int32_t) (moment->number - (uint32_t) peak_number) >= 0;
  const uint32_t peak_count = is_kept ? moment->count : unfolded_count;
  const uint64_t peak_bytes = is_kept ? moment->bytes : unfolded_bytes;
  const unsigned peak
    = peak_count == mib->live_count && peak_bytes == mib->live_bytes
	? has_live ? HEAPPROF_PACKED_PEAK_LIVE : 0
      : peak_count != 0 || peak_bytes != 0 ? HEAPPROF_PACKED_PEAK
					   : 0;
  const uint64_t temporary = moment->temporary & HEAPPROF_RAW_TEMPORARY_MASK;
  const unsigned parts = (seen.count != 0 ? HEAPPROF_PACKED_OBSERVATIONS : 0)
			 | (has_unfolded ? HEAPPROF_PACKED_UNFOLDED : 0)
			 | (has_live ? HEAPPROF_PACKED_LIVE : 0) | peak
			 | (temporary != 0 ? HEAPPROF_PACKED_TEMPORARY : 0)
			 | (wide != NULL
				&& (mib->wide.variances.count != 0
				    || mib->wide.variances.accesses != 0)
			      ? HEAPPROF_PACKED_VARIANCES
			      : 0);
  if (parts == 0)
    return next;
  next = rt_put_small (next, parts);
  next = rt_put_signed (next, (uint64_t) record->context - context_before);
  if (has_unfolded)
    {
      next = rt_put_signed (next, (uint64_t) (int32_t) unfolded_count);
      next = rt_put_signed (next, unfolded_bytes);
    }
  if (has_live)
    {
      next = rt_put_signed (next, (uint64_t) (int32_t) mib->live_count);
      next = rt_put_signed (next, mib->live_bytes);
    }
  if (peak == HEAPPROF_PACKED_PEAK)
    {
      next = rt_put_signed (next, (uint64_t) (int32_t) peak_count);
      next = rt_put_signed (next, peak_bytes);
    }
  if (temporary != 0)
    next = rt_put (next, temporary);
  if ((parts & HEAPPROF_PACKED_VARIANCES) != 0)
    next = put_variances (next, &mib->wide.variances);
  next = rt_put_signed (next, moment->lifetime_bytes);
  next = rt_put (next, moment->temporary >> HEAPPROF_RAW_TEMPORARY_BITS);
  basis->live_count
    = heapprof_packed_live_count (mib->live_count, unfolded_count);
  return seen.count == 0 ? next : put_observations (next, &seen, basis);
}

/* Not inline: only one copy for MIBs with a wide record, which are rare, and
   for processors without the instructions that put_mibs_quickly needs.  */

static __attribute__ ((noinline)) uint8_t *
put_any_mib (uint8_t *next, const struct rt_pack_mib *mib,
	     uint32_t context_before, uint64_t peak_number,
	     struct heapprof_packed_basis *basis)
{
  return put_mib (next, mib,
		  mib->record.wide == 0 ? NULL : &mib->wide.observations,
		  context_before, peak_number, basis);
}

static INLINE uint8_t *
put_narrow_mib (uint8_t *next, const struct rt_pack_mib *mib,
		uint32_t context_before, uint64_t peak_number,
		struct heapprof_packed_basis *basis)
{
  return put_mib (next, mib, NULL, context_before, peak_number, basis);
}

static INLINE void
put_mibs (const struct rt_pack_source *source, bool inlines_narrow)
{
  struct heapprof_packed_basis basis
    = { .end_ns = source->header->end_time_ns };
  const uint64_t peak_number = source->header->peak_number;
  struct rt_pack_mib mib;
  uint32_t context = 0;
  for (uint32_t i = 1; i < source->mib_count; i++)
    {
      mib.live_count = 0;
      mib.live_bytes = 0;
      if (!source->get_mib (source->data, i, &mib)
	  || mib.record.context >= source->context_count)
	continue;
      uint8_t *const start = rt_pack_begin ();
      uint8_t *const next
	= inlines_narrow && mib.record.wide == 0
	    ? put_narrow_mib (start, &mib, context, peak_number, &basis)
	    : put_any_mib (start, &mib, context, peak_number, &basis);
      if (next == start)
	continue;
      rt_pack_end (next);
      context = mib.record.context;
    }
  rt_pack_end (rt_put (rt_pack_begin (), 0));
}

#ifdef MACHINE_QUICK_BITS

MACHINE_QUICK_BITS static void
put_mibs_quickly (const struct rt_pack_source *source)
{
  put_mibs (source, true);
}

#endif

void
rt_pack_mibs (const struct rt_pack_source *source)
{
#ifdef MACHINE_QUICK_BITS
  if (machine_has_quick_bits ())
    {
      put_mibs_quickly (source);
      return;
    }
#endif
  put_mibs (source, false);
}
