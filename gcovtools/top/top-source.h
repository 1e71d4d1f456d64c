/* A raw profile that `top' watches: finding it, and its current content.
   SPDX-License-Identifier: GPL-3.0-or-later

   A profiled process keeps its raw profile mapped, and the file is valid at
   every moment.  So it is just read: the process is neither stopped nor
   signalled, and does not notice.  */

#ifndef HEAPPROF_TOP_SOURCE_H
#define HEAPPROF_TOP_SOURCE_H

#include "profile-error.h"
#include "raw-profile.h"
#include "run-state.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was allocated, up to now.  */
struct top_numbers
{
  uint64_t live_bytes;
  uint64_t live_blocks;
  uint64_t bytes; /* of all blocks, also those that were freed */
  uint64_t blocks;
  uint64_t accesses; /* of blocks that were freed */
};

struct top_source
{
  char path[PATH_MAX];
  char name[NAME_MAX + 40]; /* `PROGRAM (PID)' */
  enum run_state state;
  double seconds; /* since the start, or up to the end */
  uint64_t peak_bytes;
  uint64_t sample_bytes; /* on average for each sample; 0: all blocks */
  double blocks_margin;	 /* by how much the number of all blocks may be off */
  double bytes_margin;	 /* and their bytes */
  bool has_leaks;	 /* lost blocks were looked for */
  uint64_t lost_bytes;	 /* that the last search found */
  struct top_numbers numbers;
  void *data; /* as read last, malloced; NULL: not read yet */
  size_t size;
};

/* Set up *SOURCE for OPERAND: a process ID, or a raw profile.  Return false and
   set *ERR if there is no profile.  */
bool top_source_find (struct top_source *source, const char *operand,
		      struct profile_error *err);
void top_source_release (struct top_source *source);

/* Read SOURCE and set its members.  If that fails, because the file is gone for
   example, what was read last stays.  Return the profile, which the caller
   closes; NULL and *ERR if there is none.  */
struct raw_profile *top_source_read (struct top_source *source,
				     struct profile_error *err);

#endif /* HEAPPROF_TOP_SOURCE_H */
