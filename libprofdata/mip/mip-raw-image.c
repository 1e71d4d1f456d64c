/* Reading and checking the images of raw files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-raw.h"
#include "heapprof/mip-format.h"
#include <zlib.h>

#define ROW_HEAD_BYTES sizeof (struct heapprof_mip_row)

uint64_t
mip_raw_row_bytes (const struct mip_raw_chunk *chunk)
{
  return ROW_HEAD_BYTES + (chunk->bytes / 64 + (chunk->bytes % 64 != 0)) * 8;
}

/* Return the number of bytes that CHUNK must have stored; UINT64_MAX if its
   encoding is unknown.  CHUNK->bytes is too small for an overflow.  */
static uint64_t
expected_bytes (const struct mip_raw_chunk *chunk)
{
  bool is_coverage = chunk->kind == HEAPPROF_MIP_COVERAGE;
  if (chunk->encoding == 0
      || (chunk->encoding == HEAPPROF_MIP_REACHED_CLEARS && is_coverage))
    return chunk->bytes;
  if (chunk->encoding == HEAPPROF_MIP_ROWS && is_coverage)
    return chunk->stored - chunk->stored % mip_raw_row_bytes (chunk);
  if (chunk->encoding != HEAPPROF_MIP_SUMS)
    return UINT64_MAX;
  if (is_coverage)
    return chunk->bytes * sizeof (uint32_t);
  if (chunk->kind == HEAPPROF_MIP_COUNT)
    return chunk->bytes / sizeof (struct heapprof_mip_count)
	   * sizeof (struct heapprof_mip_sum);
  if (chunk->kind == HEAPPROF_MIP_ORDER)
    return chunk->bytes / sizeof (uint32_t) * sizeof (struct heapprof_mip_sum);
  return UINT64_MAX;
}

static void
read_chunk (struct byte_reader *reader, struct mip_raw_chunk *chunk)
{
  size_t offset = reader->position;
  chunk->kind = byte_reader_u16 (reader, "chunk");
  chunk->encoding = byte_reader_u16 (reader, "chunk");
  byte_reader_u32 (reader, "chunk");
  chunk->address = byte_reader_u64 (reader, "chunk");
  chunk->bytes = byte_reader_u64 (reader, "chunk");
  chunk->stored = byte_reader_u64 (reader, "chunk");
  chunk->data = byte_reader_bytes (reader, chunk->stored, "slots");
  byte_reader_bytes (reader, -chunk->stored & 7, "slots");
  if (reader->failed)
    return;
  uint64_t expected
    = chunk->bytes > UINT64_MAX / 64 ? UINT64_MAX : expected_bytes (chunk);
  if (expected == UINT64_MAX)
    byte_reader_fail (reader, offset, "unknown slot encoding %u",
		      chunk->encoding);
  else if (expected != chunk->stored)
    byte_reader_fail (reader, offset,
		      "%llu bytes of slots take %llu bytes when "
		      "stored, not %llu",
		      (unsigned long long) chunk->bytes,
		      (unsigned long long) expected,
		      (unsigned long long) chunk->stored);
}

/* Fail unless the 140 bytes at HEADER have the checksum CRC.  */
static void
check_crc (struct byte_reader *reader, size_t offset, const uint8_t *header,
	   uint32_t crc)
{
  if (!reader->failed
      && crc32 (0, header, offsetof (struct heapprof_mip_image, crc)) != crc)
    byte_reader_fail (reader, offset, "invalid header checksum");
}

/* Read the header of IMAGE, which is BYTES long; its chunks follow.  */
static void
read_header (struct byte_reader *reader, struct mip_raw_image *image,
	     uint64_t *bytes)
{
  size_t offset = image->offset = reader->position;
  const uint8_t *header = reader->data + offset;
  const uint8_t *magic
    = byte_reader_bytes (reader, HEAPPROF_MIP_MAGIC_BYTES, "header");
  if (magic == NULL)
    return;
  if (!mip_profile_is_raw (magic, HEAPPROF_MIP_MAGIC_BYTES))
    byte_reader_fail (reader, offset, "not an image of a raw file");
  uint16_t version = byte_reader_u16 (reader, "header");
  uint16_t order = byte_reader_u16 (reader, "header");
  image->big_endian = order != HEAPPROF_MIP_BYTE_ORDER;
  reader->big_endian = image->big_endian;
  if (image->big_endian)
    version = __builtin_bswap16 (version);
  if (!reader->failed && version != HEAPPROF_MIP_VERSION)
    byte_reader_fail (reader, offset, "unsupported raw file version %u",
		      version);
  byte_reader_u16 (reader, "header");
  uint16_t header_bytes = byte_reader_u16 (reader, "header");
  *bytes = byte_reader_u64 (reader, "header");
  if (!reader->failed && header_bytes != sizeof (struct heapprof_mip_image))
    byte_reader_fail (reader, offset, "invalid header size %u bytes",
		      header_bytes);
  image->bias = byte_reader_u64 (reader, "header");
  byte_reader_u32 (reader, "header");
  image->chunk_count = byte_reader_u32 (reader, "header");
  image->time_ns = byte_reader_u64 (reader, "header");
  byte_reader_bytes (reader, 12, "header");
  image->build_id_bytes = byte_reader_u32 (reader, "header");
  image->build_id
    = byte_reader_bytes (reader, HEAPPROF_MIP_BUILD_ID_BYTES, "header");
  image->link_unit = byte_reader_u64 (reader, "header");
  uint32_t path = byte_reader_u32 (reader, "header");
  check_crc (reader, offset, header, byte_reader_u32 (reader, "header"));
  image->runs = byte_reader_u32 (reader, "header");
  byte_reader_bytes (reader, 20, "header");
  byte_reader_bytes (reader, path, "path");
  byte_reader_bytes (reader, -(uint64_t) path & 7, "path");
}

