/* The heapprof section: the fields of a MIB, in the order of the bits that mark
   stored fields.
   SPDX-License-Identifier: GPL-3.0-or-later

   Included by the writer and the reader, whose loops over the fields can be
   unrolled because the table is constant.  */

#ifndef HEAPPROF_SECTION_FIELDS_H
#define HEAPPROF_SECTION_FIELDS_H

#include "heapprof-section.h"
#include <stddef.h>

/* clang-format off */
#define HEAPPROF_SECTION_FIELD(member, guess)						      \
  { offsetof (struct memory_info, member),				      \
    sizeof ((struct memory_info *) 0)->member, HEAPPROF_SECTION_##guess }
/* clang-format on */

#define HEAPPROF_SECTION_RANGE(member)                                         \
  HEAPPROF_SECTION_FIELD (member.total, ZERO),                                 \
    HEAPPROF_SECTION_FIELD (member.min, MEAN),                                 \
    HEAPPROF_SECTION_FIELD (member.max, SAME)

static const struct heapprof_section_field
  heapprof_section_fields[HEAPPROF_SECTION_FIELDS]
  = { HEAPPROF_SECTION_FIELD (alloc_count, ZERO),
      HEAPPROF_SECTION_RANGE (access_count),
      HEAPPROF_SECTION_RANGE (size_bytes),
      HEAPPROF_SECTION_RANGE (lifetime_ns),
      HEAPPROF_SECTION_RANGE (utilization_percent),
      HEAPPROF_SECTION_RANGE (access_density),
      HEAPPROF_SECTION_RANGE (lifetime_access_density),
      HEAPPROF_SECTION_FIELD (first_alloc_ns, ZERO),
      HEAPPROF_SECTION_FIELD (last_alloc_ns, SAME),
      HEAPPROF_SECTION_FIELD (first_dealloc_ns, SAME),
      HEAPPROF_SECTION_FIELD (last_dealloc_ns, SAME),
      HEAPPROF_SECTION_FIELD (alloc_cpu, ZERO),
      HEAPPROF_SECTION_FIELD (dealloc_cpu, SAME),
      HEAPPROF_SECTION_FIELD (migrated_cpu, ZERO),
      HEAPPROF_SECTION_FIELD (lifetime_overlaps, ZERO),
      HEAPPROF_SECTION_FIELD (same_alloc_cpu, ZERO),
      HEAPPROF_SECTION_FIELD (same_dealloc_cpu, SAME),
      HEAPPROF_SECTION_FIELD (data_type_id, ZERO),
      HEAPPROF_SECTION_FIELD (live_count, ZERO),
      HEAPPROF_SECTION_FIELD (live_bytes, ZERO),
      HEAPPROF_SECTION_FIELD (unfinished_count, ZERO),
      HEAPPROF_SECTION_FIELD (unfinished_bytes, ZERO),
      HEAPPROF_SECTION_FIELD (count_variance.low, ZERO),
      HEAPPROF_SECTION_FIELD (count_variance.high, ZERO),
      HEAPPROF_SECTION_FIELD (bytes_variance.low, ZERO),
      HEAPPROF_SECTION_FIELD (bytes_variance.high, ZERO),
      HEAPPROF_SECTION_FIELD (access_variance.low, ZERO),
      HEAPPROF_SECTION_FIELD (access_variance.high, ZERO),
      HEAPPROF_SECTION_FIELD (uncounted_count, ZERO),
      HEAPPROF_SECTION_FIELD (uncounted_bytes, ZERO) };

#endif /* HEAPPROF_SECTION_FIELDS_H */
