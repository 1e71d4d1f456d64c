/* The heapprof section: fields of a MIB, for its writer and its reader.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-section.h"
#include <string.h>

/* clang-format off */
#define FIELD(member, guess)						      \
  { offsetof (struct memory_info, member),				      \
    sizeof ((struct memory_info *) 0)->member, HEAPPROF_SECTION_##guess }
/* clang-format on */

#define RANGE(member)                                                          \
  FIELD (member.total, ZERO), FIELD (member.min, MEAN), FIELD (member.max, SAME)

const struct heapprof_section_field
  heapprof_section_fields[HEAPPROF_SECTION_FIELDS]
  = { FIELD (alloc_count, ZERO),
      RANGE (access_count),
      RANGE (size_bytes),
      RANGE (lifetime_ns),
      RANGE (utilization_percent),
      RANGE (access_density),
      RANGE (lifetime_access_density),
      FIELD (first_alloc_ns, ZERO),
      FIELD (last_alloc_ns, SAME),
      FIELD (first_dealloc_ns, SAME),
      FIELD (last_dealloc_ns, SAME),
      FIELD (alloc_cpu, ZERO),
      FIELD (dealloc_cpu, SAME),
      FIELD (migrated_cpu, ZERO),
      FIELD (lifetime_overlaps, ZERO),
      FIELD (same_alloc_cpu, ZERO),
      FIELD (same_dealloc_cpu, SAME),
      FIELD (data_type_id, ZERO),
      FIELD (live_count, ZERO),
      FIELD (live_bytes, ZERO),
      FIELD (unfinished_count, ZERO),
      FIELD (unfinished_bytes, ZERO),
      FIELD (count_variance.low, ZERO),
      FIELD (count_variance.high, ZERO),
      FIELD (bytes_variance.low, ZERO),
      FIELD (bytes_variance.high, ZERO),
      FIELD (access_variance.low, ZERO),
      FIELD (access_variance.high, ZERO),
      FIELD (uncounted_count, ZERO),
      FIELD (uncounted_bytes, ZERO) };

void
heapprof_section_set (struct memory_info *info,
		      const struct heapprof_section_field *field,
		      uint64_t value)
{
  char *place = (char *) info + field->offset;
  if (field->bytes == 4)
    *(uint32_t *) place = value;
  else
    *(uint64_t *) place = value;
}
