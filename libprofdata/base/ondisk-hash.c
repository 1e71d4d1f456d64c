/* Reading the on-disk hash table of LLVM's indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ondisk-hash.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    byte_reader_fail (reader, start + 8,
		      "%s: invalid key size %" PRIu64 " bytes (expected 8)",
		      what, key_bytes);
  else if (hash != entry->key)
    byte_reader_fail (reader, start,
		      "%s: invalid hash 0x%" PRIx64
		      " (expected the key, 0x%" PRIx64 ")",
		      what, hash, entry->key);
}

/* Read the entries of BUCKET, whose payload is at OFFSET, into ENTRIES.  Return
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
      byte_reader_fail (reader, offset,
			"%s: bucket %" PRIu64
			": invalid entry count %zu (expected at most "
			"%zu)",
			what, bucket, n, room);
      return 0;
    }
  for (size_t i = 0; i < n && !reader->failed; i++)
    {
      size_t start = reader->position;
      read_entry (reader, has_key_bytes, what, &entries[i]);
      if (!reader->failed && (entries[i].key & bucket_mask) != bucket)
	byte_reader_fail (reader, start,
			  "%s: key 0x%" PRIx64
			  " is in the wrong bucket %" PRIu64,
			  what, entries[i].key, bucket);
    }
  return n;
}

/* Read the entries of all BUCKETS.  READER is at the array of offsets.  */
static void
read_buckets (struct byte_reader *reader, uint64_t buckets, bool has_key_bytes,
	      const char *what, struct ondisk_hash_entry *entries, size_t count)
{
  size_t array = reader->position;
  size_t found = 0;
  uint64_t end = 0;
  for (uint64_t i = 0; i < buckets && !reader->failed; i++)
    {
      byte_reader_seek (reader, array + 8 * i, what);
      uint64_t offset = byte_reader_u64 (reader, what);
      if (offset == 0)
	continue;
      /* Otherwise buckets could share data, which would be read repeatedly.  */
      if (offset < end)
	byte_reader_fail (reader, array + 8 * i,
			  "%s: bucket %" PRIu64 " starts at 0x%" PRIx64
			  ", but the previous one ends at 0x%" PRIx64,
			  what, i, offset, end);
      found += read_bucket (reader, offset, i, buckets - 1, has_key_bytes, what,
			    entries + found, count - found);
      end = reader->position;
    }
  if (!reader->failed && found != count)
    byte_reader_fail (reader, array - 8,
		      "%s: invalid entry count %zu (buckets hold %zu)", what,
		      count, found);
}

/* Read and check the numbers of buckets and entries at ARRAY_OFFSET.  */
static bool
read_array_header (struct byte_reader *reader, uint64_t array_offset,
		   const char *what, uint64_t *buckets, uint64_t *n)
{
  byte_reader_seek (reader, array_offset, what);
  *buckets = byte_reader_u64 (reader, what);
  *n = byte_reader_u64 (reader, what);
  if (!reader->failed && (*buckets == 0 || (*buckets & (*buckets - 1)) != 0))
    byte_reader_fail (reader, array_offset,
		      "%s: invalid bucket count %" PRIu64
		      " (expected a power of two)",
		      what, *buckets);
  byte_reader_need (reader, *buckets, 8, what);
  /* An entry has at least three numbers.  */
  if (!reader->failed && *n > reader->end / 24)
    byte_reader_fail (reader, array_offset + 8,
		      "%s: invalid entry count %" PRIu64
		      " (more than the file can hold)",
		      what, *n);
  return !reader->failed;
}

