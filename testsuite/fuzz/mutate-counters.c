/* Replay damaged counters of functions, in indexed profiles and as text.
   SPDX-License-Identifier: GPL-3.0-or-later

   The files are indexed profiles with LLVM's parts only, so that no checksum
   detects the damage; with a heapprof section of values; text; and profiles in
   which names are looked up.  */

#include "mutate.h"
#include "sample-files.h"
#include <stdlib.h>

static size_t section_of_original;

/* Of a file with a heapprof section, only LLVM's parts alone are valid without
   a repaired checksum.  */
static bool
is_llvm_part (const unsigned char *data, size_t size)
{
  (void) data;
  return size == section_of_original;
}

static void
replay_indexed (unsigned int version)
{
  struct sample_file file = sample_counters (12, version);
  struct mutate_target target
    = { .name = "counters with a section",
	.reader = &reader_indexed,
	.is_repaired = true,
	.may_pass = is_llvm_part,
	/* Tables and the arena start with some blocks.  A site of one byte
	   takes 16, and a vtable's name may be deflated to a hundredth.  */
	.bounds = { 600000, 300 } };
  section_of_original = sample_section (&file);
  mutate_replay (&target, file.data, file.size, 2000);
  target.name = "counters in LLVM's parts";
  target.is_repaired = false;
  target.may_pass = NULL;
  mutate_replay (&target, file.data, section_of_original, 4000);
  target.name = "looked-up counters";
  target.reader = &reader_lookup;
  mutate_replay (&target, file.data, section_of_original, 4000);
  free (file.data);
}

static void
replay_text (void)
{
  const struct mutate_target target = { .name = "counters as text",
					.reader = &reader_text,
					.bounds = reader_text.bounds };
  struct sample_file file = sample_text (12);
  mutate_replay (&target, file.data, file.size, 4000);
  free (file.data);
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
