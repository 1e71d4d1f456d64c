/* Replay damaged raw profiles, mapped and packed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mutate.h"
#include "raw-packer.h"
#include <stdlib.h>

/* The checksum detects all damage.  */
static bool
may_pass_packed (const unsigned char *data, size_t size)
{
  (void) data;
  (void) size;
  return false;
}

static const struct mutate_target mapped
  = { .name = "raw",
      .reader = &reader_raw,
      /* Records in memory are as long as in the file.  A segment also has an
	 index entry of 24 bytes, and a MIB one of 4.  */
      .bounds = { 8192, 2 } };

static const struct mutate_target packed
  = { .name = "packed",
      .reader = &reader_raw,
      .is_repaired = true,
      .may_pass = may_pass_packed,
      /* Two bytes can be a MIB of 264 with 32 more in indexes; five bytes, one
	 with live blocks, in an array that doubles.  MIBs are allocated in
	 blocks of 256.  */
      .bounds = { 8192 + 256 * 264, 160 } };

static struct raw_builder builder;

/* Replay the profile in BUILDER.  */
static void
replay (const struct mutate_target *target, unsigned int variants)
{
  size_t size;
  unsigned char *data = target == &packed
			  ? raw_builder_pack (&builder, &size)
			  : raw_builder_finish (&builder, &size);
  mutate_replay (target, data, size, variants);
  free (data);
}

int
main (void)
{
  raw_builder_sample (&builder);
  replay (&mapped, 10000);
  replay (&packed, 10000);
  builder.big_endian = true;
  replay (&mapped, 5000);
  raw_builder_sample (&builder);
  builder.header.state = HEAPPROF_RAW_RUNNING;
  builder.counts[HEAPPROF_RAW_LIVE] = 0;
  builder.extra_capacity[HEAPPROF_RAW_CONTEXTS] = 251;
  builder.first_extent[HEAPPROF_RAW_MIBS] = 1;
  builder.contexts[4].mib = 0;
  replay (&mapped, 5000);
  raw_builder_random (&builder, 4711);
  replay (&packed, 5000);
  mutate_summary ();
  return 0;
}
