/* Maps of programs in files of their own.
   SPDX-License-Identifier: GPL-3.0-or-later

	0   8  magic
	8      u32 version
       12      u32 bytes of the header
       16      u64 bytes of the file
       24      u32 1: the records are big-endian
       28      u32 sections of slots
       32  64  build ID
       96      u32 its bytes
      100      u32 CRC-32 of everything after the header
      104      u64 lowest address of code, u64 end of the highest
      120      u64 bytes of the records
      128      u32 bytes of the program's path
      132  28  zero
      160  24  each section of slots: u64 kind, u64 address, u64 bytes
	       the records, then the path  */

#include "mip-map-file.h"
#include "byte-reader.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MAGIC "\x89HPMM\r\n\x1a"
#define MAGIC_BYTES MIP_MAP_FILE_MAGIC_BYTES
#define VERSION 1
#define HEADER_BYTES 160
#define RESERVED_BYTES 28
#define SLOTS_BYTES 24
#define BIG_ENDIAN_RECORDS 1

struct mip_map_file
{
  struct mip_map map;
  char *path; /* of the program; malloced */
  struct mip_slots slots[];
};

bool
mip_map_file_is_map (const void *data, size_t size)
{
  return size >= MAGIC_BYTES && memcmp (data, MAGIC, MAGIC_BYTES) == 0;
}

/* Lengths in the header.  */
struct lengths
{
  uint32_t slots;
  uint64_t records;
  uint32_t path;
};

/* Read the header into *MAP and *LENGTHS.  */
static bool
read_header (struct byte_reader *reader, struct mip_map *map,
	     struct lengths *lengths)
{
  const void *magic = byte_reader_bytes (reader, MAGIC_BYTES, "header");
  if (magic == NULL)
    return false;
  if (!mip_map_file_is_map (magic, MAGIC_BYTES))
    return byte_reader_fail (reader, 0, "not a program map");
  uint32_t version = byte_reader_u32 (reader, "header");
  uint32_t header_bytes = byte_reader_u32 (reader, "header");
  uint64_t bytes = byte_reader_u64 (reader, "header");
  map->big_endian
    = (byte_reader_u32 (reader, "header") & BIG_ENDIAN_RECORDS) != 0;
  lengths->slots = byte_reader_u32 (reader, "header");
  map->build_id = byte_reader_bytes (reader, MIP_BUILD_ID_BYTES, "header");
  map->build_id_bytes = byte_reader_u32 (reader, "header");
  uint32_t crc = byte_reader_u32 (reader, "header");
  map->text_low = byte_reader_u64 (reader, "header");
  map->text_high = byte_reader_u64 (reader, "header");
  lengths->records = byte_reader_u64 (reader, "header");
  lengths->path = byte_reader_u32 (reader, "header");
  byte_reader_bytes (reader, RESERVED_BYTES, "header");
  if (reader->failed)
    return false;
  if (version != VERSION)
    return byte_reader_fail (reader, 8, "unsupported version %u", version);
  if (header_bytes != HEADER_BYTES || bytes != reader->end
      || map->build_id_bytes > MIP_BUILD_ID_BYTES)
    return byte_reader_fail (reader, 0,
			     "invalid header, or the map is truncated");
  if (crc32_z (0, reader->data + HEADER_BYTES, reader->end - HEADER_BYTES)
      != crc)
    return byte_reader_fail (reader, HEADER_BYTES, "invalid checksum");
  return byte_reader_need (reader, lengths->slots, SLOTS_BYTES, "slots");
}

