/* Compressed records of perf.data.
   SPDX-License-Identifier: GPL-3.0-or-later

   All compressed records of a file are one endless Zstandard stream.  A record
   inside may be split anywhere; the rest of it comes from the next compressed
   record.  */

#ifndef HEAPPROF_PERF_STREAM_H
#define HEAPPROF_PERF_STREAM_H

#include "byte-reader.h"
#include "perf-records.h"
#include <stdbool.h>

struct perf_stream;

/* Handle the records inside READER, the body of a compressed record.  STREAM
   points at NULL for the first one.  Return false if READER failed.  */
bool perf_stream_handle (struct perf_stream **stream,
			 struct perf_records *records,
			 struct byte_reader *reader);

void perf_stream_free (struct perf_stream *stream);

#endif /* HEAPPROF_PERF_STREAM_H */
