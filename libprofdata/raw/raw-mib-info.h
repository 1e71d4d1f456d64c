/* Raw profiles: conversion of observations to a MIB of the model.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RAW_MIB_INFO_H
#define HEAPPROF_RAW_MIB_INFO_H

#include "heapprof/raw-mib.h"
#include "memory-info.h"
#include <stdbool.h>
#include <stdint.h>

/* What the MIBs of a context counted: allocated blocks, blocks still live when
   the file was completed, and at the peak, and lifetimes.  Each is the sum of
   numbers that MIBs hold modulo 2^32 and 2^64; FIRST_BYTES is the least.  */
struct raw_balance
{
  uint64_t lifetime_bytes;
  uint64_t first_bytes; /* plus 1; 0: unknown */
  uint32_t alloc_count;
  uint64_t alloc_bytes;
  uint32_t live_count;
  uint64_t live_bytes;
  uint32_t peak_count;
  uint64_t peak_bytes;
  uint64_t temporary_count;
};

static inline struct memory_info_range
raw_mib_range (const struct heapprof_raw_range *range)
{
  return (struct memory_info_range){ range->total, range->min, range->max };
}

/* Convert SEEN, which has at least one observation, to *INFO, which is zero: of
   many MIBs, most memory that stays so is never accessed.  */
static inline void
raw_mib_set_info (struct memory_info *info,
		  const struct heapprof_raw_observations *seen)
{
  info->alloc_count = seen->count;
  info->access_count = raw_mib_range (&seen->access_count);
  info->size_bytes = raw_mib_range (&seen->size);
  info->lifetime_ns = raw_mib_range (&seen->lifetime_ns);
  info->utilization_percent = raw_mib_range (&seen->utilization);
  info->access_density = raw_mib_range (&seen->access_density);
  info->lifetime_access_density
    = raw_mib_range (&seen->lifetime_access_density);
  info->first_alloc_ns = seen->first_alloc_ns;
  info->last_alloc_ns = seen->last_alloc_ns;
  info->first_dealloc_ns = seen->first_dealloc_ns;
  info->last_dealloc_ns = seen->last_dealloc_ns;
  info->alloc_cpu = seen->alloc_cpu;
  info->dealloc_cpu = seen->dealloc_cpu;
  info->migrated_cpu = seen->migrated_cpu;
  info->lifetime_overlaps = seen->lifetime_overlaps;
  info->same_alloc_cpu = seen->same_alloc_cpu;
  info->same_dealloc_cpu = seen->same_dealloc_cpu;
}

static inline void
raw_mib_set_variances (struct memory_info *info,
		       const struct heapprof_raw_variances *variances)
{
  info->count_variance = memory_info_variance_of (variances->count);
  info->bytes_variance = memory_info_variance_of (variances->bytes);
  info->access_variance = memory_info_variance_of (variances->accesses);
}

static inline uint32_t
raw_mib_positive32 (uint32_t value)
{
  return value > INT32_MAX ? 0 : value;
}

static inline uint64_t
raw_mib_positive64 (uint64_t value)
{
  return value > INT64_MAX ? 0 : value;
}

/* Set how many blocks of *INFO were live at the end, and how many more were
   live but are not in *INFO.  In the profile of a killed process, one of the
   sums can be one observation ahead; in a complete profile, a context with more
   observations than allocations has those of another context.  */
static inline void
raw_mib_set_live (struct memory_info *info, const struct raw_balance *balance,
		  bool running)
{
  uint32_t unfolded = balance->alloc_count - (uint32_t) info->alloc_count;
  uint64_t unfolded_bytes = balance->alloc_bytes - info->size_bytes.total;
  if (running)
    {
      unfolded = info->unfinished_count = raw_mib_positive32 (unfolded);
      unfolded_bytes = info->unfinished_bytes
	= raw_mib_positive64 (unfolded_bytes);
    }
  info->live_count = raw_mib_positive32 (balance->live_count - unfolded);
  info->live_bytes = raw_mib_positive64 (balance->live_bytes - unfolded_bytes);
  info->peak_count = raw_mib_positive32 (balance->peak_count);
  info->peak_bytes = raw_mib_positive64 (balance->peak_bytes);
  info->temporary_count = balance->temporary_count;
}

/* The length of a run, in nanoseconds and in bytes allocated.  The first is 0
   if it is unknown, the second if lifetimes are.  */
struct raw_length
{
  uint64_t ns;
  uint64_t bytes;
};

/* Return what lifetimes of LIFETIME_NS in total are in bytes, in RUN: an
   estimate.  */
static inline double
raw_mib_expected_bytes (uint64_t lifetime_ns, struct raw_length run)
{
  return run.ns > 0
	   ? (double) lifetime_ns / (double) run.ns * (double) run.bytes
	   : 0;
}

/* Lifetimes in bytes may exceed 64 bits if so many are expected: 2^62.  */
#define RAW_MIB_MOST_BYTES 4611686018427387904.0

/* Set the lifetimes of *INFO in bytes, after raw_mib_set_live.  Blocks that
   were not released lack the bytes of the RUN until then.  What exceeds 64 bits
   is estimated from the lifetimes in nanoseconds.  */
static inline void
raw_mib_set_lifetime (struct memory_info *info,
		      const struct raw_balance *balance, bool running,
		      struct raw_length run)
{
  const double most = RAW_MIB_MOST_BYTES;
  if (run.bytes == 0)
    return;
  const uint32_t kept = raw_mib_positive32 (running && balance->live_count == 0
					      ? balance->alloc_count
						  - (uint32_t) info->alloc_count
					      : balance->live_count);
  const double expected = raw_mib_expected_bytes (info->lifetime_ns.total, run);
  info->lifetime_bytes
    = expected >= 4 * most ? UINT64_MAX
      : expected >= most
	? (uint64_t) expected
	: raw_mib_positive64 (balance->lifetime_bytes + kept * run.bytes);
  info->first_alloc_bytes = balance->first_bytes;
}

/* Add to *BALANCE the lifetimes of a MIB whose first block was allocated after
   SMALL, as coded, other bytes.  */
static inline void
raw_mib_add_lifetime (struct raw_balance *balance, uint64_t lifetime_bytes,
		      uint16_t small)
{
  const uint64_t first = heapprof_raw_from_small (small);
  balance->lifetime_bytes += lifetime_bytes;
  if (small != UINT16_MAX
      && (balance->first_bytes == 0 || first < balance->first_bytes))
    balance->first_bytes = first + 1;
}

#endif /* HEAPPROF_RAW_MIB_INFO_H */
