/* The memory-info block (MIB) of one calling context: its fields and the rules
   by which observations are added.
   SPDX-License-Identifier: GPL-3.0-or-later

   The fields are those of LLVM's MIB (memory-info.c has the table of their
   tags and sizes) and what LLVM leaves out.  Times are kept in nanoseconds,
   and narrowed to LLVM's milliseconds only when its part of a file is
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

  /* Sum, least and greatest of a quantity over COUNT observations.  Where the
     greatest is 0 and the sum is not, the least and the greatest are not known:
     a format had no room for them.  */
  struct memory_info_range
  {
    uint64_t total;
    uint64_t min;
    uint64_t max;
  };

  struct memory_info
  {
    /* Blocks folded in; every range and count below speaks of these.  */
    uint64_t alloc_count;
    struct memory_info_range access_count;
    struct memory_info_range size_bytes;
    struct memory_info_range lifetime_ns;
    struct memory_info_range utilization_percent;
    struct memory_info_range access_density; /* accesses * 100 / byte */
    struct memory_info_range lifetime_access_density; /* the same per second */
    uint64_t first_alloc_ns;			      /* least of all */
    uint64_t last_alloc_ns;    /* of the block released last */
    uint64_t first_dealloc_ns; /* least of all */
    uint64_t last_dealloc_ns;  /* greatest of all */
    uint32_t alloc_cpu;	       /* of the block released last */
    uint32_t dealloc_cpu;      /* of the block released last */
    uint64_t migrated_cpu;
    uint64_t lifetime_overlaps;
    uint64_t same_alloc_cpu;
    uint64_t same_dealloc_cpu;
    uint64_t data_type_id;

    /* Of the blocks above, those that were never released: a leak, or data that
       lives as long as the program.  */
    uint64_t live_count;
    uint64_t live_bytes;

    /* Blocks of which only the allocation is known, because the process was
       killed before they were released.  Not in ALLOC_COUNT.  */
    uint64_t unfinished_count;
    uint64_t unfinished_bytes;
  };

  /* Fold N into A: sums and counts are added and saturate, the least and the
     greatest are kept, unless one of the two does not know them, so are the
     first timestamps; the last timestamps and the CPUs are those of the block
     released last.  Associative and commutative.  */
  void memory_info_add (struct memory_info *a, const struct memory_info *n);

  /* Make A what WEIGHT times its blocks would give: counts and sums are
     multiplied and saturate; the least, the greatest, times and CPUs stay.  */
  void memory_info_scale (struct memory_info *a, uint64_t weight);

  /* LLVM's tags, 1 to 27, are the numbers of its fields.  Tag 26 and 27 (access
     histogram) are always 0 here.  */
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

  /* Size of the field TAG in LLVM's files: 4 or 8; 0 for an unknown tag.  */
  size_t memory_info_field_bytes (unsigned int tag);

  /* LLVM's name of the field TAG ("AllocCount"), NULL for an unknown tag.  */
  const char *memory_info_field_name (unsigned int tag);

  /* Value of the field TAG in LLVM's units (milliseconds), saturated to the
     field's size.  */
  uint64_t memory_info_get (const struct memory_info *info, unsigned int tag);

  /* Set the field TAG from a value in LLVM's units.  */
  void memory_info_set (struct memory_info *info, unsigned int tag,
			uint64_t value);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_MEMORY_INFO_H */
