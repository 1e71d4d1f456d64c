/* The allocations of LLVM's records, folded into contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   LLVM lists an allocation in the records of all functions that its innermost
   frames are inlined into, and as often as one of them is inlined into itself.
   It counts once, where the innermost frame's function lists it.  Should only
   others list it, it is taken from the first of those.  */

#ifndef HEAPPROF_MEMPROF_FOLD_H
#define HEAPPROF_MEMPROF_FOLD_H

#include "byte-reader.h"
#include "heap-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An allocation that another function than the innermost lists.  */
struct memprof_listing
{
  uint32_t context;
  size_t offset; /* where the file has it */
};

struct memprof_fold
{
  struct heap_profile *profile;
  struct memprof_listing *listings;
  size_t listing_count;
  size_t listing_capacity;

  /* The allocation folded last, to know when it is only listed again.  */
  uint32_t context;
  unsigned int listings_left;
  struct memory_info info;
};

/* All zeros but the PROFILE is a fold to begin with.  */
void memprof_fold_free (struct memprof_fold *fold);

/* The record of the function GUID begins.  */
void memprof_fold_begin (struct memprof_fold *fold);

/* Fold the allocation with INFO in CONTEXT, which the function GUID lists at
   OFFSET.  READER fails if that makes no sense, or memory cannot be had.  */
void memprof_fold_add (struct memprof_fold *fold, struct byte_reader *reader,
		       size_t offset, uint64_t guid, uint32_t context,
		       const struct memory_info *info);

/* Read the MIB of an allocation at OFFSET again.  */
typedef void memprof_fold_reader (void *data, size_t offset,
				  struct memory_info *info);

/* Fold those allocations that only other functions list; READ gets DATA.  */
void memprof_fold_end (struct memprof_fold *fold, struct byte_reader *reader,
		       memprof_fold_reader *read, void *data);

#endif /* HEAPPROF_MEMPROF_FOLD_H */
