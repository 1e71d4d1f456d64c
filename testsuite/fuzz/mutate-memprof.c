/* Replay damaged heap profiles in LLVM's formats: raw and YAML.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mutate.h"
#include "sample-files.h"
#include <stdlib.h>

static void
replay_raw (unsigned int version)
{
  const struct mutate_target target = { .name = "raw",
					.reader = &reader_memprof_raw,
					.bounds = reader_memprof_raw.bounds };
  struct sample_file file = sample_memprof_raw (version);
  mutate_replay (&target, file.data, file.size, 3000);
  free (file.data);
}

static void
replay_yaml (void)
{
  const struct mutate_target target
    = { .name = "YAML", .reader = &reader_yaml, .bounds = reader_yaml.bounds };
  struct sample_file file = sample_yaml (8);
  mutate_replay (&target, file.data, file.size, 4000);
  free (file.data);
}

int
main (void)
{
  for (unsigned int version = 3; version <= 5; version++)
    replay_raw (version);
  replay_yaml ();
  mutate_summary ();
  return 0;
}
