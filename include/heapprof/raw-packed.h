/* The packed form of the raw profile (doc/raw-format.md), shared by its one
   writer (libheapprof/record/raw-pack.c) and its one reader
   (libprofdata/raw/raw-unpack.c).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A packed file is a short header and a body of LEB128 numbers.  Most fields of
   observations follow from others, or nearly so: only the differences from a
   prediction are stored, and differences of 0 are omitted.  The predictions are
   defined once, here, so that writer and reader cannot disagree.  All
   arithmetic is modulo 2^64: any value can be coded, whatever the
   prediction.  */

#ifndef HEAPPROF_RAW_PACKED_H
#define HEAPPROF_RAW_PACKED_H

#include "heapprof/raw-format.h"
#include <stdbool.h>
#include <stddef.h>

/* The first 32 bytes have the layout of struct heapprof_raw_header.  */
struct heapprof_packed_header
{
  uint8_t magic[HEAPPROF_RAW_MAGIC_BYTES]; /* 0 */
  uint32_t byte_order;	 /* 8: of the numbers in this header */
  uint32_t version;	 /* 12: HEAPPROF_RAW_VERSION */
  uint32_t header_bytes; /* 16: HEAPPROF_PACKED_HEADER_BYTES */
  uint8_t word_bytes;	 /* 20 */
  uint8_t granule_shift; /* 21 */
  uint8_t flags;	 /* 22: HEAPPROF_RAW_PACKED and others */
  uint8_t more_flags;	 /* 23: enum heapprof_raw_more_flags */
  uint32_t machine;	 /* 24 */
  uint32_t state;	 /* 28: complete or snapshot */
  uint64_t body_bytes;	 /* 32: what follows the header */
  uint32_t reserved1;	 /* 40: 0 */
  uint32_t crc;		 /* 44: CRC-32 of the body and then of the
			    header up to here */
};

#define HEAPPROF_PACKED_HEADER_BYTES 48
#define HEAPPROF_PACKED_CHECKED_BYTES 44

/* The 64-bit words of struct heapprof_raw_header from `snapshot' up to but not
   including `extent_count', and the index of the one that is not stored.  */
#define HEAPPROF_PACKED_FIRST_WORD 48
#define HEAPPROF_PACKED_WORDS 56
#define HEAPPROF_PACKED_PROGRAM_NAME 5

/* A path starts with the number of bytes it shares with the preceding one.
   This is the limit, so that a small file cannot demand much memory.  */
#define HEAPPROF_PACKED_SHARED_MAX 255

/* The parts of a MIB besides its context; 0 ends the MIBs.  */
enum heapprof_packed_mib
{
  HEAPPROF_PACKED_OBSERVATIONS = 1,
  HEAPPROF_PACKED_UNFOLDED
  = 2, /* blocks and bytes allocated minus those folded in */
  HEAPPROF_PACKED_LIVE = 4,	  /* the fields of a live record */
  HEAPPROF_PACKED_PEAK_LIVE = 8,  /* blocks at the peak: the same */
  HEAPPROF_PACKED_PEAK = 16,	  /* blocks and bytes at the peak */
  HEAPPROF_PACKED_TEMPORARY = 32, /* temporary blocks */
  HEAPPROF_PACKED_VARIANCES = 64, /* the bits of these three numbers */
  HEAPPROF_PACKED_PARTS_END = 128
};

/* The number of differences of observations.  They are in the order of their
   mask bits and values: those that are nonzero for a single block come
   first.  */
#define HEAPPROF_PACKED_DIFFERENCES 28

/* What observations are predicted from, in addition to their own fields.  */
struct heapprof_packed_basis
{
  uint64_t size;	   /* minimum size, first allocation and CPU of */
  uint64_t first_alloc_ns; /* the observations coded just before, initially 0 */
  uint64_t alloc_cpu;
  uint64_t end_ns;     /* end_time_ns of the header */
  uint64_t live_count; /* blocks among these that were live then */
};

/* Code one field: compute *VALUE from its prediction, or the reverse.  */

static inline __attribute__ ((always_inline)) void
heapprof_packed_step (uint64_t *value, uint64_t prediction,
		      uint64_t **difference, bool is_decoding)
{
  if (is_decoding)
    *value = prediction + **difference;
  else
    **difference = *value - prediction;
  ++*difference;
}

