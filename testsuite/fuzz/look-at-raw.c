/* Reading a damaged raw profile, for replays.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "look-at-raw.h"
#include "mutate.h"
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

bool
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