/* Read everything after the header.  */
static void
read_body (struct byte_reader *reader, struct mip_map_file *file,
	   const struct lengths *lengths)
{
  for (uint32_t i = 0; i < lengths->slots; i++)
    {
      uint64_t kind = byte_reader_u64 (reader, "slots");
      file->slots[i].address = byte_reader_u64 (reader, "slots");
      file->slots[i].bytes = byte_reader_u64 (reader, "slots");
      file->slots[i].kind = (uint16_t) kind;
      if (kind > UINT16_MAX)
	byte_reader_fail (reader, reader->position - SLOTS_BYTES,
			  "invalid slot kind %llu", (unsigned long long) kind);
    }
  file->map.slots = file->slots;
  file->map.slots_count = lengths->slots;
  file->map.records = byte_reader_bytes (reader, lengths->records, "records");
  file->map.bytes = lengths->records;
  const char *path = byte_reader_bytes (reader, lengths->path, "path");
  if (path == NULL)
    return;
  if (byte_reader_left (reader) > 0 || memchr (path, '\0', lengths->path))
    byte_reader_fail (reader, reader->position, "invalid path");
  file->path = calloc (1, lengths->path + (size_t) 1);
  file->map.path = file->path;
  if (file->path == NULL)
    byte_reader_fail_memory (reader);
  else
    memcpy (file->path, path, lengths->path);
}

struct mip_map_file *
mip_map_file_read (const char *path, const void *data, size_t size,
		   struct profile_error *err)
{
  struct byte_reader reader;
  struct mip_map map = { 0 };
  struct lengths lengths = { 0 };
  byte_reader_init (&reader, path, data, size, err);
  if (!read_header (&reader, &map, &lengths))
    return NULL;
  struct mip_map_file *file
    = calloc (1, sizeof *file + lengths.slots * sizeof *file->slots);
  if (file == NULL)
    {
      byte_reader_fail_memory (&reader);
      return NULL;
    }
  file->map = map;
  read_body (&reader, file, &lengths);
  if (!reader.failed)
    return file;
  mip_map_file_free (file);
  return NULL;
}

const struct mip_map *
mip_map_file_map (const struct mip_map_file *file)
{
  return &file->map;
}

void
mip_map_file_free (struct mip_map_file *file)
{
  if (file != NULL)
    free (file->path);
  free (file);
}

/* Write everything after the header.  */
static void
write_body (const struct mip_map *map, struct byte_writer *body)
{
  for (size_t i = 0; i < map->slots_count; i++)
    {
      byte_writer_u64 (body, map->slots[i].kind);
      byte_writer_u64 (body, map->slots[i].address);
      byte_writer_u64 (body, map->slots[i].bytes);
    }
  byte_writer_bytes (body, map->records, map->bytes);
  byte_writer_bytes (body, map->path, strlen (map->path));
}

void
mip_map_file_write (const struct mip_map *map, struct byte_writer *writer)
{
  static const uint8_t zeros[MIP_BUILD_ID_BYTES];
  struct byte_writer body = { 0 };
  write_body (map, &body);
  byte_writer_bytes (writer, MAGIC, MAGIC_BYTES);
  byte_writer_u32 (writer, VERSION);
  byte_writer_u32 (writer, HEADER_BYTES);
  byte_writer_u64 (writer, HEADER_BYTES + body.size);
  byte_writer_u32 (writer, map->big_endian ? BIG_ENDIAN_RECORDS : 0);
  byte_writer_u32 (writer, (uint32_t) map->slots_count);
  byte_writer_bytes (writer, map->build_id, map->build_id_bytes);
  byte_writer_bytes (writer, zeros, MIP_BUILD_ID_BYTES - map->build_id_bytes);
  byte_writer_u32 (writer, (uint32_t) map->build_id_bytes);
  byte_writer_u32 (writer, body.failed
			     ? 0
			     : (uint32_t) crc32_z (0, body.data, body.size));
  byte_writer_u64 (writer, map->text_low);
  byte_writer_u64 (writer, map->text_high);
  byte_writer_u64 (writer, map->bytes);
  byte_writer_u32 (writer, (uint32_t) strlen (map->path));
  byte_writer_bytes (writer, zeros, RESERVED_BYTES);
  byte_writer_bytes (writer, body.data, body.size);
  writer->failed |= body.failed;
  byte_writer_free (&body);
}
