/* Make packed raw profiles from records.
   SPDX-License-Identifier: GPL-3.0-or-later

   The run-time library's packer writes them, with the builder's arrays as its
   tables and memory as its file.  */

#ifndef HEAPPROF_RAW_PACKER_H
#define HEAPPROF_RAW_PACKER_H

#include "raw-builder.h"

/* Return BUILDER as a packed file: malloced, *SIZE bytes.  Its records must be
   valid: the packer trusts them.  A packed file has the byte order of this
   machine.  */
unsigned char *raw_builder_pack (struct raw_builder *builder, size_t *size);

/* Correct the body length and the checksum of a packed file, as far as the SIZE
   bytes at DATA contain them.  */
void raw_packed_repair (unsigned char *data, size_t size);

/* Make a profile of many records with random numbers chosen by SEED, from small
   ones to the greatest.  */
void raw_builder_random (struct raw_builder *builder, uint64_t seed);

#endif /* HEAPPROF_RAW_PACKER_H */
