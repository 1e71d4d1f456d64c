/* The memory-info block (MIB) of one calling context: its fields and the rules
   for merging observations.
   SPDX-License-Identifier: GPL-3.0-or-later

   The fields are those of LLVM's MIB (memory-info.c has the table of their tags
   and sizes) and more that LLVM does not have.  Times are in nanoseconds and
   are converted to LLVM's milliseconds only when LLVM's part of a file is
   written.  */

#ifndef HEAPPROF_MEMORY_INFO_H
#define HEAPPROF_MEMORY_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Sum, minimum and maximum of a quantity over COUNT observations.  If the
     maximum is 0 and the sum is not, minimum and maximum are unknown: a format
     could not store them.  */
  struct memory_info_range
  {
    uint64_t total;
    uint64_t min;
    uint64_t max;
  };

  /* The estimated variance of an estimated number, in units of
     1/MEMORY_INFO_VARIANCE_UNITS: as integers, those of profiles can be added
     up in any order; a block that is almost always a sample adds much less
     than 1.  */
#define MEMORY_INFO_VARIANCE_UNITS 65536
  struct memory_info_variance
  {
    uint64_t low;
    uint64_t high;
  };

  struct memory_info
  {
    /* What LLVM's short records are made of comes first, so that it is in one
       or two cache lines: these two numbers, and the totals of the first three
       ranges.  */

    /* Number of blocks; every range and count below is about these.  */
    uint64_t alloc_count;
    /* Number and, below, bytes of those whose accesses were not counted.  All
       ranges of accesses, densities and utilizations are about the others.  */
    uint64_t uncounted_count;
    struct memory_info_range size_bytes;
    struct memory_info_range lifetime_ns;
    struct memory_info_range lifetime_access_density; /* ACCESS_DENSITY per
							 second */
    struct memory_info_range access_count;
    struct memory_info_range access_density; /* accesses * 100 / byte */
    struct memory_info_range utilization_percent;
    uint64_t first_alloc_ns;   /* earliest of all */
    uint64_t last_alloc_ns;    /* of the block released last */
    uint64_t first_dealloc_ns; /* earliest of all */
    uint64_t last_dealloc_ns;  /* latest of all */
    uint32_t alloc_cpu;	       /* of the block released last */
    uint32_t dealloc_cpu;      /* of the block released last */
    uint64_t migrated_cpu;
    uint64_t lifetime_overlaps;
    uint64_t same_alloc_cpu;
    uint64_t same_dealloc_cpu;
    uint64_t data_type_id;
    uint64_t uncounted_bytes;

    /* Number of the blocks above that were never released: lost, or data that
       lives as long as the program.  */
    uint64_t live_count;
    uint64_t live_bytes;

    /* Blocks of which only the allocation is known, because the process was
       killed before their release.  Not included in ALLOC_COUNT.  */
    uint64_t unfinished_count;
    uint64_t unfinished_bytes;

    /* Blocks that were live when the heap was greatest, and their bytes: sums
       over runs, each at its own peak.  */
    uint64_t peak_count;
    uint64_t peak_bytes;

    /* Blocks that their thread released before it allocated another one.  */
    uint64_t temporary_count;

    /* Lifetimes of all blocks in bytes that the program allocated meanwhile,
       which do not depend on the speed of the machine; those of blocks that
       were never released end with the run.  */
    uint64_t lifetime_bytes;

    /* Bytes that the program had allocated before the first block, rounded down
       by at most a thousandth, plus 1; 0: unknown.  The least of all runs.  */
    uint64_t first_alloc_bytes;

    /* Live blocks to which the program had no pointer when they were looked
       for, and those to which only such blocks have one: sums over runs.  */
    uint64_t lost_count;
    uint64_t lost_bytes;
    uint64_t indirect_count;
    uint64_t indirect_bytes;

    /* If some of the blocks are samples, all numbers above are estimates: each
       sample counts as often as it stands for a block.  How far these may be
       off; 0 if none is a sample.  */
    struct memory_info_variance count_variance;	 /* of ALLOC_COUNT */
    struct memory_info_variance bytes_variance;	 /* of the total size */
    struct memory_info_variance access_variance; /* of the total accesses */
  };

  /* Add N to A: sums and counts are added and saturate.  Minima and maxima are
     merged unless unknown in one of the two; of the first timestamps the
     earlier one is kept; the last timestamps and the CPUs are those of the
     block released last.  Associative and commutative.  */
  void memory_info_add (struct memory_info *a, const struct memory_info *n);

  /* The accesses to the blocks of A are unknown.  */
  void memory_info_forget_accesses (struct memory_info *a);

  /* Return true if the accesses to at least one block of INFO are known.  */
  static inline bool memory_info_is_counted (const struct memory_info *info)
  {
    return info->alloc_count > info->uncounted_count;
  }

  /* Change A as if its blocks had occurred WEIGHT times: counts and sums are
     multiplied and saturate; minima, maxima, times and CPUs stay.  */
  void memory_info_scale (struct memory_info *a, uint64_t weight);

  /* Convert VALUE to the nearest variance; negative numbers and NaN to 0,
     numbers that are too great to the greatest.  And back.  */
  struct memory_info_variance memory_info_variance_of (double value);
  double memory_info_variance_value (const struct memory_info_variance *a);

  /* LLVM's tags, 1 to 27, number its fields.  Tags 26 and 27 (access histogram)
     are always 0 here.  */
  enum memory_info_tag
  {
    MEMORY_INFO_ALLOC_COUNT = 1,
    MEMORY_INFO_TOTAL_ACCESS_COUNT = 2,
    MEMORY_INFO_TOTAL_SIZE = 5,
    MEMORY_INFO_ALLOC_TIMESTAMP = 8,
    MEMORY_INFO_DEALLOC_TIMESTAMP = 9,
    MEMORY_INFO_TOTAL_LIFETIME = 10,
    MEMORY_INFO_TOTAL_LIFETIME_ACCESS_DENSITY = 23,
    MEMORY_INFO_TAG_END = 28
  };

  /* Return the size of field TAG in LLVM's files: 4 or 8; 0 for an unknown
     tag.  */
  size_t memory_info_field_bytes (unsigned int tag);

  /* Return LLVM's name of field TAG ("AllocCount"), NULL for an unknown
     tag.  */
  const char *memory_info_field_name (unsigned int tag);

  /* Return the value of field TAG in LLVM's units (milliseconds), saturated to
     the field's size.  LLVM's files cannot say that accesses are unknown, and
     LLVM takes blocks with few accesses and a long life for cold.  So if the
     accesses to no block are known, the lifetimes are 0, as unknown ones are;
     if those to some are, the total densities are those that all blocks would
     have together if they were like these.  */
  uint64_t memory_info_get (const struct memory_info *info, unsigned int tag);

  /* Set field TAG from a value in LLVM's units.  */
  void memory_info_set (struct memory_info *info, unsigned int tag,
			uint64_t value);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_MEMORY_INFO_H */
