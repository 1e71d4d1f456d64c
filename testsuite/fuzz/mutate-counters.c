/* Replay of damaged counters of functions: in indexed profiles and as text.
   SPDX-License-Identifier: GPL-3.0-or-later

   LLVM's parts alone, so that no checksum keeps damage out; with a heapprof
   section of values; and text.  What was read is written in both forms, and
   every name of it looked up.  */

#include "counter-text.h"
#include "indexed-lookup.h"
#include "indexed-profile.h"
#include "mutate.h"
#include "pgo-text.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#define TRAILER_BYTES 32

/* What was read must be writable.  */
static bool
look_at (const struct profile *profile, struct profile_error *err)
{
  static const struct indexed_profile_options options = { .sparse = true };
  struct pgo_text_losses losses;
  void *data;
  size_t size;
  err->path = "variant";
  if (!indexed_profile_serialize (profile, &options, &data, &size, err))
    return false;
  free (data);
  if (!profile->counters)
    return true;
  if (!pgo_text_serialize (profile->counters, false, &data, &size, &losses,
			   err))
    return false;
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

static bool
read_text (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct profile profile = { .counters = counter_profile_new () };
  if (!profile.counters)
    {
      mutate_stop_counting ();
      return profile_error_set_memory (err, "variant");
    }
  bool done = pgo_text_fold (profile.counters, "variant", data, size, err);
  mutate_stop_counting ();
  done = done && look_at (&profile, err);
  counter_profile_free (profile.counters);
  return done;
}

/* Look functions up in the SIZE bytes at DATA.  */
static bool
read_lookup (const unsigned char *data, size_t size, struct profile_error *err)
{
  static int fd = -1;
  static char path[64];
  if (fd < 0)
    {
      fd = memfd_create ("variant", 0);
      snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
    }
  if (ftruncate (fd, 0) != 0
      || pwrite (fd, data, size, 0) != (ssize_t) size)
    abort ();
  struct indexed_lookup *lookup = indexed_lookup_open (path, err);
  struct counter_profile *profile = lookup ? counter_profile_new () : NULL;
  bool done = lookup != NULL && profile != NULL;
  if (lookup && !profile)
    profile_error_set_memory (err, path);
  for (unsigned int i = 0; i < 50 && done; i++)
    {
      struct indexed_counters found;
      char name[40];
      size_t n = snprintf (name, sizeof name, "x.c;function%u", i);
      done = (indexed_lookup_counters (lookup, name, n, i % 3, &found, err)
		!= INDEXED_FAILED
	      && indexed_lookup_fold (lookup, name, n, profile, err)
		   != INDEXED_FAILED);
    }
  mutate_stop_counting ();
  counter_profile_free (profile);
  indexed_lookup_close (lookup);
  err->path = "variant";
  return done;
}

static void
put_u32 (unsigned char *data, uint32_t value)
{
  for (int i = 0; i < 4; i++)
    data[i] = value >> 8 * i;
}

/* Make the trailer's checksum right.  */
static void
repair (unsigned char *data, size_t size)
{
  if (size >= TRAILER_BYTES)
    put_u32 (data + size - 12, crc32_z (0, data, size - 12));
}

static uint64_t
get_u64 (const unsigned char *data)
{
  uint64_t value = 0;
  for (int i = 0; i < 8; i++)
    value |= (uint64_t) data[i] << 8 * i;
  return value;
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

static void
replay_indexed (unsigned int version)
{
  struct profile profile = { .counters = random_counters (3, 25, false) };
  const struct indexed_profile_options options = { .file_version = version };
  struct profile_error err;
  void *data;
  size_t size;
  if (!indexed_profile_serialize (&profile, &options, &data, &size, &err))
    abort ();
  counter_profile_free (profile.counters);
  struct mutate_target target = {
    .name = "counters with a section", .read = read_indexed, .repair = repair,
    .may_pass = is_llvm_part,
    /* Tables and the arena begin with some blocks.  A site, of one byte, takes
       16, and a vtable's name may be deflated to a hundredth.  */
    .base_bytes = 600000,
    .bytes_per_byte = 300
  };
  section_of_original = get_u64 ((unsigned char *) data + size
				 - TRAILER_BYTES);
  mutate_replay (&target, data, size, 4000);
  target.name = "counters in LLVM's parts";
  target.repair = NULL;
  target.may_pass = NULL;
  mutate_replay (&target, data, section_of_original, 8000);
  target.name = "looked-up counters";
  target.read = read_lookup;
  mutate_replay (&target, data, section_of_original, 4000);
  free (data);
}

static void
replay_text (void)
{
  struct counter_profile *counters = random_counters (4, 25, true);
  struct pgo_text_losses losses;
  struct profile_error err;
  void *data;
  size_t size;
  if (!pgo_text_serialize (counters, false, &data, &size, &losses, &err))
    abort ();
  counter_profile_free (counters);
  const struct mutate_target target = {
    .name = "counters as text", .read = read_text,
    .base_bytes = 600000, .bytes_per_byte = 300
  };
  mutate_replay (&target, data, size, 8000);
  free (data);
}

int
main (void)
{
  replay_indexed (12);
  replay_indexed (11);
  replay_text ();
  mutate_summary ();
  return 0;
}
