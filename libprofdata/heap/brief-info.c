/* The short form of MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "brief-info.h"

#define AT(member) offsetof (struct memory_info, member)

/* By place: offsets of the 64-bit fields.  */
static const uint16_t wide_fields[BRIEF_INFO_WIDE]
  = { AT (size_bytes.total),
      AT (lifetime_ns.total),
      AT (lifetime_access_density.total),
      AT (lifetime_ns.min),
      AT (lifetime_ns.max),
      AT (access_count.total),
      AT (access_density.total),
      AT (first_alloc_ns),
      AT (last_alloc_ns),
      AT (first_dealloc_ns),
      AT (last_dealloc_ns),
      AT (lifetime_bytes),
      AT (first_alloc_bytes),
      AT (live_bytes),
      AT (peak_bytes) };

static const uint16_t narrow_fields[BRIEF_INFO_NARROW]
  = { AT (size_bytes.min),
      AT (size_bytes.max),
      AT (lifetime_access_density.min),
      AT (lifetime_access_density.max),
      AT (access_count.min),
      AT (access_count.max),
      AT (access_density.min),
      AT (access_density.max),
      AT (utilization_percent.total) };

/* The last two places are for CPUs, which have 32 bits.  */
enum
{
  ALLOC_CPU = BRIEF_INFO_COUNTS - 2,
  DEALLOC_CPU
};

static const uint16_t count_fields[ALLOC_CPU]
  = { AT (live_count),	    AT (peak_count),	    AT (temporary_count),
      AT (migrated_cpu),    AT (lifetime_overlaps), AT (same_alloc_cpu),
      AT (same_dealloc_cpu) };

_Static_assert(BRIEF_INFO_COUNTS == 9 && BRIEF_INFO_WIDE_BYTES == 6,
	       "tables above");

static uint64_t
number_at (const struct memory_info *info, size_t offset)
{
  return *(const uint64_t *) ((const char *) info + offset);
}

static void
set_number (struct memory_info *info, size_t offset, uint64_t value)
{
  *(uint64_t *) ((char *) info + offset) = value;
}

/* Store VALUE at place I of the wide numbers.  This overwrites the next two
   bytes, which must be stored later: one instruction instead of two.  */
static void
put_wide (struct brief_info *brief, int i, uint64_t value)
{
  const uint64_t bytes = htole64 (value);
  memcpy ((char *) brief + brief_info_wide_offset (i), &bytes, sizeof bytes);
}

/* Return the bits of the fields that have no place, and so must be 0.  */
static uint64_t
bits_without_place (const struct memory_info *info)
{
  return info->unfinished_count | info->unfinished_bytes | info->lost_count
	 | info->lost_bytes | info->indirect_count | info->indirect_bytes
	 | info->count_variance.low | info->count_variance.high
	 | info->bytes_variance.low | info->bytes_variance.high
	 | info->access_variance.low | info->access_variance.high;
}

bool
brief_info_make (struct brief_info *brief, const struct memory_info *info)
{
  const bool is_uncounted = info->uncounted_count != 0;
  uint64_t excess = bits_without_place (info);
  excess |= info->uncounted_count ^ (is_uncounted ? info->alloc_count : 0);
  excess |= info->uncounted_bytes ^ (is_uncounted ? info->size_bytes.total : 0);
  uint64_t wide = 0;
  uint64_t narrow = 0;
  uint64_t counts = info->alloc_count | info->alloc_cpu | info->dealloc_cpu;
#pragma GCC unroll 32
  for (int i = 0; i < BRIEF_INFO_WIDE; i++)
    {
      const uint64_t value = number_at (info, wide_fields[i]);
      wide |= value;
      put_wide (brief, i, value);
    }
#pragma GCC unroll 32
  for (int i = 0; i < BRIEF_INFO_NARROW; i++)
    {
      const uint64_t value = number_at (info, narrow_fields[i]);
      narrow |= value;
      brief->narrow[i] = (uint32_t) value;
    }
#pragma GCC unroll 32
  for (int i = 0; i < ALLOC_CPU; i++)
    {
      const uint64_t value = number_at (info, count_fields[i]);
      counts |= value;
      brief->counts[i] = (uint16_t) value;
    }
  brief->counts[ALLOC_CPU] = (uint16_t) info->alloc_cpu;
  brief->counts[DEALLOC_CPU] = (uint16_t) info->dealloc_cpu;
  brief->alloc_count = (uint16_t) info->alloc_count;
  brief->least_percent = (uint8_t) info->utilization_percent.min;
  brief->most_percent = (uint8_t) info->utilization_percent.max;
  brief->is_uncounted = is_uncounted;
  brief->data_type_id = info->data_type_id;
  excess |= wide >> 8 * BRIEF_INFO_WIDE_BYTES | narrow >> 32 | counts >> 16;
  excess
    |= (info->utilization_percent.min | info->utilization_percent.max) >> 8;
  return excess == 0 && info->alloc_count != 0;
}

void
brief_info_read (const struct brief_info *brief, struct memory_info *info)
{
  *info = (struct memory_info){ .alloc_cpu = brief->counts[ALLOC_CPU],
				.dealloc_cpu = brief->counts[DEALLOC_CPU],
				.data_type_id = brief->data_type_id };
  brief_info_read_short (brief, info);
#pragma GCC unroll 32
  for (int i = 3; i < BRIEF_INFO_WIDE; i++)
    set_number (info, wide_fields[i], brief_info_wide (brief, i));
#pragma GCC unroll 32
  for (int i = 0; i < BRIEF_INFO_NARROW; i++)
    set_number (info, narrow_fields[i], brief->narrow[i]);
#pragma GCC unroll 32
  for (int i = 0; i < ALLOC_CPU; i++)
    set_number (info, count_fields[i], brief->counts[i]);
  info->utilization_percent.min = brief->least_percent;
  info->utilization_percent.max = brief->most_percent;
  info->uncounted_bytes = brief->is_uncounted ? info->size_bytes.total : 0;
}

struct brief_field
brief_info_field (size_t offset)
{
  for (int i = 0; i < BRIEF_INFO_WIDE; i++)
    if (wide_fields[i] == offset)
      return (struct brief_field){ (uint16_t) brief_info_wide_offset (i),
				   BRIEF_INFO_WIDE_BYTES };
  for (int i = 0; i < BRIEF_INFO_NARROW; i++)
    if (narrow_fields[i] == offset)
      return (struct brief_field){ offsetof (struct brief_info, narrow[i]), 4 };
  for (int i = 0; i < ALLOC_CPU; i++)
    if (count_fields[i] == offset)
      return (struct brief_field){ offsetof (struct brief_info, counts[i]), 2 };
  return (struct brief_field){ 0, 0 };
}

uint64_t
brief_info_number (const struct brief_info *brief, struct brief_field field)
{
  const char *place = (const char *) brief + field.offset;
  switch (field.bytes)
    {
    case BRIEF_INFO_WIDE_BYTES:
      return brief_info_wide_at (place);
    case 4:
      return *(const uint32_t *) place;
    case 2:
      return *(const uint16_t *) place;
    default:
      return 0;
    }
}
