/* Memory for MIBs, from the thread that waits for them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-progress.h"
#include "large-memory.h"

/* Memory is provided for so many MIBs at once, and not for the next few, which
   may be read before that is done.  */
#define PROVIDED_MIBS 8192
#define NEXT_MIBS 16384

void
raw_progress_report (struct raw_progress *progress,
		     const struct record_table *infos, uint32_t expected)
{
  const uint32_t last = infos->count - 1;
  if (!progress->room)
    {
      const uint32_t count = record_table_contiguous (infos, last);
      if (count < NEXT_MIBS)
	return;
      progress->room = record_table_get (infos, last);
      progress->bytes = infos->record_bytes;
      progress->first = last;
      progress->count = count;
    }
  atomic_store_explicit (&progress->state,
			 (uint64_t) expected << 32 | infos->count,
			 memory_order_release);
}

/* Return how many MIBs were read, and set *END to the number of those that are
   expected and have room; 0 if that is not known yet.  */
static uint64_t
read_progress (struct raw_progress *progress, uint64_t *end)
{
  const uint64_t state
    = atomic_load_explicit (&progress->state, memory_order_acquire);
  *end = 0;
  if (state == 0)
    return 0;
  const uint64_t most = (uint64_t) progress->first + progress->count;
  const uint64_t expected = state >> 32;
  *end = expected < most ? expected : most;
  return (uint32_t) state;
}

void
raw_progress_provide (struct raw_progress *progress)
{
  uint64_t end;
  uint64_t next = read_progress (progress, &end) + NEXT_MIBS;
  while (next + PROVIDED_MIBS <= end)
    {
      large_memory_populate (progress->room
			       + (next - progress->first) * progress->bytes,
			     PROVIDED_MIBS * progress->bytes);
      next += PROVIDED_MIBS;
      const uint64_t least = read_progress (progress, &end) + NEXT_MIBS;
      next = next < least ? least : next;
    }
}
