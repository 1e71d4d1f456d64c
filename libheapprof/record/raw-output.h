/* Appending records to a raw profile by writes, or in memory that is mapped to
   it, but not through its tables.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   There is one buffer, so only one output at a time: the dump lock is held.  */

#ifndef HEAPPROF_RAW_OUTPUT_H
#define HEAPPROF_RAW_OUTPUT_H

#include "heapprof/raw-format.h"
#include <stddef.h>

struct rt_output
{
  int fd;
  char *memory;	   /* where to write instead of to FD, unless NULL */
  size_t room;	   /* bytes left there */
  uint64_t offset; /* of the first byte not yet written */
  size_t used;	   /* bytes in the buffer */
  int error;	   /* 0 or a negative errno, after which nothing is written */
};

void rt_output_put (struct rt_output *out, const void *record, size_t bytes);
void rt_output_flush (struct rt_output *out);

/* Start an extent of records of KIND, RECORD_BYTES each.  */
struct heapprof_raw_extent rt_output_begin (struct rt_output *out,
					    enum heapprof_raw_kind kind,
					    size_t record_bytes);

/* Add a record to *EXTENT.  */
void rt_output_record (struct rt_output *out,
		       struct heapprof_raw_extent *extent, const void *record);

/* End *EXTENT and append it to HEADER unless it is empty.  */
void rt_output_end (struct rt_output *out, struct heapprof_raw_header *header,
		    const struct heapprof_raw_extent *extent);

#endif /* HEAPPROF_RAW_OUTPUT_H */
