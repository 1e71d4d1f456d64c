/* The records of perf.data, one after the other.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_RECORDS_H
#define HEAPPROF_PERF_RECORDS_H

#include "byte-reader.h"
#include "perf-attributes.h"
#include "perf-events.h"
#include "perf-sample.h"
#include <stdbool.h>
#include <stdint.h>

/* What is known while records are read.  */
struct perf_records
{
  const struct perf_handler *handler;
  struct perf_attributes attributes;
  struct perf_sample_room *room; /* malloced */
  uint64_t position;		 /* records so far */
};

/* A record's header and, in READER, what follows it.  */
struct perf_record
{
  uint32_t type;
  uint16_t misc;
  size_t offset; /* in the file, of its header */
  struct byte_reader body;
};

/* Take the next record from READER.  False if it failed; if IS_WHOLE is not
   NULL, a record that ends after READER does is no failure, but makes
   *IS_WHOLE false, and READER stays where it was.  */
bool perf_record_take (struct byte_reader *reader, struct perf_record *record,
		       bool *is_whole);

/* Give RECORD, unless it is of no interest, to the handler.  False, and
   RECORD's body failed, if it is damaged or the handler wants no more.  */
bool perf_records_handle (struct perf_records *records,
			  struct perf_record *record);

#endif /* HEAPPROF_PERF_RECORDS_H */
