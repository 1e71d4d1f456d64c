/* Make packed raw profiles from records.
   SPDX-License-Identifier: GPL-3.0-or-later

   The run-time library's packer writes them, from the builder's arrays as its
   tables, to memory as its file.  */

#ifndef HEAPPROF_RAW_PACKER_H
#define HEAPPROF_RAW_PACKER_H

#include "raw-builder.h"

/* BUILDER as a packed file: malloced, *SIZE bytes.  Its records must be good:
   the packer believes them.  A packed file has the byte order of this
   machine.  */
unsigned char *raw_builder_pack (struct raw_builder *builder, size_t *size);

/* Make the body's length and the checksum of a packed file right, as far as
   the SIZE bytes at DATA reach.  */
void raw_packed_repair (unsigned char *data, size_t size);

/* A profile of many records with whatever numbers SEED brings, small ones and
   the greatest.  */
void raw_builder_random (struct raw_builder *builder, uint64_t seed);

#endif /* HEAPPROF_RAW_PACKER_H */
