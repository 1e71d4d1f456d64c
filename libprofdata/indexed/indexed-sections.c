/* The small parts of an indexed profile after its tables.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "indexed-sections.h"
#include "record-table.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define NAME_SEPARATOR '\1'

/* Names with a greater compression ratio are rejected, so that a small file
   cannot make its reader allocate much memory.  */
#define MOST_RATIO 100

/* ---- Binary IDs.  */

bool
indexed_binary_ids_read (struct byte_reader *reader,
			 struct counter_profile *profile)
{
  static const char what[] = "the binary IDs";
  uint64_t bytes = byte_reader_u64 (reader, what);
  struct byte_reader part = byte_reader_part (reader, bytes, what);
  while (!part.failed && byte_reader_left (&part) > 0)
    {
      size_t start = part.position;
      uint64_t n = byte_reader_u64 (&part, what);
      if (!part.failed && n == 0)
	byte_reader_fail (&part, start, "invalid binary ID size: 0 bytes");
      const void *id = byte_reader_bytes (&part, n, what);
      byte_reader_bytes (&part, -n % 8, what);
      if (!part.failed && !counter_profile_add_binary_id (profile, id, n))
	byte_reader_fail_memory (&part);
    }
  return byte_reader_join (reader, &part, what);
}

static int
compare_binary_ids (const void *element1, const void *element2, void *data)
{
  const struct counter_profile *profile = data;
  size_t n1;
  size_t n2;
  const uint8_t *id1
    = counter_profile_binary_id (profile, *(const uint32_t *) element1, &n1);
  const uint8_t *id2
    = counter_profile_binary_id (profile, *(const uint32_t *) element2, &n2);
  int order = memcmp (id1, id2, n1 < n2 ? n1 : n2);
  return order != 0 ? order : (n1 > n2) - (n1 < n2);
}

void
indexed_binary_ids_write (struct byte_writer *writer,
			  const struct counter_profile *profile)
{
  uint32_t count = counter_profile_binary_id_count (profile);
  uint32_t *order = record_order (count, compare_binary_ids, profile);
  if (!order)
    {
      writer->failed = true;
      return;
    }
  size_t start = writer->size;
  byte_writer_u64 (writer, 0);
  for (uint32_t i = 0; i < count; i++)
    {
      size_t n;
      const uint8_t *id = counter_profile_binary_id (profile, order[i], &n);
      byte_writer_u64 (writer, n);
      byte_writer_bytes (writer, id, n);
      for (; n % 8 != 0; n++)
	byte_writer_u8 (writer, 0);
    }
  byte_writer_patch_u64 (writer, start, writer->size - start - 8);
  free (order);
}

/* ---- Names of vtables.  */

/* Add the names joined in the N bytes of TEXT.  */
static bool
add_names (struct counter_profile *profile, const char *text, size_t n)
{
  while (n > 0)
    {
      const char *end = memchr (text, NAME_SEPARATOR, n);
      size_t bytes = end ? (size_t) (end - text) : n;
      uint32_t name = counter_profile_add_name (profile, text, bytes);
      if (name == UINT32_MAX)
	return false;
      counter_profile_set_vtable (profile, name);
      bytes += end != NULL;
      text += bytes;
      n -= bytes;
    }
  return true;
}

/* Add the names that the N bytes at STORED, which start at START, inflate to,
   PLAIN_BYTES.  */
static bool
add_deflated_names (struct byte_reader *reader, size_t start,
		    struct counter_profile *profile, const void *stored,
		    uint64_t n, uint64_t plain_bytes)
{
  if (plain_bytes / MOST_RATIO > n)
    return byte_reader_fail (reader, start,
			     "invalid vtable names: %" PRIu64
			     " bytes cannot be compressed to %" PRIu64,
			     plain_bytes, n);
  char *plain = malloc (plain_bytes + 1);
  if (!plain)
    return byte_reader_fail_memory (reader);
  uLongf inflated = plain_bytes;
  if (uncompress ((Bytef *) plain, &inflated, stored, n) != Z_OK
      || inflated != plain_bytes)
    byte_reader_fail (reader, start,
		      "cannot inflate the vtable names to %" PRIu64 " bytes",
		      plain_bytes);
  else if (!add_names (profile, plain, plain_bytes))
    byte_reader_fail_memory (reader);
  free (plain);
  return !reader->failed;
}

bool
indexed_vtables_read (struct byte_reader *reader,
		      struct counter_profile *profile)
{
  static const char what[] = "the vtable names";
  uint64_t bytes = byte_reader_u64 (reader, what);
  struct byte_reader part = byte_reader_part (reader, bytes, what);
  while (!part.failed && byte_reader_left (&part) > 0)
    {
      size_t start = part.position;
      uint64_t plain_bytes = byte_reader_uleb128 (&part, what);
      uint64_t stored_bytes = byte_reader_uleb128 (&part, what);
      bool is_deflated = stored_bytes != 0;
      const void *stored
	= byte_reader_bytes (&part, is_deflated ? stored_bytes : plain_bytes,
			     what);
      if (part.failed)
	break;
      if (is_deflated)
	add_deflated_names (&part, start, profile, stored, stored_bytes,
			    plain_bytes);
      else if (!add_names (profile, stored, plain_bytes))
	byte_reader_fail_memory (&part);
      while (byte_reader_left (&part) > 0 && part.data[part.position] == 0)
	part.position++;
    }
  byte_reader_join (reader, &part, what);
  byte_reader_bytes (reader, -bytes % 8, what);
  return !reader->failed;
}

