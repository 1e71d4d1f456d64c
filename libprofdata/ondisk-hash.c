/* The hash table on disk of LLVM's indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ondisk-hash.h"
#include <inttypes.h>
#include <stdlib.h>

/* An entry to be written.  */
struct item
{
  uint64_t bucket;
  size_t index;
};

static int
compare_items (const void *element1, const void *element2)
{
  const struct item *item1 = element1;
  const struct item *item2 = element2;
  if (item1->bucket != item2->bucket)
    return item1->bucket < item2->bucket ? -1 : 1;
  return (item1->index > item2->index) - (item1->index < item2->index);
}

/* As LLVM chooses it: at most three quarters full.  */
static uint64_t
bucket_count (size_t n)
{
  uint64_t count = 1;
  if (n > 2)
    while (count < n * 4 / 3 + 1)
      count *= 2;
  return count;
}

static void
write_entry (struct byte_writer *writer, uint64_t hash, bool has_key_bytes,
	     size_t index, ondisk_hash_emitter *emit, void *data)
{
  byte_writer_u64 (writer, hash);
  if (has_key_bytes)
    byte_writer_u64 (writer, sizeof hash);
  size_t length_offset = writer->size;
  byte_writer_u64 (writer, 0);
  byte_writer_u64 (writer, hash);
  size_t start = writer->size;
  emit (writer, index, data);
  byte_writer_patch_u64 (writer, length_offset, writer->size - start);
}

/* Write the payload of the sorted ITEMS; note where each bucket begins.  */
static bool
write_payload (struct byte_writer *writer, const uint64_t *hashes,
	       const struct item *items, size_t n, bool has_key_bytes,
	       ondisk_hash_emitter *emit, void *data, uint64_t *offsets)
{
  for (size_t first = 0, end; first < n; first = end)
    {
      end = first;
      while (end < n && items[end].bucket == items[first].bucket)
	end++;
      if (end - first > UINT16_MAX)
	return false;
      offsets[items[first].bucket] = writer->size;
      byte_writer_u16 (writer, end - first);
      for (size_t i = first; i < end; i++)
	write_entry (writer, hashes[items[i].index], has_key_bytes,
		     items[i].index, emit, data);
    }
  return true;
}

static bool
write_table (struct byte_writer *writer, const uint64_t *hashes, size_t n,
	     bool has_key_bytes, ondisk_hash_emitter *emit, void *data,
	     size_t *array_offset)
{
  uint64_t buckets = bucket_count (n);
  struct item *items = calloc (n + 1, sizeof *items);
  uint64_t *offsets = calloc (buckets, sizeof *offsets);
  bool done = items && offsets;
  if (done)
    {
      for (size_t i = 0; i < n; i++)
	items[i] = (struct item) { hashes[i] & (buckets - 1), i };
      qsort (items, n, sizeof *items, compare_items);
      done = write_payload (writer, hashes, items, n, has_key_bytes, emit, data,
			    offsets);
    }
  byte_writer_align (writer, 8);
  *array_offset = writer->size;
  byte_writer_u64 (writer, buckets);
  byte_writer_u64 (writer, n);
  for (uint64_t i = 0; done && i < buckets; i++)
    byte_writer_u64 (writer, offsets[i]);
  free (offsets);
  free (items);
  return done && !writer->failed;
}

bool
ondisk_hash_write (struct byte_writer *writer, const uint64_t *hashes,
		   size_t n, ondisk_hash_emitter *emit, void *data,
		   size_t *array_offset)
{
  return write_table (writer, hashes, n, true, emit, data, array_offset);
}

bool
ondisk_hash_write_short (struct byte_writer *writer, const uint64_t *hashes,
			 size_t n, ondisk_hash_emitter *emit, void *data,
			 size_t *array_offset)
{
  return write_table (writer, hashes, n, false, emit, data, array_offset);
}

static int
compare_entries (const void *element1, const void *element2)
{
  const struct ondisk_hash_entry *entry1 = element1;
  const struct ondisk_hash_entry *entry2 = element2;
  return (entry1->key > entry2->key) - (entry1->key < entry2->key);
}

