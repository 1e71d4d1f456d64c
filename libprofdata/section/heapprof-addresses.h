/* The heapprof section: addresses of frames of which not all could be
   named.
   SPDX-License-Identifier: GPL-3.0-or-later

     images	number; each: module, build ID, path (strings)
     frames	number; each: frame's number - that of the one before (the
   first:
		- 0), image, address - the one before as a zigzag number

   All numbers are ULEB128; strings and frames are numbered as in their blocks,
   images from 0 on, and both lists ascend.

   Two frames may be equal but for their addresses, and a reader that makes
   equal frames one must know these first: so the block is read before that of
   the frames, though it stands behind.  */

#ifndef HEAPPROF_HEAPPROF_ADDRESSES_H
#define HEAPPROF_HEAPPROF_ADDRESSES_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "canonical-order.h"
#include "heap-profile.h"
#include "heapprof-details.h"
#include <stdbool.h>
#include <stdint.h>

/* The address of a frame.  */
struct heapprof_address
{
  uint32_t frame;    /* its number in the file */
  uint32_t build_id; /* string ids, as in struct heap_frame */
  uint32_t path;
  uint64_t address;
};

struct heapprof_addresses
{
  struct heapprof_address *list; /* malloced; frames ascend */
  size_t count;
  size_t next; /* the first that was not asked for */
};

/* Has PROFILE any?  */
bool heapprof_addresses_are_there (const struct heap_profile *profile,
				   const struct canonical_order *order);

/* Append the block for PROFILE to WRITER.  */
void heapprof_addresses_write (struct byte_writer *writer,
			       const struct heap_profile *profile,
			       const struct canonical_order *order);

/* Read the block into *ADDRESSES, which is to be freed in any case, and what it
   says of binaries into PROFILE.  */
void heapprof_addresses_read (struct byte_reader *reader,
			      struct heap_profile *profile,
			      const struct heapprof_details_maps *maps,
			      struct heapprof_addresses *addresses);

/* Give FRAME, numbered NUMBER in the file, its address, if it has one.  Frames
   are asked for in ascending order.  */
void heapprof_addresses_apply (struct heapprof_addresses *addresses,
			       uint32_t number, struct heap_frame *frame);

#endif /* HEAPPROF_HEAPPROF_ADDRESSES_H */