uint32_t
mip_raw_u32 (const struct mip_raw_image *image, const uint8_t *data)
{
  uint32_t value;
  memcpy (&value, data, sizeof value);
  return image->big_endian ? be32toh (value) : le32toh (value);
}

uint64_t
mip_raw_u64 (const struct mip_raw_image *image, const uint8_t *data)
{
  uint64_t value;
  memcpy (&value, data, sizeof value);
  return image->big_endian ? be64toh (value) : le64toh (value);
}

/* Fail if RUNS, stored at DATA in the file, is more than the runs of IMAGE.  */
static void
check_runs (struct byte_reader *reader, const struct mip_raw_image *image,
	    const uint8_t *data, uint64_t runs)
{
  if (!reader->failed && runs > image->runs)
    byte_reader_fail (reader, (size_t) (data - reader->data),
		      "invalid run count %llu (expected at most %u)",
		      (unsigned long long) runs, image->runs);
}

/* Check the sums of CHUNK, of IMAGE.  */
static void
check_sums (struct byte_reader *reader, const struct mip_raw_image *image,
	    const struct mip_raw_chunk *chunk)
{
  bool is_coverage = chunk->kind == HEAPPROF_MIP_COVERAGE;
  size_t bytes
    = is_coverage ? sizeof (uint32_t) : sizeof (struct heapprof_mip_sum);
  size_t at = is_coverage ? 0 : offsetof (struct heapprof_mip_sum, runs);
  for (; at < chunk->stored; at += bytes)
    check_runs (reader, image, chunk->data + at,
		mip_raw_u32 (image, chunk->data + at));
}

/* Check the rows of CHUNK, of IMAGE.  */
static void
check_rows (struct byte_reader *reader, const struct mip_raw_image *image,
	    const struct mip_raw_chunk *chunk)
{
  uint64_t runs = 0;
  size_t bytes = mip_raw_row_bytes (chunk);
  for (size_t at = 0; at < chunk->stored && !reader->failed; at += bytes)
    {
      const uint8_t *row = chunk->data + at;
      uint64_t check = 0;
      for (size_t i = ROW_HEAD_BYTES; i < bytes; i += sizeof check)
	check = heapprof_mip_row_check (check, mip_raw_u64 (image, row + i));
      if ((uint32_t) check != mip_raw_u32 (image, row + sizeof (uint32_t)))
	byte_reader_fail (reader, (size_t) (row - reader->data),
			  "invalid row checksum");
      runs += mip_raw_u32 (image, row);
      check_runs (reader, image, row, runs);
    }
}

bool
mip_raw_read (struct byte_reader *reader, struct mip_raw_image *image)
{
  uint64_t bytes = 0;
  read_header (reader, image, &bytes);
  if (reader->failed)
    return false;
  if (image->build_id_bytes > HEAPPROF_MIP_BUILD_ID_BYTES)
    return byte_reader_fail (reader, image->offset,
			     "invalid build ID size %u bytes",
			     image->build_id_bytes);
  if (image->chunk_count > MIP_MAX_CHUNKS || image->runs == 0)
    return byte_reader_fail (reader, image->offset,
			     "invalid image: %u chunks, %u runs",
			     image->chunk_count, image->runs);
  for (uint32_t i = 0; i < image->chunk_count && !reader->failed; i++)
    {
      struct mip_raw_chunk *chunk = &image->chunks[i];
      read_chunk (reader, chunk);
      if (reader->failed)
	break;
      if (chunk->encoding == HEAPPROF_MIP_SUMS)
	check_sums (reader, image, chunk);
      else if (chunk->encoding == HEAPPROF_MIP_ROWS)
	check_rows (reader, image, chunk);
    }
  if (!reader->failed && reader->position - image->offset != bytes)
    byte_reader_fail (reader, image->offset, "invalid image size %llu bytes",
		      (unsigned long long) bytes);
  return !reader->failed;
}

const struct mip_raw_chunk *
mip_raw_find_chunk (const struct mip_raw_image *image, uint16_t kind,
		    uint64_t address, uint64_t bytes)
{
  for (uint32_t i = 0; i < image->chunk_count; i++)
    {
      const struct mip_raw_chunk *chunk = &image->chunks[i];
      if (chunk->kind == kind && address >= chunk->address
	  && address - chunk->address < chunk->bytes
	  && chunk->bytes - (address - chunk->address) >= bytes)
	return chunk;
    }
  return NULL;
}
