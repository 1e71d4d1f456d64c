/* Replay of damaged packed raw profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "look-at-raw.h"
#include "mutate.h"
#include "raw-packer.h"
#include <stdlib.h>

/* The checksum finds everything.  */
static bool
may_pass (const unsigned char *data, size_t size)
{
  (void) data;
  (void) size;
  return false;
}

static const struct mutate_target target = {
  .name = "packed",
  .read = look_at_raw,
  .repair = raw_packed_repair,
  .may_pass = may_pass,
  /* Two bytes can be a MIB of 256 with 4 more in an index; five of them one
     with live blocks, in an array that doubles.  */
  .base_bytes = 8192,
  .bytes_per_byte = 150
};

static struct raw_builder builder;

static void
replay (unsigned int variants)
{
  size_t size;
  unsigned char *data = raw_builder_pack (&builder, &size);
  mutate_replay (&target, data, size, variants);
  free (data);
}

int
main (void)
{
  raw_builder_sample (&builder);
  replay (10000);
  raw_builder_random (&builder, 4711);
  replay (5000);
  mutate_summary ();
  return 0;
}
