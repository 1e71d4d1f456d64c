/* Merging the allocations of LLVM's records into contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "memprof-fold.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void
memprof_fold_free (struct memprof_fold *fold)
{
  free (fold->listings);
}

void
memprof_fold_begin (struct memprof_fold *fold)
{
  fold->listings_left = 0;
}

/* Return how often the function GUID lists an allocation in CONTEXT: once for
   each of its frames up to the first that is not inlined.  */
static unsigned int
count_listings (const struct heap_profile *profile, uint32_t context,
		uint64_t guid)
{
  const struct context_node *nodes = heap_profile_nodes (profile);
  unsigned int count = 0;
  bool is_inline = true;
  for (; is_inline && context != 0; context = nodes[context].caller)
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile, nodes[context].frame);
      is_inline = frame->is_inline;
      count += frame->function_guid == guid;
    }
  return count;
}

static bool
is_listed_again (struct memprof_fold *fold, uint32_t context,
		 const struct memory_info *info)
{
  if (fold->listings_left == 0 || fold->context != context
      || memcmp (&fold->info, info, sizeof *info) != 0)
    return false;
  fold->listings_left--;
  return true;
}

/* Record an allocation listed by a function other than the innermost.  */
static bool
add_listing (struct memprof_fold *fold, uint32_t context, size_t offset)
{
  if (fold->listing_count == fold->listing_capacity)
    {
      size_t capacity = fold->listing_capacity * 2 + 64;
      struct memprof_listing *listings
	= realloc (fold->listings, capacity * sizeof *listings);
      if (!listings)
	return false;
      fold->listings = listings;
      fold->listing_capacity = capacity;
    }
  fold->listings[fold->listing_count++]
    = (struct memprof_listing){ context, offset };
  return true;
}

void
memprof_fold_add (struct memprof_fold *fold, struct byte_reader *reader,
		  size_t offset, uint64_t guid, uint32_t context,
		  const struct memory_info *info)
{
  struct heap_profile *profile = fold->profile;
  unsigned int listings = count_listings (profile, context, guid);
  if (info->alloc_count == 0)
    byte_reader_fail (reader, offset, "MIB without allocations");
  if (listings == 0)
    byte_reader_fail (reader, offset,
		      "record of function 0x%" PRIx64
		      ": stack of an allocation does not contain the "
		      "function",
		      guid);
  if (reader->failed)
    return;
  uint32_t frame = heap_profile_context_frame (profile, context);
  if (heap_profile_frame (profile, frame)->function_guid != guid)
    {
      if (!add_listing (fold, context, offset))
	byte_reader_fail_memory (reader);
      return;
    }
  if (is_listed_again (fold, context, info))
    return;
  fold->context = context;
  fold->listings_left = listings - 1;
  fold->info = *info;
  if (!heap_profile_add_info (profile, context, info))
    byte_reader_fail_memory (reader);
}

void
memprof_fold_end (struct memprof_fold *fold, struct byte_reader *reader,
		  memprof_fold_reader *read, void *data)
{
  for (size_t i = 0; i < fold->listing_count && !reader->failed; i++)
    {
      const struct memprof_listing *listing = &fold->listings[i];
      struct memory_info info;
      if (heap_profile_info (fold->profile, listing->context))
	continue;
      read (data, listing->offset, &info);
      if (!heap_profile_add_info (fold->profile, listing->context, &info))
	byte_reader_fail_memory (reader);
    }
}
