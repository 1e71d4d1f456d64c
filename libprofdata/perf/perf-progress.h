/* Progress of reading a recording.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_PROGRESS_H
#define HEAPPROF_PERF_PROGRESS_H

#include "perf-events.h"
#include <stdint.h>

/* Interval of reports to the handler, in bytes.  */
#define PERF_PROGRESS_BYTES (UINT64_C (4) << 20)

/* Report to HANDLER that reading has reached OFFSET, if that is far enough from
   the last report at *LAST.  */
static inline void
perf_progress (const struct perf_handler *handler, uint64_t *last,
	       uint64_t offset)
{
  if (!handler->passed || offset - *last < PERF_PROGRESS_BYTES)
    return;
  handler->passed (handler->passed_closure, offset);
  *last = offset;
}

#endif /* HEAPPROF_PERF_PROGRESS_H */
