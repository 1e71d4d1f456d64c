/* Raw files of machine-level profiles: their images.
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
  uint64_t stored; /* of it */
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

/* Read the next image of READER, which fails if it is damaged: false.  */
bool mip_raw_read (struct byte_reader *reader, struct mip_raw_image *image);

/* Numbers of IMAGE at DATA.  */
uint32_t mip_raw_u32 (const struct mip_raw_image *image, const uint8_t *data);
uint64_t mip_raw_u64 (const struct mip_raw_image *image, const uint8_t *data);

/* Bytes of a row of CHUNK, which has rows.  */
uint64_t mip_raw_row_bytes (const struct mip_raw_chunk *chunk);

/* The chunk that has the BYTES bytes of the slot at ADDRESS and of KIND; NULL
   if none has.  */
const struct mip_raw_chunk *
mip_raw_find_chunk (const struct mip_raw_image *image, uint16_t kind,
		    uint64_t address, uint64_t bytes);

/* Add IMAGE, WEIGHT times, as runs of module NUMBER of PROFILE, whose slots it
   has. False if memory is exhausted.  */
bool mip_raw_add (struct mip_profile *profile, size_t number,
		  const struct mip_raw_image *image, uint64_t weight);

#endif /* HEAPPROF_MIP_RAW_H */
