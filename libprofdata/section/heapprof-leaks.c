/* The heapprof section: lost blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-leaks.h"
#include "heapprof-columns.h"

static const struct heapprof_columns columns
  = { .name = "leaks",
      .what = "the leaks",
      .count = 4,
      .offsets = { offsetof (struct memory_info, lost_count),
		   offsetof (struct memory_info, lost_bytes),
		   offsetof (struct memory_info, indirect_count),
		   offsetof (struct memory_info, indirect_bytes) } };

bool
heapprof_leaks_are_there (const struct heap_profile *profile)
{
  return heap_profile_read_totals (profile)->searched_runs > 0;
}

void
heapprof_leaks_write (struct byte_writer *writer,
		      const struct heap_profile *profile,
		      const struct canonical_order *order)
{
  byte_writer_uleb128 (writer,
		       heap_profile_read_totals (profile)->searched_runs);
  heapprof_columns_write (writer, profile, order, &columns);
}

void
heapprof_leaks_read (struct byte_reader *reader, struct heap_profile *profile,
		     const struct heapprof_details_maps *maps)
{
  heap_profile_totals (profile)->searched_runs
    = byte_reader_uleb128 (reader, columns.what);
  heapprof_columns_read (reader, profile, maps, &columns);
}
