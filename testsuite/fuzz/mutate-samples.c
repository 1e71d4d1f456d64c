/* Replay damaged sample profiles, in all forms, and pseudo probes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mutate.h"
#include "probe-files.h"
#include "sample-files.h"
#include <stdlib.h>

/* Replay FILE with READER, and free FILE.  */
static void
replay (const struct reader *reader, struct sample_file file,
	unsigned int variants)
{
  const struct mutate_target target
    = { .name = reader->name, .reader = reader, .bounds = reader->bounds };
  mutate_replay (&target, file.data, file.size, variants);
  free (file.data);
}

int
main (void)
{
  for (unsigned int i = 0; i < SAMPLE_PROFILES; i++)
    {
      replay (&reader_sample_text, sample_profile_text (i), 2000);
      replay (&reader_sample_binary, sample_profile_binary (i, 0), 2000);
    }
  replay (&reader_sample_binary, sample_profile_binary (0, 1), 2000);
  for (unsigned int version = 1; version <= 3; version++)
    replay (&reader_sample_afdo, sample_profile_afdo (version), 2000);
  for (int has_address = 0; has_address < 2; has_address++)
    {
      struct byte_writer sections = probe_files_sections (has_address);
      replay (&reader_pseudo_probes,
	      (struct sample_file){ sections.data, sections.size }, 4000);
    }
  mutate_summary ();
  return 0;
}
