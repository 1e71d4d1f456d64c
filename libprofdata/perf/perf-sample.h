/* A sample of perf.data.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_SAMPLE_H
#define HEAPPROF_PERF_SAMPLE_H

#include "byte-reader.h"
#include "perf-attributes.h"
#include "perf-events.h"
#include <stdbool.h>
#include <stdint.h>

/* Room for the arrays of a sample; a record has at most 64 KiB.  */
struct perf_sample_room
{
  struct perf_branch branches[65536 / sizeof (struct perf_branch)];
  uint64_t callers[65536 / sizeof (uint64_t)];
  struct byte_reader raw; /* of the raw data; HAS_RAW: there are such */
  bool has_raw;
};

/* Read the sample of ATTRIBUTE at READER's position, up to its data source; the
   rest is not needed.  *SAMPLE is valid until ROOM is used again; the caller
   sets its order and its event.  Return false if READER failed.  */
bool perf_sample_read (const struct perf_attribute *attribute,
		       struct byte_reader *reader,
		       struct perf_sample_room *room,
		       struct perf_sample *sample);

#endif /* HEAPPROF_PERF_SAMPLE_H */
