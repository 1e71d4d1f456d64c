/* Replay of damaged raw profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "look-at-raw.h"
#include "mutate.h"
#include "raw-builder.h"
#include <stdlib.h>

static const struct mutate_target target = {
  .name = "raw",
  .read = look_at_raw,
  /* Records in memory are as long as in the file; a segment is also in an
     index of 24 bytes, a MIB in one of 4.  */
  .base_bytes = 8192,
  .bytes_per_byte = 2
};

static struct raw_builder builder;

/* Replay the profile that BUILDER has.  */
static void
replay (unsigned int variants)
{
  size_t size;
  unsigned char *data = raw_builder_finish (&builder, &size);
  mutate_replay (&target, data, size, variants);
  free (data);
}

int
main (void)
{
  raw_builder_sample (&builder);
  replay (10000);
  builder.big_endian = true;
  replay (5000);
  raw_builder_sample (&builder);
  builder.header.state = HEAPPROF_RAW_RUNNING;
  builder.counts[HEAPPROF_RAW_LIVE] = 0;
  builder.extra_capacity[HEAPPROF_RAW_CONTEXTS] = 251;
  builder.first_extent[HEAPPROF_RAW_MIBS] = 1;
  builder.contexts[4].mib = 0;
  replay (5000);
  mutate_summary ();
  return 0;
}
