/* The heapprof section: lifetimes in bytes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-lifetimes.h"
#include "heapprof-columns.h"

static const struct heapprof_columns columns
  = { .name = "lifetimes",
      .what = "the lifetimes",
      .count = 2,
      .offsets = { offsetof (struct memory_info, lifetime_bytes),
		   offsetof (struct memory_info, first_alloc_bytes) } };

bool
heapprof_lifetimes_are_there (const struct heap_profile *profile)
{
  return heap_profile_read_totals (profile)->counted_runs > 0;
}

void
heapprof_lifetimes_write (struct byte_writer *writer,
			  const struct heap_profile *profile,
			  const struct canonical_order *order)
{
  const struct heap_totals *totals = heap_profile_read_totals (profile);
  byte_writer_uleb128 (writer, totals->counted_runs);
  byte_writer_uleb128 (writer, totals->counted_bytes);
  heapprof_columns_write (writer, profile, order, &columns);
}

void
heapprof_lifetimes_read (struct byte_reader *reader,
			 struct heap_profile *profile,
			 const struct heapprof_details_maps *maps)
{
  struct heap_totals *totals = heap_profile_totals (profile);
  totals->counted_runs = byte_reader_uleb128 (reader, columns.what);
  totals->counted_bytes = byte_reader_uleb128 (reader, columns.what);
  heapprof_columns_read (reader, profile, maps, &columns);
}
