/* Writing the on-disk hash table of LLVM's indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ondisk-hash.h"
#include <stdlib.h>

/* Initial number of buckets in LLVM's writer.  */
#define FIRST_BUCKETS 64

#define NO_ENTRY SIZE_MAX

/* Lists of the entries in each bucket, while a table is built.  A list is in
   reverse order of insertion, and is reversed again whenever the table grows,
   as in LLVM's writer: the files must be identical.  */
struct chains
{
  const uint64_t *hashes;
  size_t *next;	 /* by entry */
  size_t *heads; /* by bucket */
  size_t buckets;
};

/* LLVM's choice: at most three quarters full.  */
static size_t
bucket_count (size_t n)
{
  size_t count = 1;
  if (n > 2)
    while (count < n * 4 / 3 + 1)
      count *= 2;
  return count;
}

static void
insert_entry (struct chains *chains, size_t entry)
{
  size_t *head = &chains->heads[chains->hashes[entry] & (chains->buckets - 1)];
  chains->next[entry] = *head;
  *head = entry;
}

/* Redistribute the entries over BUCKETS buckets.  */
static bool
resize_chains (struct chains *chains, size_t buckets)
{
  size_t *old_heads = chains->heads;
  size_t old_buckets = chains->buckets;
  chains->heads = malloc (buckets * sizeof *chains->heads);
  chains->buckets = buckets;
  for (size_t i = 0; chains->heads && i < buckets; i++)
    chains->heads[i] = NO_ENTRY;
  for (size_t i = 0; chains->heads && i < old_buckets; i++)
    for (size_t entry = old_heads[i]; entry != NO_ENTRY;)
      {
	size_t next = chains->next[entry];
	insert_entry (chains, entry);
	entry = next;
      }
  free (old_heads);
  return chains->heads != NULL;
}

/* Build the lists for N entries.  */
static bool
make_chains (struct chains *chains, const uint64_t *hashes, size_t n)
{
  *chains = (struct chains){ .hashes = hashes };
  chains->next = calloc (n + 1, sizeof *chains->next);
  if (!chains->next || !resize_chains (chains, FIRST_BUCKETS))
    return false;
  for (size_t entry = 0; entry < n; entry++)
    {
      if (4 * (entry + 1) >= 3 * chains->buckets
	  && !resize_chains (chains, 2 * chains->buckets))
	return false;
      insert_entry (chains, entry);
    }
  size_t buckets = bucket_count (n);
  return buckets == chains->buckets || resize_chains (chains, buckets);
}

static void
free_chains (struct chains *chains)
{
  free (chains->heads);
  free (chains->next);
}

/* Write the entries of the bucket whose first entry is FIRST.  */
static bool
write_bucket (struct byte_writer *writer, const struct chains *chains,
	      size_t first, ondisk_hash_emitter *emit, void *data)
{
  size_t n = 0;
  for (size_t entry = first; entry != NO_ENTRY; entry = chains->next[entry])
    n++;
  if (n > UINT16_MAX)
    return false;
  byte_writer_u16 (writer, n);
  for (size_t entry = first; entry != NO_ENTRY; entry = chains->next[entry])
    {
      byte_writer_u64 (writer, chains->hashes[entry]);
      emit (writer, entry, data);
    }
  return true;
}

/* Write the payload and the bucket array.  HEADS become offsets.  */
static bool
write_chains (struct byte_writer *writer, struct chains *chains, size_t n,
	      ondisk_hash_emitter *emit, void *data, size_t *array_offset)
{
  for (size_t i = 0; i < chains->buckets; i++)
    {
      size_t first = chains->heads[i];
      chains->heads[i] = first == NO_ENTRY ? 0 : writer->size;
      if (first != NO_ENTRY
	  && !write_bucket (writer, chains, first, emit, data))
	return false;
    }
  byte_writer_align (writer, 8);
  *array_offset = writer->size;
  byte_writer_u64 (writer, chains->buckets);
  byte_writer_u64 (writer, n);
  for (size_t i = 0; i < chains->buckets; i++)
    byte_writer_u64 (writer, chains->heads[i]);
  return !writer->failed;
}

bool
ondisk_hash_write_entries (struct byte_writer *writer, const uint64_t *hashes,
			   size_t n, ondisk_hash_emitter *emit, void *data,
			   size_t *array_offset)
{
  struct chains chains;
  bool done = (make_chains (&chains, hashes, n)
	       && write_chains (writer, &chains, n, emit, data, array_offset));
  free_chains (&chains);
  return done;
}

size_t *
ondisk_hash_order (const uint64_t *hashes, size_t n)
{
  struct chains chains;
  size_t *order = calloc (n + 1, sizeof *order);
  size_t count = 0;
  bool done = order != NULL && make_chains (&chains, hashes, n);
  for (size_t i = 0; done && i < chains.buckets; i++)
    for (size_t entry = chains.heads[i]; entry != NO_ENTRY;
	 entry = chains.next[entry])
      order[count++] = entry;
  if (order != NULL)
    free_chains (&chains);
  if (done)
    return order;
  free (order);
  return NULL;
}

/* Data for write_keyed_entry.  */
struct keyed_entries
{
  const uint64_t *hashes;
  bool has_key_bytes;
  ondisk_hash_emitter *emit;
  void *data;
};

static void
write_keyed_entry (struct byte_writer *writer, size_t index, void *data)
{
  const struct keyed_entries *entries = data;
  uint64_t key = entries->hashes[index];
  if (entries->has_key_bytes)
    byte_writer_u64 (writer, sizeof key);
  size_t length_offset = writer->size;
  byte_writer_u64 (writer, 0);
  byte_writer_u64 (writer, key);
  size_t start = writer->size;
  entries->emit (writer, index, entries->data);
  byte_writer_patch_u64 (writer, length_offset, writer->size - start);
}

bool
ondisk_hash_write (struct byte_writer *writer, const uint64_t *hashes, size_t n,
		   ondisk_hash_emitter *emit, void *data, size_t *array_offset)
{
  struct keyed_entries entries = { hashes, true, emit, data };
  return ondisk_hash_write_entries (writer, hashes, n, write_keyed_entry,
				    &entries, array_offset);
}

bool
ondisk_hash_write_short (struct byte_writer *writer, const uint64_t *hashes,
			 size_t n, ondisk_hash_emitter *emit, void *data,
			 size_t *array_offset)
{
  struct keyed_entries entries = { hashes, false, emit, data };
  return ondisk_hash_write_entries (writer, hashes, n, write_keyed_entry,
				    &entries, array_offset);
}
