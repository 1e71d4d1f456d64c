/* Blocks that libraries allocate and that context tokens place.
   SPDX-License-Identifier: GPL-3.0-or-later

   The file has tokens and the stacks that they decide in LLVM's part only.  */

#include "matching-libraries.h"
#include "heap-lookup.h"
#include "saturating.h"
#include <stdlib.h>

static int
compare_guids (const void *element1, const void *element2)
{
  const uint64_t guid1 = *(const uint64_t *) element1;
  const uint64_t guid2 = *(const uint64_t *) element2;
  return (guid1 > guid2) - (guid1 < guid2);
}

/* Return the functions of PROFILE that allocate at an unknown place, sorted,
   and their number in *COUNT.  The caller frees the list; NULL if memory is
   exhausted.  */
static uint64_t *
list_functions (const struct heap_profile *profile, size_t *count)
{
  const uint32_t contexts = heap_profile_context_count (profile);
  uint64_t *guids = calloc ((size_t) contexts + 1, sizeof *guids);
  size_t n = 0;
  for (uint32_t i = 1; guids != NULL && i < contexts; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile, heap_profile_context_frame (profile, i));
      if (heap_profile_info (profile, i) != NULL && frame->line == 0
	  && frame->function_guid != 0)
	guids[n++] = frame->function_guid;
    }
  if (n > 1)
    qsort (guids, n, sizeof *guids, compare_guids);
  *count = n;
  return guids;
}

/* Add to *SUM what the function GUID allocates at an unknown place.  */
static void
add_function (struct matching_sum *sum, struct heap_lookup *lookup,
	      uint64_t guid)
{
  struct heap_lookup_record record;
  struct profile_error ignored;
  if (heap_lookup_find (lookup, guid, &record, &ignored) != INDEXED_FOUND)
    return;
  for (size_t i = 0; i < record.allocation_count; i++)
    {
      const struct heap_lookup_allocation *one = &record.allocations[i];
      const struct heap_lookup_frame *frame = &one->stack.frames[0];
      bool by_token;
      heap_lookup_class (lookup, &one->stack, &by_token);
      if (frame->function != guid || frame->line_offset != 0
	  || frame->column != 0 || !by_token)
	continue;
      sum->contexts++;
      sum->allocations
	= saturating_add (sum->allocations, one->info.alloc_count);
      sum->bytes = saturating_add (sum->bytes, one->info.size_bytes.total);
    }
}

bool
matching_add_libraries (struct matching_sum *sum, const char *path,
			const struct heap_profile *profile)
{
  struct profile_error ignored;
  size_t count;
  struct heap_lookup *lookup = heap_lookup_open (path, &ignored);
  if (lookup == NULL)
    return true;
  uint64_t *guids = list_functions (profile, &count);
  for (size_t i = 0; guids != NULL && i < count; i++)
    if (i == 0 || guids[i] != guids[i - 1])
      add_function (sum, lookup, guids[i]);
  heap_lookup_close (lookup);
  free (guids);
  return guids != NULL;
}
