/* Replay damaged indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   The files have a heapprof section as it is written; one whose blocks are not
   compressed, so that the damage is in their contents; or none, in all versions
   of LLVM's MemProf section, whose records are also looked up.  */

#include "memprof-builder.h"
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

static struct mutate_target target
  = { .reader = &reader_indexed,
      /* An empty profile has some first blocks of records.  A context of two
	 bytes takes a node and a slot in each of two tables; a MIB of one byte
	 takes 280.  */
      .bounds = { 400000, 300 } };

/* Look up records in the same file.  */
static void
look_up (const unsigned char *data, size_t size, unsigned int variants)
{
  struct mutate_target looking = { .name = target.name,
				   .reader = &reader_heap_lookup,
				   .bounds = reader_heap_lookup.bounds };
  mutate_replay (&looking, data, size, variants);
}

static void
replay_section (void)
{
  struct sample_file file = sample_heap (30, 12, 3);
  section_of_original = sample_section (&file);
  target.is_repaired = true;
  target.may_pass = is_llvm_part;
  target.name = "heapprof section";
  mutate_replay (&target, file.data, file.size, 5000);
  struct sample_file inflated = sample_inflated (&file);
  target.name = "heapprof section, inflated";
  mutate_replay (&target, inflated.data, inflated.size, 5000);
  free (inflated.data);
  target.is_repaired = false;
  target.may_pass = NULL;
  target.name = "LLVM's parts as we write them";
  mutate_replay (&target, file.data, section_of_original, 5000);
  look_up (file.data, section_of_original, 5000);
  free (file.data);
}

static void
replay_llvm_versions (void)
{
  static const char *const names[]
    = { "MemProf version 0", "MemProf version 1", "MemProf version 2",
	"MemProf version 3", "MemProf version 4" };
  for (unsigned int version = 0; version < 5; version++)
    {
      size_t size;
      unsigned char *data = memprof_build (12, version, false, &size);
      target.name = names[version];
      mutate_replay (&target, data, size, 2000);
      look_up (data, size, 2000);
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
