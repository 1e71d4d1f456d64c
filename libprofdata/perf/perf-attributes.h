/* Event attributes of a recording, which define the layout of its records.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_ATTRIBUTES_H
#define HEAPPROF_PERF_ATTRIBUTES_H

#include "byte-reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_attribute
{
  uint32_t type;	/* of the unit that counts the event */
  uint64_t sample_type; /* of enum perf_sample_bit */
  uint64_t read_format;
  uint64_t flags;
  uint64_t branch_type;
  uint64_t user_registers; /* one bit for each */
  uint16_t caller_limit;   /* of a sample */
};

/* Identifier in records of an attribute.  */
struct perf_identifier
{
  uint64_t id;
  uint32_t attribute;
};

/* All zeros is an empty list.  */
struct perf_attributes
{
  struct perf_attribute *attributes;
  uint32_t count;
  uint32_t capacity;
  struct perf_identifier *identifiers; /* sorted by id on first use */
  size_t identifier_count;
  size_t identifier_capacity;
  bool is_sorted;
  bool has_times; /* all records have times */
};

void perf_attributes_release (struct perf_attributes *attributes);

/* Read one attribute from READER, which covers just that and, if
   HAS_IDENTIFIERS, the u64 identifiers of its records.  Return false if READER
   failed.  */
bool perf_attributes_read (struct perf_attributes *attributes,
			   struct byte_reader *reader, bool has_identifiers);

/* Read further identifiers of the newest attribute, up to the end of READER.
   Return false if READER failed.  */
bool perf_attributes_read_identifiers (struct perf_attributes *attributes,
				       struct byte_reader *reader);

/* Return the attribute of the sample that starts at READER's position, which
   does not change.  NULL if FAILED failed.  */
const struct perf_attribute *
perf_attributes_of_sample (struct perf_attributes *attributes,
			   const struct byte_reader *reader,
			   struct byte_reader *failed);

/* Return the time of a record other than a sample, which is at its end.  READER
   covers the record.  0 if it has no time.  */
uint64_t perf_attributes_record_time (const struct perf_attributes *attributes,
				      const struct byte_reader *reader);

#endif /* HEAPPROF_PERF_ATTRIBUTES_H */
