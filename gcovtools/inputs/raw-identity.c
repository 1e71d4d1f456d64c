/* Which run a raw profile is of, and when it was written.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-identity.h"
#include "raw-profile.h"
#include <string.h>

static enum raw_order
order_of (uint32_t state)
{
  switch (state)
    {
    case HEAPPROF_RAW_COMPLETE:
      return RAW_COMPLETE;
    case HEAPPROF_RAW_RUNNING:
      return RAW_RUNNING;
    default:
      return RAW_SNAPSHOT;
    }
}

bool
raw_identity_read (const char *path, struct raw_identity *identity,
		   struct profile_error *err)
{
  struct raw_profile *raw = raw_profile_open (path, err);
  if (raw == NULL)
    return false;
  const struct heapprof_raw_header *header = raw_profile_header (raw);
  *identity = (struct raw_identity){ .order = order_of (header->state),
				     .snapshot = header->snapshot,
				     .pid = header->pid,
				     .start_unix_ns = header->start_time_ns,
				     .duration_ns = header->end_time_ns };
  memcpy (identity->run_id, header->run_id, sizeof identity->run_id);
  raw_profile_close (raw);
  return true;
}

bool
raw_identity_same_run (const struct raw_identity *a,
		       const struct raw_identity *b)
{
  return memcmp (a->run_id, b->run_id, sizeof a->run_id) == 0;
}

bool
raw_identity_is_before (const struct raw_identity *a,
			const struct raw_identity *b)
{
  return a->order != b->order ? a->order < b->order : a->snapshot < b->snapshot;
}

bool
raw_identity_is_part (const struct raw_identity *a,
		      const struct raw_identity *b)
{
  return raw_identity_same_run (a, b) && a->start_unix_ns == b->start_unix_ns
	 && raw_identity_is_before (a, b);
}
