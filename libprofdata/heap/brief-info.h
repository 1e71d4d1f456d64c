/* A short form of MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later

   A profile has hundreds of thousands of MIBs, and most are of few blocks: many
   of their numbers are small, and others are 0.  The short form takes less than
   half of the memory, and loses nothing: what does not fit has no short form.
 */

#ifndef HEAPPROF_BRIEF_INFO_H
#define HEAPPROF_BRIEF_INFO_H

#include "memory-info.h"
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum
{
  BRIEF_INFO_WIDE = 15,
  BRIEF_INFO_WIDE_BYTES = 6,
  BRIEF_INFO_NARROW = 9,
  BRIEF_INFO_COUNTS = 9
};

/* Which numbers are in which place is in brief-info.c.  What LLVM's short
   records are made of comes first, in one cache line.  */
struct brief_info
{
  uint16_t alloc_count;					/* not 0 */
  uint8_t wide[BRIEF_INFO_WIDE][BRIEF_INFO_WIDE_BYTES]; /* little-endian */
  uint32_t narrow[BRIEF_INFO_NARROW];
  uint16_t counts[BRIEF_INFO_COUNTS];
  uint8_t least_percent; /* of the utilization */
  uint8_t most_percent;
  bool is_uncounted; /* the accesses to none of the blocks were counted */
  uint64_t data_type_id;
};

/* Convert *INFO to *BRIEF.  Return false if it has no short form.  */
bool brief_info_make (struct brief_info *brief, const struct memory_info *info);

/* Convert *BRIEF back to *INFO.  */
void brief_info_read (const struct brief_info *brief, struct memory_info *info);

static inline size_t
brief_info_wide_offset (int i)
{
  return offsetof (struct brief_info, wide)
	 + (size_t) i * BRIEF_INFO_WIDE_BYTES;
}

/* Return the wide number at PLACE, after which there are two more bytes.  */
static inline uint64_t
brief_info_wide_at (const char *place)
{
  uint64_t bytes;
  memcpy (&bytes, place, sizeof bytes);
  return le64toh (bytes) & ((UINT64_C (1) << 8 * BRIEF_INFO_WIDE_BYTES) - 1);
}

static inline uint64_t
brief_info_wide (const struct brief_info *brief, int i)
{
  return brief_info_wide_at ((const char *) brief + brief_info_wide_offset (i));
}

/* Read those fields of *INFO alone that memory_info_get needs for the tags of
   LLVM's short records: the first three wide numbers are totals.  */
static inline void
brief_info_read_short (const struct brief_info *brief, struct memory_info *info)
{
  info->alloc_count = brief->alloc_count;
  info->uncounted_count = brief->is_uncounted ? brief->alloc_count : 0;
  info->size_bytes.total = brief_info_wide (brief, 0);
  info->lifetime_ns.total = brief_info_wide (brief, 1);
  info->lifetime_access_density.total = brief_info_wide (brief, 2);
}

/* Where the short form has a number.  */
struct brief_field
{
  uint16_t offset;
  uint8_t bytes; /* 0: the number is always 0 */
};

/* Return where that is for the field of 64 bits at OFFSET in struct
   memory_info, which must be neither that of blocks nor one of a
   utilization or of uncounted blocks.  */
struct brief_field brief_info_field (size_t offset);

/* Return the number at FIELD of *BRIEF.  */
uint64_t brief_info_number (const struct brief_info *brief,
			    struct brief_field field);

#endif /* HEAPPROF_BRIEF_INFO_H */
