/* Single records of perf.data.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_RECORDS_H
#define HEAPPROF_PERF_RECORDS_H

#include "byte-reader.h"
#include "perf-attributes.h"
#include "perf-aux.h"
#include "perf-events.h"
#include "perf-sample.h"
#include "perf-units.h"
#include <stdbool.h>
#include <stdint.h>

/* State while records are read.  */
struct perf_records
{
  const struct perf_handler *handler;
  struct perf_attributes attributes;
  struct perf_units units;
  struct perf_aux aux;
  struct perf_sample_room *room; /* malloced */
  uint64_t position;		 /* number of records so far */
};

/* A record's header, and in READER what follows it.  */
struct perf_record
{
  uint32_t type;
  uint16_t misc;
  size_t offset; /* of its header, in the file */
  struct byte_reader body;
};

/* Read the next record from READER.  Return false if it failed.  If IS_WHOLE is
   not NULL, a record that ends after READER is not an error; it sets *IS_WHOLE
   to false and leaves READER where it was.  */
bool perf_record_take (struct byte_reader *reader, struct perf_record *record,
		       bool *is_whole);

/* Pass RECORD to the handler, unless it is irrelevant.  If it is invalid or the
   handler stops the reading, return false with RECORD's body failed.  */
bool perf_records_handle (struct perf_records *records,
			  struct perf_record *record);

/* Read FEATURE of the recording, if records depend on it, from READER, which
   covers its section.  Return false if READER failed.  */
bool perf_records_feature (struct perf_records *records, uint64_t feature,
			   struct byte_reader *reader);

/* Pass the samples in DATA, which follows RECORD in the file, to the handler.
   Return false if RECORD's body or DATA failed.  */
bool perf_records_handle_data (struct perf_records *records,
			       struct perf_record *record,
			       struct byte_reader *data);

#endif /* HEAPPROF_PERF_RECORDS_H */
