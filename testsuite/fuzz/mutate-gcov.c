/* Replay of damaged files of gcc's coverage: data files, notes files, and the
   part of the heapprof section for them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "byte-reader.h"
#include "gcov-builder.h"
#include "gcov-data.h"
#include "gcov-lines.h"
#include "gcov-names.h"
#include "gcov-notes.h"
#include "gcov-samples.h"
#include "gcov-section.h"
#include "mutate.h"
#include <stdlib.h>
#include <string.h>

static struct gcov_builder builder;

/* The other file of the pair.  */
static struct gcov_profile *sample_data;
static struct gcov_notes *sample_notes;

static bool
fail (struct profile_error *err)
{
  return profile_error_set_memory (err, "variant");
}

/* Turn the units of PROFILE into samples for each reader, all with NOTES.  */
static bool
make_samples (const struct gcov_profile *profile,
	      const struct gcov_notes *notes)
{
  bool done = true;
  for (int i = 0; done && i < 2; i++)
    {
      struct sample_profile *into = sample_profile_new ();
      struct gcov_samples *samples
	= into ? gcov_samples_new (into, profile, i == 0 ? GCOV_SAMPLES_LLVM
							 : GCOV_SAMPLES_GCC)
	       : NULL;
      done = samples != NULL;
      for (size_t k = 0; done && k < profile->unit_count; k++)
	done = gcov_samples_add (samples, profile->units[k], notes);
      gcov_samples_free (samples);
      sample_profile_free (into);
    }
  return done;
}

/* Write all units, add them to themselves, count lines and samples.  */
static bool
look_at_data (struct gcov_profile *profile, struct profile_error *err)
{
  struct profile_error cause;
  for (size_t i = 0; i < profile->unit_count; i++)
    {
      struct gcov_unit *unit = profile->units[i];
      struct byte_writer writer = { 0 };
      bool is_written = gcov_data_serialize (&writer, unit, &cause);
      byte_writer_free (&writer);
      /* One file cannot hold all units.  */
      if (!is_written && strncmp (cause.cause, "two versions", 12) != 0)
	return fail (err);
      struct gcov_lines *lines = gcov_lines_count (sample_notes, unit);
      gcov_lines_free (lines);
      if (!lines || !gcov_names_from_notes (unit, sample_notes))
	return fail (err);
    }
  struct gcov_profile *sum = gcov_profile_new ();
  bool done = (sum && gcov_profile_merge (sum, profile)
	       && gcov_profile_merge (sum, profile)
	       && make_samples (sum, sample_notes));
  struct byte_writer writer = { 0 };
  done = done && gcov_section_write (&writer, sum);
  byte_writer_free (&writer);
  gcov_profile_free (sum);
  return done || fail (err);
}

static bool
read_data (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct gcov_profile *profile = gcov_profile_new ();
  bool done = profile || fail (err);
  done = done && gcov_data_parse (profile, "variant", "unit", data, size, err);
  mutate_stop_counting ();
  done = done && look_at_data (profile, err);
  gcov_profile_free (profile);
  return done;
}

static bool
read_notes (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct gcov_notes *notes = gcov_notes_parse ("variant", data, size, err);
  mutate_stop_counting ();
  if (!notes)
    return false;
  struct gcov_lines *lines = gcov_lines_count (notes, sample_data->units[0]);
  gcov_lines_free (lines);
  bool done = lines != NULL;
  lines = gcov_lines_count (notes, NULL);
  gcov_lines_free (lines);
  done = (done && lines && make_samples (sample_data, notes)) || fail (err);
  gcov_notes_free (notes);
  return done;
}

static bool
read_section (const unsigned char *data, size_t size,
	      struct profile_error *err)
{
  struct byte_reader reader;
  byte_reader_init (&reader, "variant", data, size, err);
  struct gcov_profile *profile = gcov_profile_new ();
  bool done = profile || fail (err);
  done = done && gcov_section_read (&reader, profile);
  mutate_stop_counting ();
  done = done && look_at_data (profile, err);
  gcov_profile_free (profile);
  return done;
}

/* A list of zeros, which takes no room in a section, may be as long as
   GCOV_DATA_MOST_COUNTERS says; in the others everything takes room.  */
static struct mutate_target target = {
  .base_bytes = 8192,
  .bytes_per_byte = 32
};

static void
replay_files (void)
{
  for (unsigned int major = 11; major <= 16; major++)
    {
      target.name = "data";
      target.read = read_data;
      gcov_build_sample_data (&builder, major, major % 2);
      mutate_replay (&target, builder.data, builder.size, 3000);
      target.name = "notes";
      target.read = read_notes;
      gcov_build_sample_notes (&builder, major, major % 2);
      mutate_replay (&target, builder.data, builder.size, 3000);
    }
}

static void
replay_section (void)
{
  struct gcov_profile *profile = gcov_profile_new ();
  for (unsigned int i = 0; i < 8; i++)
    if (!gcov_profile_add (profile, gcov_random_unit (i % 5, i)))
      abort ();
  if (!gcov_profile_merge (profile, sample_data))
    abort ();
  struct byte_writer writer = { 0 };
  if (!gcov_section_write (&writer, profile))
    abort ();
  gcov_profile_free (profile);
  target.name = "section";
  target.read = read_section;
  target.base_bytes += 8 * GCOV_DATA_MOST_COUNTERS (0);
  target.bytes_per_byte += 64 * 8 + 64;
  mutate_replay (&target, writer.data, writer.size, 10000);
  byte_writer_free (&writer);
}

int
main (void)
{
  struct profile_error err;
  gcov_build_sample_notes (&builder, 12, false);
  sample_notes = gcov_notes_parse ("notes", builder.data, builder.size, &err);
  gcov_build_sample_data (&builder, 12, false);
  sample_data = gcov_profile_new ();
  if (!sample_notes
      || !gcov_data_parse (sample_data, "data", "unit", builder.data,
			   builder.size, &err))
    return 1;
  replay_files ();
  replay_section ();
  gcov_notes_free (sample_notes);
  gcov_profile_free (sample_data);
  mutate_summary ();
  return 0;
}
