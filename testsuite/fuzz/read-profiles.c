/* Readers of profiles of functions and heaps: indexed, text, YAML.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "indexed-profile.h"
#include "memprof-yaml.h"
#include "pgo-text.h"
#include "reader.h"
#include "write-again.h"
#include <string.h>
#include <zlib.h>

#define TRAILER_BYTES 32

/* Write all counters of PROFILE, including gcc's, as text.  The two kinds may
   be incompatible.  */
static bool
write_all_counters (const struct profile *profile, struct profile_error *err)
{
  struct profile_error cause = { 0 };
  struct counter_profile *all = profile_all_counters (profile, &cause);
  if (!all)
    return (strcmp (cause.cause, "out of memory") != 0
	    || profile_error_set_memory (err, READER_PATH));
  bool done = write_text_again (all, err);
  counter_profile_free (all);
  return done;
}

static bool
read_indexed (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct profile *profile
    = indexed_profile_parse (READER_PATH, data, size, err);
  reader_has_read ();
  if (!profile)
    return false;
  bool done = (write_indexed_again (profile, size, err)
	       && write_text_again (profile->counters, err)
	       && write_all_counters (profile, err)
	       && write_yaml_again (profile->heap, err));
  profile_free (profile);
  return done;
}

/* Return a copy with a correct checksum in the trailer.  */
static unsigned char *
repair_indexed (const unsigned char *data, size_t size, size_t *repaired_size)
{
  if (size < TRAILER_BYTES)
    return NULL;
  unsigned char *repaired = reader_copy (data, size);
  uint32_t checksum = crc32_z (0, data, size - 12);
  for (int i = 0; i < 4; i++)
    repaired[size - 12 + i] = checksum >> 8 * i;
  *repaired_size = size;
  return repaired;
}

const struct reader reader_indexed
  = { .name = "indexed",
      .recognise = indexed_profile_has_magic,
      .read = read_indexed,
      .repair = repair_indexed,
      /* Tables and the arena start with some blocks.  Few bytes can stand for
	 much data: a MIB of one byte takes 280, and blocks are compressed.  */
      .bounds = { 2000000, 40000 } };

static bool
read_text (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct profile profile = { .counters = counter_profile_new () };
  bool done = (profile.counters || profile_error_set_memory (err, READER_PATH));
  done = done && pgo_text_fold (profile.counters, READER_PATH, data, size, err);
  reader_has_read ();
  done = (done && write_text_again (profile.counters, err)
	  && write_indexed_again (&profile, size, err));
  counter_profile_free (profile.counters);
  return done;
}

const struct reader reader_text
  = { .name = "text", .read = read_text, .bounds = { 600000, 300 } };

static bool
read_yaml (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct profile profile = { .heap = heap_profile_new () };
  bool done = profile.heap || profile_error_set_memory (err, READER_PATH);
  done = done && memprof_yaml_read (profile.heap, READER_PATH, data, size, err);
  reader_has_read ();
  done = (done && write_yaml_again (profile.heap, err)
	  && write_indexed_again (&profile, size, err));
  heap_profile_free (profile.heap);
  return done;
}

const struct reader reader_yaml
  = { .name = "yaml", .read = read_yaml, .bounds = { 600000, 300 } };
