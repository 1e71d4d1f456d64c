/* The numbers of a context as sample types of pprof and OTLP.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-types.h"

const struct sample_type sample_types[SAMPLE_TYPE_COUNT]
  = { { CONTEXT_ALLOCATIONS, "alloc_objects", "count" },
      { CONTEXT_BYTES, "alloc_space", "bytes" },
      { CONTEXT_LIVE_BLOCKS, "inuse_objects", "count" },
      { CONTEXT_LIVE_BYTES, "inuse_space", "bytes" },
      { CONTEXT_ACCESSES, "accesses", "count" },
      { CONTEXT_LIFETIME, "lifetime", "nanoseconds" },
      { CONTEXT_PEAK, "peak_space", "bytes" },
      { CONTEXT_TEMPORARY, "temporary_objects", "count" } };

uint64_t
sample_type_value (const struct sample_type *type,
		   const struct memory_info *info)
{
  uint64_t value = context_measure (info, type->measure);
  return value < INT64_MAX ? value : INT64_MAX;
}
