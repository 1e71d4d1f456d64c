/* LLVM's view of a heap profile: the functions that have records.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "llvm-records-parts.h"
#include "heap-detail-tables.h"
#include <stdlib.h>

int
llvm_records_compare_guids (const void *element1, const void *element2)
{
  uint64_t guid1 = *(const uint64_t *) element1;
  uint64_t guid2 = *(const uint64_t *) element2;
  return (guid1 > guid2) - (guid1 < guid2);
}

uint32_t
llvm_records_find_function (const struct llvm_records *records, uint64_t guid)
{
  size_t low = 0;
  size_t high = records->count;
  while (low + 1 < high)
    {
      size_t middle = low + (high - low) / 2;
      if (records->records[middle].function_guid <= guid)
	low = middle;
      else
	high = middle;
    }
  return low;
}

bool
llvm_records_make_functions (struct llvm_records *records,
			     const struct heap_details *details)
{
  const struct llvm_tree *tree = &records->tree;
  size_t most
    = (size_t) tree->frame_count + heap_details_call_site_count (details);
  uint64_t *guids = malloc ((most + 1) * sizeof *guids);
  records->records = calloc (most + 1, sizeof *records->records);
  records->functions = calloc (tree->frame_count, sizeof *records->functions);
  bool done = guids && records->records && records->functions;
  size_t n = 0;
  for (uint32_t i = 1; done && i < tree->frame_count; i++)
    guids[n++] = tree->frames[i].function_guid;
  for (uint32_t i = 0; done && i < heap_details_call_site_count (details); i++)
    guids[n++] = heap_details_call_site_at (details, i)->function_guid;
  if (n > 0)
    qsort (guids, n, sizeof *guids, llvm_records_compare_guids);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || guids[i] != guids[i - 1])
      records->records[records->count++].function_guid = guids[i];
  for (uint32_t i = 1; done && i < tree->frame_count; i++)
    records->functions[i]
      = llvm_records_find_function (records, tree->frames[i].function_guid);
  free (guids);
  return done;
}
