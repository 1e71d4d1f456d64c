/* Readers of machine-level profiles: files, raw files, maps.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof/mip-format.h"
#include "mip-files.h"
#include "mip-map-file.h"
#include "mip-text.h"
#include "reader.h"
#include <endian.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A form of profiles.  */
struct form
{
  void (*write) (const struct mip_profile *profile, struct byte_writer *writer);
  struct mip_profile *(*read) (const char *path, const void *data, size_t size,
			       struct profile_error *err);
};

static const struct form binary_form = { mip_profile_write, mip_profile_read };
static const struct form text_form = { mip_text_write, mip_text_read };

/* Write PROFILE in form BY, read it, and write it in form IN, which must give
   the same bytes as writing PROFILE in form IN.  Return false and set *ERR if
   memory runs out.  */
static bool
write_again (const struct form *by, const struct form *in,
	     const struct mip_profile *profile, struct profile_error *err)
{
  struct byte_writer file = { 0 }, first = { 0 }, second = { 0 };
  bool is_done = false;
  by->write (profile, &file);
  in->write (profile, &first);
  if (file.failed || first.failed)
    profile_error_set_memory (err, READER_PATH);
  else
    {
      struct mip_profile *again
	= by->read (READER_PATH, file.data, file.size, err);
      if (again == NULL)
	reader_ran_out (err, "written output is rejected");
      else
	{
	  in->write (again, &second);
	  is_done = !second.failed;
	  if (!is_done)
	    profile_error_set_memory (err, READER_PATH);
	  else if (first.size != second.size
		   || memcmp (first.data, second.data, first.size) != 0)
	    reader_fail ("output differs when written again");
	}
      mip_profile_free (again);
    }
  byte_writer_free (&file);
  byte_writer_free (&first);
  byte_writer_free (&second);
  return is_done;
}

static bool
write_both_again (const struct mip_profile *profile, struct profile_error *err)
{
  return (write_again (&binary_form, &binary_form, profile, err)
	  && write_again (&text_form, &text_form, profile, err)
	  && write_again (&text_form, &binary_form, profile, err));
}

/* Merge PROFILE into an empty profile, twice.  */
static bool
merge (const struct mip_profile *profile, struct profile_error *err)
{
  struct mip_profile *sum = mip_profile_new ();
  bool is_done = sum != NULL;
  if (!is_done)
    profile_error_set_memory (err, READER_PATH);
  for (int i = 0; i < 2 && is_done; i++)
    is_done = mip_profile_merge (sum, profile, READER_PATH, err);
  mip_profile_free (sum);
  return is_done;
}

static bool
read_profile (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct mip_profile *profile = mip_profile_read (READER_PATH, data, size, err);
  if (profile == NULL)
    return false;
  reader_has_read ();
  /* Two modules of a damaged file may have one build ID but different
     functions: they are rejected.  */
  struct profile_error other;
  bool is_done
    = merge (profile, &other) || strcmp (other.cause, "out of memory") != 0;
  if (is_done)
    is_done = write_both_again (profile, err);
  else
    *err = other;
  mip_profile_free (profile);
  return is_done;
}

static bool
read_text (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct mip_profile *profile = mip_text_read (READER_PATH, data, size, err);
  if (profile == NULL)
    return false;
  reader_has_read ();
  bool is_done = write_both_again (profile, err);
  mip_profile_free (profile);
  return is_done;
}

static unsigned char *
repair_profile (const unsigned char *data, size_t size, size_t *repaired_size)
{
  if (size < 128)
    return NULL;
  unsigned char *copy = reader_copy (data, size);
  uint32_t crc = htole32 (crc32_z (0, copy + 128, size - 128));
  uint64_t bytes = htole64 (size);
  memcpy (copy + 16, &bytes, sizeof bytes);
  memcpy (copy + 44, &crc, sizeof crc);
  *repaired_size = size;
  return copy;
}

static bool
read_raw (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct mip_profile *profile = mip_files_profile ();
  size_t skipped;
  if (profile == NULL)
    {
      profile_error_set_memory (err, READER_PATH);
      return false;
    }
  bool is_done
    = mip_profile_add_raw (profile, READER_PATH, data, size, 3, &skipped, err);
  reader_has_read ();
  is_done = is_done && write_both_again (profile, err);
  mip_profile_free (profile);
  return is_done;
}

static uint64_t
get_u64 (const unsigned char *data)
{
  uint64_t value;
  memcpy (&value, data, sizeof value);
  return le64toh (value);
}

/* If the chunk whose head is CHUNK, followed by SIZE bytes, has rows, correct
   the check of each row.  */
static void
repair_rows (unsigned char *chunk, size_t size)
{
  unsigned char *rows = chunk + sizeof (struct heapprof_mip_chunk);
  uint64_t slots
    = get_u64 (chunk + offsetof (struct heapprof_mip_chunk, bytes));
  uint64_t words = slots / 64 + (slots % 64 != 0);
  if (chunk[offsetof (struct heapprof_mip_chunk, encoding)] != HEAPPROF_MIP_ROWS
      || words > size / 8)
    return;
  size_t bytes = sizeof (struct heapprof_mip_row) + 8 * words;
  for (size_t at = 0; at <= size && size - at >= bytes; at += bytes)
    {
      uint64_t check = 0;
      for (size_t i = sizeof (struct heapprof_mip_row); i < bytes; i += 8)
	check = heapprof_mip_row_check (check, get_u64 (rows + at + i));
      uint32_t stored = htole32 ((uint32_t) check);
      memcpy (rows + at + offsetof (struct heapprof_mip_row, check), &stored,
	      sizeof stored);
    }
}

