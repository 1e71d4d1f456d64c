/* Writing the threads of the packed raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For each thread that allocated something, n threads that it is the sum of; n
   ID; s start - that of the one before; n end; n blocks and n bytes allocated;
   s blocks and s bytes live; n most bytes; s blocks and s bytes at the peak; n
   bytes of the name, and these; n 0 after the last.  */

#include "raw-pack-threads.h"
#include "pack-output.h"
#include "thread-record.h"

static size_t
name_bytes (const struct heapprof_raw_thread *record)
{
  size_t n = 0;
  while (n < sizeof record->name && record->name[n] != '\0')
    n++;
  return n;
}

/* PEAK_NUMBER is that of the process's peak.  If the record has changed since,
   it has kept what was live then.  */

static void
put_thread (const struct heapprof_raw_thread *record, uint64_t peak_number,
	    uint64_t start_before)
{
  const bool has_kept = record->moment_number >= peak_number;
  const uint64_t live_count = rt_thread_live_count (record);
  const uint64_t live_bytes = rt_thread_live_bytes (record);
  const uint64_t peak_bytes
    = live_bytes <= INT64_MAX && live_bytes > record->peak_bytes
	? live_bytes
	: record->peak_bytes;
  uint8_t *next = rt_put (rt_pack_begin (), record->threads);
  next = rt_put (next, record->tid);
  next = rt_put_signed (next, record->start_ns - start_before);
  next = rt_put (next, record->end_ns);
  next = rt_put (next, record->alloc_count);
  next = rt_put (next, record->alloc_bytes);
  next = rt_put_signed (next, live_count);
  next = rt_put_signed (next, live_bytes);
  next = rt_put (next, peak_bytes);
  next
    = rt_put_signed (next, has_kept ? (uint64_t) (int32_t) record->moment_count
				    : live_count);
  next = rt_put_signed (next, has_kept ? record->moment_bytes : live_bytes);
  next = rt_put (next, name_bytes (record));
  rt_pack_end (next);
  rt_pack_bytes (record->name, name_bytes (record));
}

void
rt_pack_threads (const struct heapprof_raw_header *header, uint32_t count)
{
  uint64_t start = 0;
  for (uint32_t i = 0; i < count; i++)
    {
      /* A copy, as the thread may be running.  */
      const struct heapprof_raw_thread record
	= *(volatile struct heapprof_raw_thread *) rt_thread_at (i);
      if (record.epoch != header->epoch || record.threads == 0
	  || record.alloc_count == 0)
	continue;
      put_thread (&record, header->peak_number, start);
      start = record.start_ns;
    }
  rt_pack_end (rt_put (rt_pack_begin (), 0));
}
