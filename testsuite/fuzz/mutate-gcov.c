/* Replay damaged files of gcc's coverage: data files, notes files, and the part
   of the heapprof section for them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-builder.h"
#include "mutate.h"
#include "sample-files.h"
#include <stdlib.h>

static struct gcov_builder builder;

static void
replay_files (void)
{
  static const struct mutate_target data
    = { .name = "data", .reader = &reader_gcov_data, .bounds = { 8192, 32 } };
  static const struct mutate_target notes
    = { .name = "notes", .reader = &reader_gcov_notes, .bounds = { 8192, 32 } };
  for (unsigned int major = 11; major <= 16; major++)
    {
      gcov_build_sample_data (&builder, major, major % 2);
      mutate_replay (&data, builder.data, builder.size, 3000);
      gcov_build_sample_notes (&builder, major, major % 2);
      mutate_replay (&notes, builder.data, builder.size, 3000);
    }
}

static void
replay_section (void)
{
  const struct mutate_target target = { .name = "section",
					.reader = &reader_gcov_section,
					.is_repaired = true,
					.bounds = reader_gcov_section.bounds };
  struct sample_file file = sample_gcov_section ();
  mutate_replay (&target, file.data, file.size, 10000);
  free (file.data);
}

int
main (void)
{
  replay_files ();
  replay_section ();
  mutate_summary ();
  return 0;
}
