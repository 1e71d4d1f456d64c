/* Writing the lost blocks of the packed raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For each record of the last search, n context - that of the previous one,
   initially -1; n lost blocks, n lost bytes, and n blocks and n bytes lost
   indirectly; n 0 after the last.  */

#include "raw-pack-leaks.h"
#include "pack-output.h"

static const struct heapprof_raw_leak *
record_at (uint32_t index)
{
  return (const struct heapprof_raw_leak *) rt_tables[RT_LEAKS].records + index;
}

static void
put_leak (const struct heapprof_raw_leak *record, uint32_t context_before)
{
  uint8_t *next
    = rt_put (rt_pack_begin (), (uint32_t) (record->context - context_before));
  next = rt_put (next, record->lost_count);
  next = rt_put (next, record->lost_bytes);
  next = rt_put (next, record->indirect_count);
  rt_pack_end (rt_put (next, record->indirect_bytes));
}

void
rt_pack_leaks (const struct heapprof_raw_header *header, uint32_t contexts)
{
  const uint32_t first = (uint32_t) header->leak_records;
  const uint32_t count = (uint32_t) (header->leak_records >> 32);
  uint32_t before = UINT32_MAX;
  for (uint32_t i = first; i < first + count; i++)
    if (record_at (i)->context < contexts)
      {
	put_leak (record_at (i), before);
	before = record_at (i)->context;
      }
  rt_pack_end (rt_put (rt_pack_begin (), 0));
}
