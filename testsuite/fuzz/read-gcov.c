/* Readers of gcc's own files: data files, notes files, and the part of the
   heapprof section for them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "byte-reader.h"
#include "gcov-builder.h"
#include "gcov-data.h"
#include "gcov-lines.h"
#include "gcov-names.h"
#include "gcov-notes.h"
#include "gcov-samples.h"
#include "gcov-section.h"
#include "reader.h"
#include <stdlib.h>
#include <string.h>

/* The other file of a pair: notes and data of the sample.  */
static struct gcov_profile *sample_data;
static struct gcov_notes *sample_notes;

static void __attribute__ ((constructor)) read_samples (void)
{
  static struct gcov_builder builder;
  struct profile_error err;
  builder.major = 12;
  gcov_build_sample_notes (&builder, 12, false);
  sample_notes = gcov_notes_parse ("notes", builder.data, builder.size, &err);
  gcov_build_sample_data (&builder, 12, false);
  sample_data = gcov_profile_new ();
  if (!sample_notes
      || !gcov_data_parse (sample_data, "data", "unit", builder.data,
			   builder.size, &err))
    abort ();
}

static bool
fail (struct profile_error *err)
{
  return profile_error_set_memory (err, READER_PATH);
}

/* ---- Data.  */

/* Write UNIT as a data file into WRITER; read it and write it again.  */
static bool
write_data_again (const struct gcov_unit *unit, struct byte_writer *writer,
		  struct profile_error *err)
{
  struct profile_error cause = { 0 };
  struct byte_writer second = { 0 };
  if (!gcov_data_serialize (writer, unit, &cause))
    /* Two versions of a function do not fit in one data file.  */
    return strstr (cause.cause, "two versions") != NULL || fail (err);
  /* Zeros that are allowed in a stream of files can be too many for a single,
     smaller file; writers check this first.  */
  if (!gcov_data_check (unit, writer->size, &cause))
    return true;
  struct gcov_profile *again = gcov_profile_new ();
  bool done = again || fail (err);
  done = done
	 && (gcov_data_parse (again, READER_PATH, "unit", writer->data,
			      writer->size, err)
	     || reader_ran_out (err, "a written data file is refused"))
	 && (gcov_data_serialize (&second, again->units[0], err)
	     || reader_ran_out (err, "it cannot be written again"));
  if (done
      && (writer->size != second.size
	  || memcmp (writer->data, second.data, second.size) != 0))
    reader_fail ("a data file is read as something else");
  byte_writer_free (&second);
  gcov_profile_free (again);
  return done;
}

static bool
look_at_unit (const struct gcov_notes *notes, struct gcov_unit *unit,
	      struct profile_error *err)
{
  struct byte_writer writer = { 0 };
  bool done = write_data_again (unit, &writer, err);
  byte_writer_free (&writer);
  struct gcov_lines *lines = gcov_lines_count (notes, unit);
  gcov_lines_free (lines);
  return done && ((lines && gcov_names_from_notes (unit, notes)) || fail (err));
}

/* Write PROFILE as a section; read it and write it again.  */
static bool
write_section_again (const struct gcov_profile *profile,
		     struct profile_error *err)
{
  struct byte_writer first = { 0 };
  struct byte_writer second = { 0 };
  struct byte_reader reader;
  struct gcov_profile *again = gcov_profile_new ();
  bool done = (again && gcov_section_write (&first, profile)) || fail (err);
  if (done)
    byte_reader_init (&reader, READER_PATH, first.data, first.size, err);
  bool is_read = done && gcov_section_read (&reader, again);
  /* Zeros that are allowed in a data file can be too many for a section, which
     is smaller; writers check this first.  */
  struct profile_error refusal;
  if (done && !is_read && gcov_section_check (profile, &refusal))
    done = reader_ran_out (err, "a written section is rejected");
  if (is_read)
    done = gcov_section_write (&second, again) || fail (err);
  if (is_read && done
      && (first.size != second.size
	  || memcmp (first.data, second.data, second.size) != 0))
    reader_fail ("a section is read as something else");
  byte_writer_free (&first);
  byte_writer_free (&second);
  gcov_profile_free (again);
  return done;
}

/* Convert the units of PROFILE to samples for each compiler, all with
   NOTES.  */
static bool
make_samples (const struct gcov_profile *profile,
	      const struct gcov_notes *notes)
{
  bool done = true;
  for (int i = 0; done && i < 2; i++)
    {
      struct sample_profile *into = sample_profile_new ();
      struct gcov_samples *samples
	= into
	    ? gcov_samples_new (into, profile,
				i == 0 ? GCOV_SAMPLES_LLVM : GCOV_SAMPLES_GCC)
	    : NULL;
      done = samples != NULL;
      for (size_t k = 0; done && k < profile->unit_count; k++)
	done = gcov_samples_add (samples, profile->units[k], notes);
      gcov_samples_free (samples);
      sample_profile_free (into);
    }
  return done;
}

/* Write all units, compute their lines and samples with NOTES, and add them to
   themselves.  */
