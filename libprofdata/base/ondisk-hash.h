/* The on-disk hash table of LLVM's indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Payload, for each non-empty bucket in turn: u16 number of entries, then for
   each entry u64 hash, u64 bytes of key, u64 bytes of data, key, data.  Then,
   aligned to 8, the bucket array: u64 number of buckets (a power of two), u64
   number of entries, and for each bucket the file offset of its payload, 0 if
   it is empty.  The low bits of an entry's hash are the number of its
   bucket.  */

#ifndef HEAPPROF_ONDISK_HASH_H
#define HEAPPROF_ONDISK_HASH_H

#include "byte-reader.h"
#include "byte-writer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Append the data of entry number INDEX to WRITER.  */
typedef void ondisk_hash_emitter (struct byte_writer *writer, size_t index,
				  void *data);

/* Append a table of N entries whose keys, of 8 bytes, equal their hashes;
   HASHES are distinct.  DATA is passed to EMIT.  Set *ARRAY_OFFSET to the
   offset of the bucket array.  Return false if a bucket has more entries than
   16 bits can count, or if memory is exhausted.  Entries of a bucket are in the
   order in which LLVM's writer puts them when it gets the entries in the order
   of HASHES.  */
bool ondisk_hash_write (struct byte_writer *writer, const uint64_t *hashes,
			size_t n, ondisk_hash_emitter *emit, void *data,
			size_t *array_offset);

/* The same without the key size in each entry.  */
bool ondisk_hash_write_short (struct byte_writer *writer,
			      const uint64_t *hashes, size_t n,
			      ondisk_hash_emitter *emit, void *data,
			      size_t *array_offset);

/* The same for keys of any kind: EMIT appends everything that follows the hash
   of an entry.  */
bool ondisk_hash_write_entries (struct byte_writer *writer,
				const uint64_t *hashes, size_t n,
				ondisk_hash_emitter *emit, void *data,
				size_t *array_offset);

/* Return the order of N entries with HASHES in such a table, as entry numbers,
   malloced.  NULL if memory is exhausted.  */
size_t *ondisk_hash_order (const uint64_t *hashes, size_t n);

/* An entry found in a file.  */
struct ondisk_hash_entry
{
  uint64_t key;
  size_t data_offset;
  size_t data_bytes;
};

/* Read all entries of the table whose bucket array is at ARRAY_OFFSET in the
   file of READER.  Keys have 8 bytes and equal their hashes.  HAS_KEY_BYTES is
   true if key sizes are stored.  WHAT names the table in errors.  *ENTRIES,
   malloced, is sorted by key.  */
bool ondisk_hash_read (struct byte_reader *reader, uint64_t array_offset,
		       bool has_key_bytes, const char *what,
		       struct ondisk_hash_entry **entries, size_t *count);

/* Return the entry with KEY among COUNT sorted entries, NULL if there is
   none.  */
const struct ondisk_hash_entry *
ondisk_hash_find (const struct ondisk_hash_entry *entries, size_t count,
		  uint64_t key);

/* Process one entry of a table: its hash, the KEY_BYTES bytes at KEY, and its
   data, which is everything READER can read.  Report failures through
   READER.  */
typedef void ondisk_hash_visitor (struct byte_reader *reader, uint64_t hash,
				  const uint8_t *key, size_t key_bytes,
				  void *data);

/* Process the entry at ENTRY if there is a fast way, and return its size in
   bytes; otherwise return 0.  LEFT bytes are readable there.  */
typedef size_t ondisk_hash_shortcut (const uint8_t *entry, size_t left,
				     void *data);

/* Bytes of an entry before its key.  */
#define ONDISK_HASH_ENTRY_BYTES 24

/* Set *N to the number of entries of the table whose bucket array is at
   ARRAY_OFFSET in the file of READER.  Return false if READER failed.  */
bool ondisk_hash_count (struct byte_reader *reader, uint64_t array_offset,
			const char *what, uint64_t *n);

/* Call VISIT for all entries of the table whose bucket array is at ARRAY_OFFSET
   in the file of READER and whose payload starts at READER's position.  Buckets
   must follow each other without gaps, as in LLVM's files.  Each entry is
   offered to TRY first.  WHAT names the table in errors.  Return false if
   READER failed; otherwise it is positioned after the table.  */
bool ondisk_hash_visit (struct byte_reader *reader, uint64_t array_offset,
			const char *what, ondisk_hash_shortcut *try,
			ondisk_hash_visitor *visit, void *data);

/* Look up the entry with HASH and the KEY_BYTES bytes at KEY in a table of the
   same kind, reading only one bucket.  Return true and set *PART to a reader of
   its data if found; false if not found or if READER failed.  */
bool ondisk_hash_look_up (struct byte_reader *reader, uint64_t array_offset,
			  const char *what, uint64_t hash, const void *key,
			  size_t key_bytes, struct byte_reader *part);

/* Look up the entry with KEY in a table that ondisk_hash_read can read, reading
   only one bucket, and fill *ENTRY.  Each entry passed decrements *STEPS, and
   READER fails when it reaches 0: forged buckets can be as long as the file and
   share entries.  Return false if KEY is not found or if READER failed.  */
bool ondisk_hash_look_up_key (struct byte_reader *reader, uint64_t array_offset,
			      bool has_key_bytes, const char *what,
			      uint64_t key, size_t *steps,
			      struct ondisk_hash_entry *entry);

#endif /* HEAPPROF_ONDISK_HASH_H */
