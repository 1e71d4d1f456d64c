/* Replay of damaged raw profiles, mapped and packed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mutate.h"
#include "raw-packer.h"
#include "raw-profile.h"
#include <stdlib.h>
#include <string.h>

static volatile uint64_t sink;

/* Use all that the library hands out.  */
static void
look_at (const struct raw_profile *profile)
{
  sink += strlen (raw_profile_program_name (profile));
  sink += raw_profile_header (profile)->pid;
  sink += raw_profile_in_flight_count (profile);
  uint32_t segments = raw_profile_segment_count (profile);
  for (uint32_t i = 0; i < segments; i++)
    {
      const struct heapprof_raw_segment *segment
	= raw_profile_segment (profile, i);
      sink += strlen (raw_profile_segment_path (profile, i));
      for (uint32_t j = 0; j < segment->build_id_bytes; j++)
	sink += segment->build_id[j];
    }
  uint32_t contexts = raw_profile_context_count (profile);
  for (uint32_t i = 0; i < contexts; i++)
    {
      int64_t segment = raw_profile_find_segment (profile, i);
      struct memory_info info;
      if (segment < -1 || segment >= (int64_t) segments)
	abort ();
      if (raw_profile_context_info (profile, i, &info))
	sink += info.alloc_count + info.unfinished_count;
      /* The way to the root must end.  */
      for (uint32_t at = i; at != 0;
	   at = raw_profile_context (profile, at)->parent)
	sink++;
    }
}

static bool
look_at_raw (const unsigned char *data, size_t size,
	     struct profile_error *err)
{
  struct raw_profile *profile = raw_profile_parse ("variant", data, size, err);
  mutate_stop_counting ();
  if (!profile)
    return false;
  look_at (profile);
  raw_profile_close (profile);
  return true;
}

/* The checksum finds everything.  */
static bool
may_pass_packed (const unsigned char *data, size_t size)
{
  (void) data;
  (void) size;
  return false;
}

static const struct mutate_target mapped = {
  .name = "raw",
  .read = look_at_raw,
  /* Records in memory are as long as in the file; a segment is also in an
     index of 24 bytes, a MIB in one of 4.  */
  .base_bytes = 8192,
  .bytes_per_byte = 2
};

static const struct mutate_target packed = {
  .name = "packed",
  .read = look_at_raw,
  .repair = raw_packed_repair,
  .may_pass = may_pass_packed,
  /* Two bytes can be a MIB of 256 with 4 more in an index; five of them one
     with live blocks, in an array that doubles.  */
  .base_bytes = 8192,
  .bytes_per_byte = 150
};

static struct raw_builder builder;

/* Replay the profile that BUILDER has.  */
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