static int
compare_names (const void *element1, const void *element2, void *data)
{
  const struct counter_profile *profile = data;
  uint32_t name1 = *(const uint32_t *) element1;
  uint32_t name2 = *(const uint32_t *) element2;
  size_t n1 = counter_profile_name_bytes (profile, name1);
  size_t n2 = counter_profile_name_bytes (profile, name2);
  int order = memcmp (counter_profile_name (profile, name1),
		      counter_profile_name (profile, name2), n1 < n2 ? n1 : n2);
  return order != 0 ? order : (n1 > n2) - (n1 < n2);
}

/* Append the names of vtables, joined, to NAMES.  */
static void
join_vtables (struct byte_writer *names, const struct counter_profile *profile)
{
  uint32_t count = counter_profile_name_count (profile);
  uint32_t *order = record_order (count, compare_names, profile);
  names->failed |= !order;
  for (uint32_t i = 0; order && i < count; i++)
    {
      const char *name = counter_profile_name (profile, order[i]);
      size_t n = counter_profile_name_bytes (profile, order[i]);
      /* Omit names that would be read back differently.  */
      if (!counter_profile_is_vtable (profile, order[i]) || n == 0
	  || memchr (name, NAME_SEPARATOR, n))
	continue;
      if (names->size > 0)
	byte_writer_u8 (names, NAME_SEPARATOR);
      byte_writer_bytes (names, name, n);
    }
  free (order);
}

/* Append NAMES, deflated.  */
static void
write_deflated (struct byte_writer *writer, const struct byte_writer *names)
{
  uLongf bytes = compressBound (names->size);
  Bytef *stored = malloc (bytes);
  bool is_deflated = stored
		     && compress2 (stored, &bytes, names->data, names->size,
				   Z_BEST_COMPRESSION)
			  == Z_OK;
  if (is_deflated && names->size / MOST_RATIO < bytes)
    {
      byte_writer_uleb128 (writer, names->size);
      byte_writer_uleb128 (writer, bytes);
      byte_writer_bytes (writer, stored, bytes);
    }
  else if (is_deflated)
    {
      byte_writer_uleb128 (writer, names->size);
      byte_writer_uleb128 (writer, 0);
      byte_writer_bytes (writer, names->data, names->size);
    }
  else
    writer->failed = true;
  free (stored);
}

void
indexed_vtables_write (struct byte_writer *writer,
		       const struct counter_profile *profile)
{
  struct byte_writer names = { 0 };
  join_vtables (&names, profile);
  size_t start = writer->size;
  byte_writer_u64 (writer, 0);
  if (names.failed)
    writer->failed = true;
  else if (names.size > 0)
    write_deflated (writer, &names);
  size_t bytes = writer->size - start - 8;
  byte_writer_patch_u64 (writer, start, bytes);
  for (; bytes % 8 != 0; bytes++)
    byte_writer_u8 (writer, 0);
  byte_writer_free (&names);
}

/* ---- Traces.  */

bool
indexed_traces_read (struct byte_reader *reader,
		     struct counter_profile *profile)
{
  static const char what[] = "the temporal traces";
  uint64_t count = byte_reader_u64 (reader, what);
  uint64_t stream = byte_reader_u64 (reader, what);
  if (!byte_reader_need (reader, count, 16, what))
    return false;
  for (uint64_t i = 0; i < count && !reader->failed; i++)
    {
      uint64_t weight = byte_reader_u64 (reader, what);
      uint64_t n = byte_reader_u64 (reader, what);
      if (!byte_reader_need (reader, n, 8, what))
	return false;
      const void *guids = byte_reader_bytes (reader, 8 * n, what);
      if (!counter_profile_add_trace (profile, weight, guids, n))
	byte_reader_fail_memory (reader);
    }
  counter_profile_add_stream (profile, stream);
  return !reader->failed;
}

void
indexed_traces_write (struct byte_writer *writer,
		      const struct counter_profile *profile)
{
  uint32_t count = counter_profile_trace_count (profile);
  uint32_t *order = counter_profile_trace_order (profile);
  if (!order)
    {
      writer->failed = true;
      return;
    }
  byte_writer_u64 (writer, count);
  byte_writer_u64 (writer, counter_profile_stream (profile));
  for (uint32_t i = 0; i < count; i++)
    {
      const struct counter_trace *trace
	= counter_profile_trace (profile, order[i]);
      byte_writer_u64 (writer, trace->weight);
      byte_writer_u64 (writer, trace->count);
      byte_writer_bytes (writer, trace->guids,
			 trace->count * sizeof *trace->guids);
    }
  free (order);
}