static bool
look_at_data (const struct gcov_notes *notes, struct gcov_profile *profile,
	      struct profile_error *err)
{
  for (size_t i = 0; i < profile->unit_count; i++)
    if (!look_at_unit (notes, profile->units[i], err))
      return false;
  struct gcov_profile *sum = gcov_profile_new ();
  bool done = (sum && gcov_profile_merge (sum, profile)
	       && gcov_profile_merge (sum, profile)
	       && gcov_profile_scale (sum, 3) && make_samples (sum, notes))
	      || fail (err);
  done = (done && write_section_again (profile, err)
	  && write_section_again (sum, err));
  gcov_profile_free (sum);
  return done;
}

static bool
read_data (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct gcov_profile *profile = gcov_profile_new ();
  bool done = profile || fail (err);
  done
    = done && gcov_data_parse (profile, READER_PATH, "unit", data, size, err);
  reader_has_read ();
  done = done && look_at_data (sample_notes, profile, err);
  gcov_profile_free (profile);
  return done;
}

/* A list of zeros takes no space in the file and may have up to
   GCOV_DATA_MOST_COUNTERS counters, but it is a single number in memory,
   too.  */
const struct reader reader_gcov_data = { .name = "gcov-data",
					 .recognise = gcov_data_has_magic,
					 .read = read_data,
					 .bounds = { 8192, 32 } };

/* ---- Notes.  */

/* Notes may be followed by their data.  Return where the data start.  */
static size_t
find_data (const unsigned char *data, size_t size)
{
  for (size_t at = size & ~(size_t) 3; at > 0; at -= 4)
    if (gcov_data_has_magic (data + at, size - at))
      return at;
  return size;
}

/* Everything in NOTES must be in bounds.  */
static void
check_notes (const struct gcov_notes *notes)
{
  for (uint32_t i = 0; i < notes->function_count; i++)
    {
      const struct gcov_notes_function *function = &notes->functions[i];
      uint32_t counters = 0;
      for (uint32_t k = 0; k < function->arc_count; k++)
	{
	  const struct gcov_arc *arc = &function->arcs[k];
	  counters += !(arc->flags & GCOV_ARC_ON_TREE);
	  if (arc->source >= function->block_count
	      || arc->destination >= function->block_count)
	    reader_fail ("an arc between blocks that do not exist");
	}
      if (counters != function->counter_count)
	reader_fail ("wrong number of counters of a function");
      for (uint32_t k = 0; k < function->group_count; k++)
	{
	  const struct gcov_line_group *group = &function->groups[k];
	  if (group->block >= function->block_count
	      || group->first > function->line_count
	      || group->count > function->line_count - group->first
	      || strlen (group->file) == SIZE_MAX)
	    reader_fail ("lines that do not exist");
	}
    }
}

static bool
read_notes (const unsigned char *data, size_t size, struct profile_error *err)
{
  size_t notes_size = find_data (data, size);
  struct gcov_notes *notes
    = gcov_notes_parse (READER_PATH, data, notes_size, err);
  reader_has_read ();
  if (!notes)
    return false;
  check_notes (notes);
  struct gcov_lines *unrun = gcov_lines_count (notes, NULL);
  struct gcov_lines *run = gcov_lines_count (notes, sample_data->units[0]);
  gcov_lines_free (unrun);
  gcov_lines_free (run);
  bool done = (unrun && run && make_samples (sample_data, notes)) || fail (err);
  struct gcov_profile *profile = gcov_profile_new ();
  done = done && (profile || fail (err));
  if (done && notes_size < size)
    done = (gcov_data_parse (profile, READER_PATH, "unit", data + notes_size,
			     size - notes_size, err)
	    && look_at_data (notes, profile, err));
  gcov_profile_free (profile);
  gcov_notes_free (notes);
  return done;
}

const struct reader reader_gcov_notes = { .name = "gcov-notes",
					  .recognise = gcov_notes_has_magic,
					  .read = read_notes,
					  .bounds = { 8192, 32 } };

/* ---- The section.  */

static bool
read_section (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct byte_reader reader;
  byte_reader_init (&reader, READER_PATH, data, size, err);
  struct gcov_profile *profile = gcov_profile_new ();
  bool done = profile || fail (err);
  done = done && gcov_section_read (&reader, profile);
  reader_has_read ();
  done = done && look_at_data (sample_notes, profile, err);
  gcov_profile_free (profile);
  return done;
}

/* Return a copy with an index that matches the units.  */
static unsigned char *
repair_section (const unsigned char *data, size_t size, size_t *repaired_size)
{
  struct profile_error ignored;
  struct byte_reader reader;
  struct gcov_section_index index = { 0 };
  struct byte_writer writer = { 0 };
  unsigned char *repaired = NULL;
  byte_reader_init (&reader, READER_PATH, data, size, &ignored);
  struct gcov_profile *profile = gcov_profile_new ();
  bool done = profile && gcov_section_read_units (&reader, profile, &index);
  if (done)
    byte_writer_bytes (&writer, data, reader.position);
  if (done && gcov_section_index_write (&index, &writer, reader.position))
    {
      repaired = reader_copy (writer.data, writer.size);
      *repaired_size = writer.size;
    }
  byte_writer_free (&writer);
  gcov_section_index_free (&index);
  gcov_profile_free (profile);
  return repaired;
}

const struct reader reader_gcov_section
  = { .name = "gcov-section",
      .read = read_section,
      .repair = repair_section,
      .bounds = { 8192 + 8 * GCOV_DATA_MOST_COUNTERS (0), 32 + 64 * 8 + 64 } };