static void
read_entry (struct byte_reader *reader, bool has_key_bytes, const char *what,
	    struct ondisk_hash_entry *entry)
{
  size_t start = reader->position;
  uint64_t hash = byte_reader_u64 (reader, what);
  uint64_t key_bytes = has_key_bytes ? byte_reader_u64 (reader, what) : 8;
  uint64_t data_bytes = byte_reader_u64 (reader, what);
  entry->key = byte_reader_u64 (reader, what);
  entry->data_offset = reader->position;
  entry->data_bytes = data_bytes;
  byte_reader_bytes (reader, data_bytes, what);
  if (reader->failed)
    return;
  if (key_bytes != 8)
    byte_reader_fail (reader, start + 8, "%s: key of %" PRIu64
		      " bytes (must be 8)", what, key_bytes);
  else if (hash != entry->key)
    byte_reader_fail (reader, start, "%s: hash 0x%" PRIx64
		      " of the key 0x%" PRIx64, what, hash, entry->key);
}

/* Read the entries of BUCKET, whose payload is at OFFSET, to ENTRIES.  Return
   their number, at most ROOM.  */
static size_t
read_bucket (struct byte_reader *reader, uint64_t offset, uint64_t bucket,
	     uint64_t bucket_mask, bool has_key_bytes, const char *what,
	     struct ondisk_hash_entry *entries, size_t room)
{
  byte_reader_seek (reader, offset, what);
  size_t n = byte_reader_u16 (reader, what);
  if (n > room)
    {
      byte_reader_fail (reader, offset, "%s: bucket %" PRIu64
			" has %zu entries, but %zu are left", what, bucket, n,
			room);
      return 0;
    }
  for (size_t i = 0; i < n && !reader->failed; i++)
    {
      size_t start = reader->position;
      read_entry (reader, has_key_bytes, what, &entries[i]);
      if (!reader->failed && (entries[i].key & bucket_mask) != bucket)
	byte_reader_fail (reader, start, "%s: key 0x%" PRIx64
			  " is in bucket %" PRIu64, what, entries[i].key,
			  bucket);
    }
  return n;
}

/* Read the entries of all BUCKETS; READER stands at the array's offsets.  */
static void
read_buckets (struct byte_reader *reader, uint64_t buckets, bool has_key_bytes,
	      const char *what, struct ondisk_hash_entry *entries,
	      size_t count)
{
  size_t array = reader->position;
  size_t found = 0;
  for (uint64_t i = 0; i < buckets && !reader->failed; i++)
    {
      byte_reader_seek (reader, array + 8 * i, what);
      uint64_t offset = byte_reader_u64 (reader, what);
      if (offset != 0)
	found += read_bucket (reader, offset, i, buckets - 1, has_key_bytes,
			      what, entries + found, count - found);
    }
  if (!reader->failed && found != count)
    byte_reader_fail (reader, array - 8, "%s: %zu entries, but %zu in buckets",
		      what, count, found);
}

bool
ondisk_hash_read (struct byte_reader *reader, uint64_t array_offset,
		  bool has_key_bytes, const char *what,
		  struct ondisk_hash_entry **entries, size_t *count)
{
  *entries = NULL;
  *count = 0;
  byte_reader_seek (reader, array_offset, what);
  uint64_t buckets = byte_reader_u64 (reader, what);
  uint64_t n = byte_reader_u64 (reader, what);
  if (!reader->failed && (buckets == 0 || (buckets & (buckets - 1)) != 0))
    byte_reader_fail (reader, array_offset, "%s: %" PRIu64
		      " buckets, not a power of two", what, buckets);
  byte_reader_need (reader, buckets, 8, what);
  /* An entry has at least its hash, length and key.  */
  if (!reader->failed && n > reader->end / 24)
    byte_reader_fail (reader, array_offset + 8, "%s: %" PRIu64
		      " entries, more than the file holds", what, n);
  if (reader->failed)
    return false;
  *entries = calloc (n + 1, sizeof **entries);
  if (!*entries)
    return byte_reader_fail_memory (reader);
  read_buckets (reader, buckets, has_key_bytes, what, *entries, n);
  if (reader->failed)
    return false;
  qsort (*entries, n, sizeof **entries, compare_entries);
  *count = n;
  return true;
}

const struct ondisk_hash_entry *
ondisk_hash_find (const struct ondisk_hash_entry *entries, size_t count,
		  uint64_t key)
{
  const struct ondisk_hash_entry wanted = { .key = key };
  return bsearch (&wanted, entries, count, sizeof *entries, compare_entries);
}
