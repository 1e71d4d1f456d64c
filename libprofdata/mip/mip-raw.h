/* Images in raw files of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_RAW_H
#define HEAPPROF_MIP_RAW_H

#include "byte-reader.h"
#include "mip-profile.h"

#define MIP_MAX_CHUNKS 16

struct mip_raw_chunk
{
  uint16_t kind;
  uint16_t encoding;
  uint64_t address;
  uint64_t bytes; /* in memory */
  const uint8_t *data;
  uint64_t stored; /* number of bytes stored */
};

struct mip_raw_image
{
  size_t offset; /* in the file */
  bool big_endian;
  uint64_t bias; /* run-time address minus link address */
  uint64_t time_ns;
  const uint8_t *build_id;
  uint32_t build_id_bytes;
  uint64_t link_unit;
  uint32_t runs;
  struct mip_raw_chunk chunks[MIP_MAX_CHUNKS];
  uint32_t chunk_count;
};

/* Read the next image of READER.  Return false if READER fails because it is
   invalid.  */
bool mip_raw_read (struct byte_reader *reader, struct mip_raw_image *image);

/* Return the number of IMAGE at DATA in host byte order.  */
uint32_t mip_raw_u32 (const struct mip_raw_image *image, const uint8_t *data);
uint64_t mip_raw_u64 (const struct mip_raw_image *image, const uint8_t *data);

/* Return the size of a row of CHUNK, which has rows.  */
uint64_t mip_raw_row_bytes (const struct mip_raw_chunk *chunk);

/* Return the chunk with the BYTES bytes of the slot at ADDRESS and of KIND;
   NULL if there is none.  */
const struct mip_raw_chunk *
mip_raw_find_chunk (const struct mip_raw_image *image, uint16_t kind,
		    uint64_t address, uint64_t bytes);

/* Add IMAGE, WEIGHT times, as runs of module NUMBER of PROFILE, whose slots it
   has.  Return false if memory is exhausted.  */
bool mip_raw_add (struct mip_profile *profile, size_t number,
		  const struct mip_raw_image *image, uint64_t weight);

#endif /* HEAPPROF_MIP_RAW_H */
