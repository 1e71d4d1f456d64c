/* Replay damaged machine-level profiles, also as text, and their raw files and
   maps.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-files.h"
#include "mip-map-file.h"
#include "mip-text.h"
#include "mutate.h"
#include <stdlib.h>

/* Replay the contents of WRITER with READER, and free WRITER.  */
static void
replay (const struct reader *reader, struct byte_writer writer)
{
  const struct mutate_target target = { .name = reader->name,
					.reader = reader,
					.is_repaired = reader->repair != NULL,
					.bounds = reader->bounds };
  mutate_replay (&target, writer.data, writer.size, 3000);
  byte_writer_free (&writer);
}

static struct byte_writer
make_map_file (void)
{
  struct byte_writer records = mip_files_map (), file = { 0 };
  struct mip_map map = mip_files_program (records.data, records.size);
  mip_map_file_write (&map, &file);
  byte_writer_free (&records);
  return file;
}

int
main (void)
{
  struct profile_error err;
  size_t skipped;
  struct mip_profile *profile = mip_files_profile ();
  struct byte_writer raw = mip_files_raw (2), file = { 0 }, text = { 0 };
  if (profile == NULL
      || !mip_profile_add_raw (profile, READER_PATH, raw.data, raw.size, 1,
			       &skipped, &err))
    abort ();
  mip_profile_write (profile, &file);
  mip_text_write (profile, &text);
  mip_profile_free (profile);
  replay (&reader_mip, file);
  replay (&reader_mip_text, text);
  replay (&reader_mip_raw, raw);
  replay (&reader_mip_raw, mip_files_sums ());
  replay (&reader_mip_raw, mip_files_coverage_sums ());
  replay (&reader_mip_map, mip_files_map ());
  replay (&reader_mip_map_file, make_map_file ());
  mutate_summary ();
  return 0;
}
