/* Replay of damaged indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   With a heapprof section as it is written, with one whose blocks are not
   compressed, so that damage reaches what is in them, and without one, in
   all versions of LLVM's MemProf section.  */

#include "indexed-profile.h"
#include "memprof-builder.h"
#include "mutate.h"
#include "profile-text.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define TRAILER_BYTES 32
#define SECTION_HEADER_BYTES 16
#define BLOCK_HEADER_BYTES 24
#define BLOCKS 4

/* What was read must be writable.  */
static bool
look_at (const struct profile *profile, struct profile_error *err)
{
  static const struct indexed_profile_options options = {
    .full_schema = true
  };
  void *data;
  size_t size;
  if (!indexed_profile_serialize (profile, &options, &data, &size, err))
    {
      err->path = "variant";
      return false;
    }
  free (data);
  return true;
}

static bool
read_indexed (const unsigned char *data, size_t size,
	      struct profile_error *err)
{
  struct profile *profile = indexed_profile_parse ("variant", data, size, err);
  mutate_stop_counting ();
  if (!profile)
    return false;
  bool done = look_at (profile, err);
  profile_free (profile);
  return done;
}

static uint64_t
get (const unsigned char *data, size_t n)
{
  uint64_t value = 0;
  for (size_t i = 0; i < n; i++)
    value |= (uint64_t) data[i] << 8 * i;
  return value;
}

static void
put (unsigned char *data, uint64_t value, size_t n)
{
  for (size_t i = 0; i < n; i++)
    data[i] = value >> 8 * i;
}

/* Make the trailer's checksum right.  */
static void
repair (unsigned char *data, size_t size)
{
  if (size >= TRAILER_BYTES)
    put (data + size - 12, crc32_z (0, data, size - 12), 4);
}

static size_t section_of_original;

/* Of a file with a heapprof section only LLVM's parts can pass, if all that is
   behind them is gone.  */
static bool
is_llvm_part (const unsigned char *data, size_t size)
{
  (void) data;
  return size == section_of_original;
}

/* The file of *SIZE bytes at DATA with its blocks inflated, malloced; *SIZE is
   changed.  */
static unsigned char *
inflate_blocks (const unsigned char *data, size_t *size)
{
  size_t section = get (data + *size - TRAILER_BYTES, 8);
  unsigned char *inflated = calloc (1, *size * 20);
  size_t from = section + SECTION_HEADER_BYTES;
  size_t to = from;
  memcpy (inflated, data, from);
  for (int i = 0; i < BLOCKS; i++)
    {
      uint64_t stored = get (data + from + 8, 8);
      uLongf plain = get (data + from + 16, 8);
      const unsigned char *content = data + from + BLOCK_HEADER_BYTES;
      memcpy (inflated + to, data + from, 4);
      put (inflated + to + 8, plain, 8);
      put (inflated + to + 16, plain, 8);
      if (get (data + from + 4, 4) == 0)
	memcpy (inflated + to + BLOCK_HEADER_BYTES, content, plain);
      else if (uncompress (inflated + to + BLOCK_HEADER_BYTES, &plain, content,
			   stored) != Z_OK)
	abort ();
      from += BLOCK_HEADER_BYTES + (stored + 7) / 8 * 8;
      to += BLOCK_HEADER_BYTES + (plain + 7) / 8 * 8;
    }
  memcpy (inflated + to, data + from, TRAILER_BYTES);
  put (inflated + to + 8, to - section, 8);
  *size = to + TRAILER_BYTES;
  repair (inflated, *size);
  return inflated;
}

static struct mutate_target target = {
  .read = read_indexed,
  /* An empty profile has some first blocks of records.  A context, of two
     bytes, takes a node and a place in two tables; an MIB, of one, 280.  */
  .base_bytes = 400000,
  .bytes_per_byte = 300
};

static void
replay_section (void)
{
  const struct indexed_profile_options options = { .full_schema = false };
  struct profile profile = { .heap = random_profile (4, 60) };
  struct profile_error err;
  void *data;
  size_t size;
  if (!indexed_profile_serialize (&profile, &options, &data, &size, &err))
    abort ();
  heap_profile_free (profile.heap);
  section_of_original
    = get ((unsigned char *) data + size - TRAILER_BYTES, 8);
  target.repair = repair;
  target.may_pass = is_llvm_part;
  target.name = "heapprof section";
  mutate_replay (&target, data, size, 10000);
  unsigned char *inflated = inflate_blocks (data, &size);
  target.name = "heapprof section, inflated";
  mutate_replay (&target, inflated, size, 10000);
  free (inflated);
  target.repair = NULL;
  target.may_pass = NULL;
  target.name = "LLVM's parts as we write them";
  mutate_replay (&target, data, section_of_original, 10000);
  free (data);
}

static void
replay_llvm_versions (void)
{
  static const char *const names[] = {
    "MemProf version 0", "MemProf version 1", "MemProf version 2",
    "MemProf version 3", "MemProf version 4"
  };
  for (unsigned int version = 0; version < 5; version++)
    {
      size_t size;
      unsigned char *data = memprof_build (12, version, false, &size);
      target.name = names[version];
      mutate_replay (&target, data, size, 2000);
      free (data);
    }
}

int
main (void)
{
  replay_section ();
  replay_llvm_versions ();
  mutate_summary ();
  return 0;
}
