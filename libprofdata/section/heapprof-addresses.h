/* The heapprof section: addresses of frames that are not fully symbolized.
   SPDX-License-Identifier: GPL-3.0-or-later

     images  number; each: module, build ID, path (strings)
     frames  number; each: frame's number minus that of the previous frame
	     (the first: minus 0), image, address minus the previous address as
	     a zigzag number

   All numbers are ULEB128; strings and frames are numbered as in their blocks,
   images from 0 on, and both lists ascend.

   Two frames may differ only in their addresses, and a reader that interns
   frames must know the addresses first: so this block is read before the block
   of frames, though it is stored after it.  */

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
  size_t next; /* the first one not requested yet */
};

/* Return true if PROFILE has any.  */
bool heapprof_addresses_are_there (const struct heap_profile *profile,
				   const struct canonical_order *order);

/* Append the block for PROFILE to WRITER.  */
void heapprof_addresses_write (struct byte_writer *writer,
			       const struct heap_profile *profile,
			       const struct canonical_order *order);

/* Read the block into *ADDRESSES, which must be freed in any case, and the
   paths of binaries into PROFILE.  */
void heapprof_addresses_read (struct byte_reader *reader,
			      struct heap_profile *profile,
			      const struct heapprof_details_maps *maps,
			      struct heapprof_addresses *addresses);

/* Set the address of FRAME, numbered NUMBER in the file, if it has one.  Call
   this for frames in ascending order.  */
void heapprof_addresses_apply (struct heapprof_addresses *addresses,
			       uint32_t number, struct heap_frame *frame);

#endif /* HEAPPROF_HEAPPROF_ADDRESSES_H */
