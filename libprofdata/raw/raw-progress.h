/* Memory for MIBs, from the thread that waits for them.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reading the MIBs of a large raw profile takes a thread of its own, and half
   of its time the system clears memory for them.  Another thread soon has
   nothing to do but wait; until all MIBs are read, it provides memory where the
   next ones will be stored.  */

#ifndef HEAPPROF_RAW_PROGRESS_H
#define HEAPPROF_RAW_PROGRESS_H

#include "record-table.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* After so many MIBs each, progress should be reported.  */
#define RAW_PROGRESS_STEP 1024

/* How far a thread is.  All zeros at the start.  */
struct raw_progress
{
  /* Where MIBs will be stored: COUNT of BYTES each, beginning with number
     FIRST.  Set once, before STATE.  */
  char *room;
  size_t bytes;
  uint32_t first;
  uint32_t count;
  /* The number of MIBs that were read, and in the high half how many there will
     be, estimated; 0: not known yet.  */
  _Atomic uint64_t state;
};

/* Report that INFOS has all MIBs read so far, at least one, and that there will
   be EXPECTED, more or less.  */
void raw_progress_report (struct raw_progress *progress,
			  const struct record_table *infos, uint32_t expected);

/* Provide memory for the next MIBs, until all expected ones have some or none
   is known to be needed.  */
void raw_progress_provide (struct raw_progress *progress);

#endif /* HEAPPROF_RAW_PROGRESS_H */