bool
ondisk_hash_read (struct byte_reader *reader, uint64_t array_offset,
		  bool has_key_bytes, const char *what,
		  struct ondisk_hash_entry **entries, size_t *count)
{
  *entries = NULL;
  *count = 0;
  uint64_t buckets;
  uint64_t n;
  if (!read_array_header (reader, array_offset, what, &buckets, &n))
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

/* State of a walk over a table.  */
struct visit
{
  struct byte_reader *reader; /* of the file, at the next entry */
  struct byte_reader part;    /* of the data of an entry */
  uint64_t bucket_mask;
  const char *what;
  ondisk_hash_shortcut *try;
  ondisk_hash_visitor *take;
  void *data;
};

/* Fail unless the hash of the entry at START belongs to BUCKET.  */
static inline bool
check_bucket (struct visit *visit, size_t start, uint64_t bucket)
{
  uint64_t hash;
  memcpy (&hash, visit->reader->data + start, sizeof hash);
  hash = le64toh (hash);
  if ((hash & visit->bucket_mask) == bucket)
    return true;
  return byte_reader_fail (visit->reader, start,
			   "%s: hash 0x%" PRIx64
			   " is in the wrong bucket %" PRIu64,
			   visit->what, hash, bucket);
}

/* Visit the next entry, which must belong to BUCKET.  */
static void
visit_entry (struct visit *visit, uint64_t bucket)
{
  struct byte_reader *reader = visit->reader;
  uint64_t head[3]; /* hash, key size, data size */
  size_t start = reader->position;
  size_t taken
    = visit->try (reader->data + start, byte_reader_left (reader), visit->data);
  if (taken > 0)
    {
      reader->position += taken;
      check_bucket (visit, start, bucket);
      return;
    }
  const void *bytes = byte_reader_bytes (reader, sizeof head, visit->what);
  if (!bytes)
    return;
  memcpy (head, bytes, sizeof head);
  uint64_t hash = le64toh (head[0]);
  uint64_t key_bytes = le64toh (head[1]);
  uint64_t data_bytes = le64toh (head[2]);
  const uint8_t *key = byte_reader_bytes (reader, key_bytes, visit->what);
  visit->part.position = reader->position;
  if (!byte_reader_bytes (reader, data_bytes, visit->what))
    return;
  visit->part.end = reader->position;
  if (check_bucket (visit, start, bucket))
    visit->take (&visit->part, hash, key, key_bytes, visit->data);
  byte_reader_join (reader, &visit->part, visit->what);
}

/* Visit the entries of BUCKET, where the reader is.  Return their number.  */
static size_t
visit_bucket (struct visit *visit, uint64_t bucket)
{
  size_t entries = byte_reader_u16 (visit->reader, visit->what);
  for (size_t i = 0; i < entries && !visit->reader->failed; i++)
    visit_entry (visit, bucket);
  return entries;
}

bool
ondisk_hash_count (struct byte_reader *reader, uint64_t array_offset,
		   const char *what, uint64_t *n)
{
  uint64_t buckets;
  return read_array_header (reader, array_offset, what, &buckets, n);
}

bool
ondisk_hash_visit (struct byte_reader *reader, uint64_t array_offset,
		   const char *what, ondisk_hash_shortcut *try,
		   ondisk_hash_visitor *take, void *data)
{
  size_t payload = reader->position;
  uint64_t buckets;
  uint64_t n;
  if (!read_array_header (reader, array_offset, what, &buckets, &n))
    return false;
  size_t array = reader->position;
  const uint8_t *offsets = byte_reader_bytes (reader, 8 * buckets, what);
  byte_reader_seek (reader, payload, what);
  struct visit visit = { .reader = reader,
			 .part = *reader,
			 .bucket_mask = buckets - 1,
			 .what = what,
			 .try = try,
			 .take = take,
			 .data = data };
  uint64_t found = 0;
  for (uint64_t i = 0; i < buckets && !reader->failed; i++)
    {
      uint64_t offset;
      memcpy (&offset, offsets + 8 * i, sizeof offset);
      offset = le64toh (offset);
      if (offset == 0)
	continue;
      if (offset != reader->position)
	return byte_reader_fail (reader, array + 8 * i,
				 "%s: bucket %" PRIu64 " starts at 0x%" PRIx64
				 ", but the previous one ends at 0x%zx",
				 what, i, offset, reader->position);
      found += visit_bucket (&visit, i);
    }
  if (!reader->failed && found != n)
    byte_reader_fail (reader, array_offset + 8,
		      "%s: invalid entry count %" PRIu64
		      " (buckets hold %" PRIu64 ")",
		      what, n, found);
  size_t end = reader->position + -reader->position % 8;
  if (!reader->failed && end != array_offset)
    byte_reader_fail (reader, reader->position,
		      "%s end here, but their buckets start at 0x%" PRIx64,
		      what, array_offset);
  return byte_reader_seek (reader, array + 8 * buckets, what);
}

/* Read the entry at READER's position.  Set *KEY and *KEY_BYTES, and *PART to a
   reader of its data.  Return its hash.  */
static uint64_t
read_any_entry (struct byte_reader *reader, const char *what,
		const uint8_t **key, uint64_t *key_bytes,
		struct byte_reader *part)
{
  uint64_t head[3] = { 0 }; /* hash, key size, data size */
  const void *bytes = byte_reader_bytes (reader, sizeof head, what);
  if (bytes)
    memcpy (head, bytes, sizeof head);
  *key_bytes = le64toh (head[1]);
  *key = byte_reader_bytes (reader, *key_bytes, what);
  *part = byte_reader_part (reader, le64toh (head[2]), what);
  return le64toh (head[0]);
}

/* Move READER to the first entry of the bucket for HASH in the table whose
   bucket array is at ARRAY_OFFSET.  Return the number of entries in the
   bucket.  */
static size_t
seek_bucket (struct byte_reader *reader, uint64_t array_offset,
	     const char *what, uint64_t hash)
{
  uint64_t buckets;
  uint64_t n;
  if (!read_array_header (reader, array_offset, what, &buckets, &n))
    return 0;
  uint64_t bucket = hash & (buckets - 1);
  byte_reader_seek (reader, reader->position + 8 * bucket, what);
  uint64_t offset = byte_reader_u64 (reader, what);
  if (offset == 0)
    return 0;
  byte_reader_seek (reader, offset, what);
  return byte_reader_u16 (reader, what);
}

bool
ondisk_hash_look_up (struct byte_reader *reader, uint64_t array_offset,
		     const char *what, uint64_t hash, const void *key,
		     size_t key_bytes, struct byte_reader *part)
{
  size_t left = seek_bucket (reader, array_offset, what, hash);
  for (; left > 0 && !reader->failed; left--)
    {
      const uint8_t *found;
      uint64_t found_bytes;
      uint64_t found_hash
	= read_any_entry (reader, what, &found, &found_bytes, part);
      if (!reader->failed && found_hash == hash && found_bytes == key_bytes
	  && memcmp (found, key, key_bytes) == 0)
	return true;
    }
  return false;
}

bool
ondisk_hash_look_up_key (struct byte_reader *reader, uint64_t array_offset,
			 bool has_key_bytes, const char *what, uint64_t key,
			 size_t *steps, struct ondisk_hash_entry *entry)
{
  size_t left = seek_bucket (reader, array_offset, what, key);
  for (; left > 0 && !reader->failed; left--)
    {
      if (*steps == 0)
	return byte_reader_fail (reader, reader->position,
				 "%s: too many entries in the searched buckets",
				 what);
      --*steps;
      read_entry (reader, has_key_bytes, what, entry);
      if (!reader->failed && entry->key == key)
	return true;
    }
  return false;
}