/* Repair the rows of all chunks in the image of BYTES bytes at IMAGE.  */
static void
repair_chunks (unsigned char *image, size_t bytes)
{
  size_t head = sizeof (struct heapprof_mip_chunk);
  for (size_t at = sizeof (struct heapprof_mip_image);
       at <= bytes && bytes - at >= head;)
    {
      uint64_t stored
	= get_u64 (image + at + offsetof (struct heapprof_mip_chunk, stored));
      if (stored > bytes - at - head)
	return;
      repair_rows (image + at, stored);
      at += head + ((stored + 7) & ~(size_t) 7);
    }
}

/* Return a copy with correct checksums of each image's header and rows.  */
static unsigned char *
repair_raw (const unsigned char *data, size_t size, size_t *repaired_size)
{
  if (size < sizeof (struct heapprof_mip_image))
    return NULL;
  unsigned char *copy = reader_copy (data, size);
  for (size_t at = 0; size - at >= sizeof (struct heapprof_mip_image);)
    {
      const size_t stored = offsetof (struct heapprof_mip_image, crc);
      uint32_t crc = htole32 (crc32 (0, copy + at, stored));
      uint64_t bytes
	= get_u64 (copy + at + offsetof (struct heapprof_mip_image, bytes));
      memcpy (copy + at + stored, &crc, sizeof crc);
      if (bytes < sizeof (struct heapprof_mip_image) || bytes > size - at)
	break;
      repair_chunks (copy + at, bytes);
      at += bytes;
    }
  *repaired_size = size;
  return copy;
}

static bool
read_map (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct mip_profile *profile = mip_profile_new ();
  struct mip_map_dropped dropped;
  if (profile == NULL)
    {
      profile_error_set_memory (err, READER_PATH);
      return false;
    }
  struct mip_map map = mip_files_program (data, size);
  bool is_done = mip_profile_add_map (profile, &map, &dropped, err);
  reader_has_read ();
  if (is_done)
    {
      /* Adding runs looks up their data in the map.  */
      struct byte_writer raw = mip_files_raw (2);
      size_t skipped;
      is_done = !raw.failed
		&& mip_profile_add_raw (profile, READER_PATH, raw.data,
					raw.size, 1, &skipped, err)
		&& write_again (&binary_form, &binary_form, profile, err);
      if (raw.failed)
	profile_error_set_memory (err, READER_PATH);
      byte_writer_free (&raw);
    }
  mip_profile_free (profile);
  return is_done;
}

const struct reader reader_mip = { .name = "mip",
				   .read = read_profile,
				   .recognise = mip_profile_is_profile,
				   .repair = repair_profile,
				   .bounds = { 10000, 8 } };

/* Read a map file, and write it again: the same bytes, except unused fields of
   the header.  */
static bool
read_map_file (const unsigned char *data, size_t size,
	       struct profile_error *err)
{
  struct mip_map_file *file = mip_map_file_read (READER_PATH, data, size, err);
  if (file == NULL)
    return false;
  struct byte_writer again = { 0 };
  const struct mip_map *map = mip_map_file_map (file);
  reader_has_read ();
  bool is_done = read_map (map->records, map->bytes, err)
		 || strcmp (err->cause, "out of memory") != 0;
  mip_map_file_write (map, &again);
  if (again.failed)
    is_done = profile_error_set_memory (err, READER_PATH);
  else if (again.size != size
	   || memcmp (again.data + 160, data + 160, size - 160) != 0)
    reader_fail ("output differs when written again");
  byte_writer_free (&again);
  mip_map_file_free (file);
  return is_done;
}

/* Return a copy with correct length and checksum.  */
static unsigned char *
repair_map_file (const unsigned char *data, size_t size, size_t *repaired_size)
{
  if (size < 160)
    return NULL;
  unsigned char *copy = reader_copy (data, size);
  uint32_t crc = htole32 (crc32_z (0, copy + 160, size - 160));
  uint64_t bytes = htole64 (size);
  memcpy (copy + 16, &bytes, sizeof bytes);
  memcpy (copy + 100, &crc, sizeof crc);
  *repaired_size = size;
  return copy;
}

const struct reader reader_mip_map_file = { .name = "mip-map-file",
					    .read = read_map_file,
					    .recognise = mip_map_file_is_map,
					    .repair = repair_map_file,
					    .bounds = { 10000, 16 } };

const struct reader reader_mip_text = { .name = "mip-text",
					.read = read_text,
					.recognise = mip_text_is_text,
					.bounds = { 10000, 16 } };

const struct reader reader_mip_raw = { .name = "mip-raw",
				       .read = read_raw,
				       .recognise = mip_profile_is_raw,
				       .repair = repair_raw,
				       .bounds = { 20000, 8 } };

const struct reader reader_mip_map
  = { .name = "mip-map", .read = read_map, .bounds = { 10000, 16 } };