static inline uint64_t
heapprof_packed_min (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static inline uint64_t
heapprof_packed_max (uint64_t a, uint64_t b)
{
  return a < b ? b : a;
}

static inline uint64_t
heapprof_packed_ratio (uint64_t dividend, uint64_t divisor)
{
  return divisor <= 1 ? dividend : dividend / divisor;
}

/* Return the total of COUNT values if one is the maximum and all others are the
   minimum: exact for one value, for two, and for equal ones.  */

static inline uint64_t
heapprof_packed_total (uint64_t count, const struct heapprof_raw_range *range)
{
  return (count - 1) * range->min + range->max;
}

/* Compute DIFFERENCES, those of *SEEN from its prediction, or if IS_DECODING,
   *SEEN from DIFFERENCES; in both cases `count' is set and nonzero.  CPUS are
   its CPU numbers, which may have more bits in a damaged file.  Update *BASIS
   for the next observations.  */

static inline __attribute__ ((always_inline)) void
heapprof_packed_code (struct heapprof_raw_observations *seen, uint64_t cpus[2],
		      struct heapprof_packed_basis *basis,
		      uint64_t differences[HEAPPROF_PACKED_DIFFERENCES],
		      bool is_decoding)
{
#define CODE(field, prediction)                                                \
  heapprof_packed_step (&(field), prediction, &difference, is_decoding)
  uint64_t *difference = differences;
  const uint64_t count = seen->count;
  const bool is_all_live = basis->live_count == count;
  struct heapprof_raw_range *const accesses = &seen->access_count;
  struct heapprof_raw_range *const size = &seen->size;
  struct heapprof_raw_range *const lifetime = &seen->lifetime_ns;
  struct heapprof_raw_range *const utilization = &seen->utilization;
  struct heapprof_raw_range *const density = &seen->access_density;
  struct heapprof_raw_range *const lifetime_density
    = &seen->lifetime_access_density;
  const uint64_t ms = 1000000;

  CODE (size->min, basis->size);
  CODE (accesses->min, 0);
  CODE (seen->first_alloc_ns, basis->first_alloc_ns);
  CODE (seen->first_dealloc_ns,
	is_all_live ? basis->end_ns : seen->first_alloc_ns);
  CODE (seen->last_alloc_ns, seen->first_alloc_ns);
  CODE (seen->last_dealloc_ns, count == 1	       ? seen->first_dealloc_ns
			       : basis->live_count > 0 ? basis->end_ns
						       : seen->last_alloc_ns);
  CODE (utilization->min, accesses->min > 0 ? 100 : 0);

  CODE (size->max, size->min);
  const bool sizes_are_equal = size->min == size->max;
  CODE (accesses->max,
	sizes_are_equal
	  ? accesses->min
	  : heapprof_packed_ratio (size->max * accesses->min, size->min));
  CODE (size->total, heapprof_packed_total (count, size));
  CODE (accesses->total, heapprof_packed_total (count, accesses));
  const uint64_t first = seen->first_dealloc_ns - seen->first_alloc_ns;
  const uint64_t last = seen->last_dealloc_ns - seen->last_alloc_ns;
  CODE (lifetime->min, heapprof_packed_min (first, last));
  CODE (lifetime->max, heapprof_packed_max (first, last));
  CODE (lifetime->total, heapprof_packed_total (count, lifetime));
  CODE (utilization->max, count == 1	      ? utilization->min
			  : accesses->max > 0 ? 100
					      : 0);
  CODE (utilization->total, heapprof_packed_total (count, utilization));

  CODE (cpus[0], basis->alloc_cpu);
  CODE (cpus[1], cpus[0]);
  CODE (density->min, heapprof_packed_ratio (accesses->min * 100, size->min));
  CODE (density->max,
	sizes_are_equal && accesses->min == accesses->max
	  ? density->min
	  : heapprof_packed_ratio (accesses->max * 100, size->max));
  CODE (density->total,
	density->min == density->max ? count * density->min
	: sizes_are_equal
	  ? heapprof_packed_ratio (accesses->total * 100, size->min)
	  : heapprof_packed_ratio (accesses->total * 100 * count, size->total));
  CODE (lifetime_density->min,
	heapprof_packed_ratio (density->min * 1000, lifetime->max / ms));
  CODE (lifetime_density->max,
	heapprof_packed_ratio (density->max * 1000, lifetime->min / ms));
  CODE (lifetime_density->total,
	lifetime->max < 2 * ms
	  ? density->total * 1000
	  : heapprof_packed_total (count, lifetime_density));
  CODE (seen->migrated_cpu, count == 1 && cpus[0] != cpus[1]);
  CODE (seen->same_alloc_cpu, count - 1);
  CODE (seen->same_dealloc_cpu, count - 1);
  CODE (seen->lifetime_overlaps, is_all_live ? count - 1 : 0);
#undef CODE
  basis->size = size->min;
  basis->first_alloc_ns = seen->first_alloc_ns;
  basis->alloc_cpu = cpus[0];
}

/* Return how many of a MIB's observations are of blocks that were live at the
   end, given its UNFOLDED blocks and the LIVE ones of its live record, all
   modulo 2^32.  */

static inline uint64_t
heapprof_packed_live_count (uint32_t live, uint32_t unfolded)
{
  const uint32_t count = live - unfolded;
  return count <= INT32_MAX ? count : 0;
}

/* Map signed differences 0, -1, 1, -2 ... to 0, 1, 2, 3 ...  */

static inline uint64_t
heapprof_packed_zigzag (uint64_t difference)
{
  return difference << 1 ^ -(difference >> 63);
}

static inline uint64_t
heapprof_packed_unzigzag (uint64_t number)
{
  return number >> 1 ^ -(number & 1);
}

HEAPPROF_RAW_ASSERT (sizeof (struct heapprof_packed_header)
		       == HEAPPROF_PACKED_HEADER_BYTES,
		     packed_header);
HEAPPROF_RAW_ASSERT (offsetof (struct heapprof_raw_header, snapshot)
		       == HEAPPROF_PACKED_FIRST_WORD,
		     packed_first_word);
HEAPPROF_RAW_ASSERT (offsetof (struct heapprof_raw_header, program_name)
		       == HEAPPROF_PACKED_FIRST_WORD
			    + 8 * HEAPPROF_PACKED_PROGRAM_NAME,
		     packed_program);
HEAPPROF_RAW_ASSERT (offsetof (struct heapprof_raw_header, extent_count)
		       == HEAPPROF_PACKED_FIRST_WORD
			    + 8 * HEAPPROF_PACKED_WORDS,
		     packed_words);

#endif /* HEAPPROF_RAW_PACKED_H */
