/* Mapping of LLVM's MIB fields to struct memory_info.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MEMORY_INFO_FIELD_H
#define HEAPPROF_MEMORY_INFO_FIELD_H

#include "memory-info.h"

#define MEMORY_INFO_NS_PER_MS 1000000u

struct memory_info_field
{
  const char *name;   /* in LLVM */
  uint8_t llvm_bytes; /* in LLVM's files */
  uint8_t bytes;      /* in struct memory_info; 0: not stored */
  bool is_time;	      /* nanoseconds here, milliseconds in LLVM's files */
  uint16_t offset;    /* in struct memory_info */
};

/* Indexed by tag.  */
extern const struct memory_info_field memory_info_fields[MEMORY_INFO_TAG_END];

/* Return what memory_info_get returns for FIELD, with VALUE in INFO, if the
   accesses to some blocks are unknown.  */
uint64_t memory_info_assume (const struct memory_info *info,
			     const struct memory_info_field *field,
			     uint64_t value);

/* memory_info_get for FIELD, for hot loops.  */
static inline uint64_t
memory_info_field_get (const struct memory_info *info,
		       const struct memory_info_field *field)
{
  if (field->bytes == 0)
    return 0;
  const char *place = (const char *) info + field->offset;
  uint64_t value
    = field->bytes == 4 ? *(const uint32_t *) place : *(const uint64_t *) place;
  if (__builtin_expect (info->uncounted_count != 0, 0))
    value = memory_info_assume (info, field, value);
  if (field->is_time)
    value /= MEMORY_INFO_NS_PER_MS;
  return field->llvm_bytes == 4 && value > UINT32_MAX ? UINT32_MAX : value;
}

#endif /* HEAPPROF_MEMORY_INFO_FIELD_H */
