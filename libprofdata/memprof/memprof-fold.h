/* Merging the allocations of LLVM's records into contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   LLVM lists an allocation in the records of all functions that its innermost
   frames are inlined into; repeatedly, if a function is inlined into itself.
   It is counted once, where the innermost frame's function lists it.  If only
   others list it, the first of these is used.  */

#ifndef HEAPPROF_MEMPROF_FOLD_H
#define HEAPPROF_MEMPROF_FOLD_H

#include "byte-reader.h"
#include "heap-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An allocation listed by a function other than the innermost.  */
struct memprof_listing
{
  uint32_t context;
  size_t offset; /* offset in the file */
};

struct memprof_fold
{
  struct heap_profile *profile;
  struct memprof_listing *listings;
  size_t listing_count;
  size_t listing_capacity;

  /* The last allocation merged, to detect repeated listings.  */
  uint32_t context;
  unsigned int listings_left;
  struct memory_info info;
};

/* All zeros except PROFILE is the initial state.  */
void memprof_fold_free (struct memprof_fold *fold);

/* Start the record of the function GUID.  */
void memprof_fold_begin (struct memprof_fold *fold);

/* Merge the allocation with INFO in CONTEXT, which the function GUID lists at
   OFFSET.  READER fails if it is invalid or memory is exhausted.  */
void memprof_fold_add (struct memprof_fold *fold, struct byte_reader *reader,
		       size_t offset, uint64_t guid, uint32_t context,
		       const struct memory_info *info);

/* Read the MIB of an allocation at OFFSET again.  */
typedef void memprof_fold_reader (void *data, size_t offset,
				  struct memory_info *info);

/* Merge the allocations that only other functions list.  READ gets DATA.  */
void memprof_fold_end (struct memprof_fold *fold, struct byte_reader *reader,
		       memprof_fold_reader *read, void *data);

#endif /* HEAPPROF_MEMPROF_FOLD_H */
