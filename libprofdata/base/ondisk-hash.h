/* The hash table on disk of LLVM's indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Payload: for each bucket that has entries, one after the other, u16 number
   of entries, then each entry: u64 hash, u64 bytes of key, u64 bytes of data,
   key, data.  Then, aligned to 8, the bucket array: u64 number of buckets (a
   power of two), u64 number of entries, and for each bucket the file offset of
   its payload, 0 if it has none.  An entry is in the bucket that the low bits
   of its hash number.  */

#ifndef HEAPPROF_ONDISK_HASH_H
#define HEAPPROF_ONDISK_HASH_H

#include "byte-reader.h"
#include "byte-writer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Append the data of entry INDEX to WRITER.  */
typedef void ondisk_hash_emitter (struct byte_writer *writer, size_t index,
				  void *data);

/* Append a table of N entries whose keys are their hashes, 8 bytes; HASHES are
   distinct.  EMIT gets DATA.  Set *ARRAY_OFFSET to where the bucket array is.
   False if more entries share a bucket than 16 bits count, or memory cannot
   be had.  Entries of a bucket are in the order in which LLVM's writer puts
   them if it is given the entries in the order of HASHES.  */
bool ondisk_hash_write (struct byte_writer *writer, const uint64_t *hashes,
			size_t n, ondisk_hash_emitter *emit, void *data,
			size_t *array_offset);

/* The same without the length of the key in each entry.  */
bool ondisk_hash_write_short (struct byte_writer *writer,
			      const uint64_t *hashes, size_t n,
			      ondisk_hash_emitter *emit, void *data,
			      size_t *array_offset);

/* The same for keys of any kind: EMIT appends all of an entry that follows its
   hash.  */
bool ondisk_hash_write_entries (struct byte_writer *writer,
				const uint64_t *hashes, size_t n,
				ondisk_hash_emitter *emit, void *data,
				size_t *array_offset);

/* The order in which such a table has N entries with HASHES, as numbers of
   entries, malloced.  NULL if memory cannot be had.  */
size_t *ondisk_hash_order (const uint64_t *hashes, size_t n);

/* An entry found in a file.  */
struct ondisk_hash_entry
{
  uint64_t key;
  size_t data_offset;
  size_t data_bytes;
};

/* Read all entries of the table whose bucket array is at ARRAY_OFFSET in the
   file of READER; keys are 8 bytes and equal to their hash.  HAS_KEY_BYTES
   says whether the length of the key is stored.  WHAT names the table in
   errors.  *ENTRIES, malloced, is sorted by key.  */
bool ondisk_hash_read (struct byte_reader *reader, uint64_t array_offset,
		       bool has_key_bytes, const char *what,
		       struct ondisk_hash_entry **entries, size_t *count);

/* The entry with KEY among COUNT sorted ones, NULL if there is none.  */
const struct ondisk_hash_entry *
ondisk_hash_find (const struct ondisk_hash_entry *entries, size_t count,
		  uint64_t key);

/* Take an entry of a table: its hash, KEY_BYTES bytes at KEY, and its data,
   which are all that READER has.  Failures go to READER.  */
typedef void ondisk_hash_visitor (struct byte_reader *reader, uint64_t hash,
				  const uint8_t *key, size_t key_bytes,
				  void *data);

/* Take the entry at ENTRY, if a short way is known, and return how many bytes
   it has; else return 0.  LEFT bytes can be read there.  */
typedef size_t ondisk_hash_shortcut (const uint8_t *entry, size_t left,
				     void *data);

/* Bytes of an entry before its key.  */
#define ONDISK_HASH_ENTRY_BYTES 24

/* Set *N to the number of entries of the table whose bucket array is at
   ARRAY_OFFSET in the file of READER.  False if READER failed.  */
bool ondisk_hash_count (struct byte_reader *reader, uint64_t array_offset,
			const char *what, uint64_t *n);

/* Give VISIT all entries of the table whose bucket array is at ARRAY_OFFSET in
   the file of READER and whose payload begins where READER stands.  Buckets
   must follow one another without gaps, as they do in LLVM's files.  Each entry
   is given to TRY first.  WHAT names the table in errors.  False if READER
   failed; else it stands behind the table.  */
bool ondisk_hash_visit (struct byte_reader *reader, uint64_t array_offset,
			const char *what, ondisk_hash_shortcut *try,
			ondisk_hash_visitor *visit, void *data);

/* Look for the entry with HASH and the KEY_BYTES bytes at KEY in the same kind
   of table, reading one bucket alone.  True if it is there: *PART is a reader
   of its data.  False if not, or if READER failed.  */
bool ondisk_hash_look_up (struct byte_reader *reader, uint64_t array_offset,
			  const char *what, uint64_t hash, const void *key,
			  size_t key_bytes, struct byte_reader *part);

/* Look for the entry with KEY in a table as ondisk_hash_read reads, reading one
   bucket alone, and fill *ENTRY.  Each entry passed is taken off *STEPS, and
   READER fails when none are left: made-up buckets can be as long as the file,
   and shared.  False if KEY is not there, or if READER failed.  */
bool ondisk_hash_look_up_key (struct byte_reader *reader, uint64_t array_offset,
			      bool has_key_bytes, const char *what,
			      uint64_t key, size_t *steps,
			      struct ondisk_hash_entry *entry);

#endif /* HEAPPROF_ONDISK_HASH_H */
