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
   be had.  */
bool ondisk_hash_write (struct byte_writer *writer, const uint64_t *hashes,
			size_t n, ondisk_hash_emitter *emit, void *data,
			size_t *array_offset);

/* The same without the length of the key in each entry.  */
bool ondisk_hash_write_short (struct byte_writer *writer,
			      const uint64_t *hashes, size_t n,
			      ondisk_hash_emitter *emit, void *data,
			      size_t *array_offset);

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

#endif /* HEAPPROF_ONDISK_HASH_H */
