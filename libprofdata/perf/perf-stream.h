/* Compressed records of perf.data.
   SPDX-License-Identifier: GPL-3.0-or-later

   All compressed records of a file are one stream of Zstandard, which has no
   end.  A record may be cut anywhere, where its rest comes out of the next
   compressed record.  */

#ifndef HEAPPROF_PERF_STREAM_H
#define HEAPPROF_PERF_STREAM_H

#include "byte-reader.h"
#include "perf-records.h"
#include <stdbool.h>

struct perf_stream;

/* Handle the records that come out of READER, the body of a compressed record;
 *STREAM is NULL at the first.  False if READER failed.  */
bool perf_stream_handle (struct perf_stream **stream,
			 struct perf_records *records,
			 struct byte_reader *reader);

void perf_stream_free (struct perf_stream *stream);

#endif /* HEAPPROF_PERF_STREAM_H */
