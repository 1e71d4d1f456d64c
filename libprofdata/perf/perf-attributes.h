/* What a recording counted, and what its records therefore consist of.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_ATTRIBUTES_H
#define HEAPPROF_PERF_ATTRIBUTES_H

#include "byte-reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_attribute
{
  uint64_t sample_type; /* of enum perf_sample_bit */
  uint64_t read_format;
  uint64_t flags;
  uint64_t branch_type;
  uint64_t user_registers; /* a bit for each */
};

/* An identifier that records of an attribute have.  */
struct perf_identifier
{
  uint64_t id;
  uint32_t attribute;
};

/* All zeros is none.  */
struct perf_attributes
{
  struct perf_attribute *attributes;
  uint32_t count;
  uint32_t capacity;
  struct perf_identifier *identifiers; /* by id, once they were sorted */
  size_t identifier_count;
  size_t identifier_capacity;
  bool is_sorted;
  bool has_times; /* all records have */
};

void perf_attributes_release (struct perf_attributes *attributes);

/* Read one from READER, which holds it and nothing else, but the u64
   identifiers of its records with HAS_IDENTIFIERS.  False if READER failed.  */
bool perf_attributes_read (struct perf_attributes *attributes,
			   struct byte_reader *reader, bool has_identifiers);

/* The same for further identifiers of the newest attribute, until the end of
   READER.  */
bool perf_attributes_read_identifiers (struct perf_attributes *attributes,
				       struct byte_reader *reader);

/* Which attribute has the sample that READER is at the beginning of?  The
   reader is where it was.  NULL if it failed.  */
const struct perf_attribute *
perf_attributes_of_sample (struct perf_attributes *attributes,
			   const struct byte_reader *reader,
			   struct byte_reader *failed);

/* When a record that is no sample was made, from its end: READER holds the
   record.  0 if that is not said.  */
uint64_t perf_attributes_record_time (const struct perf_attributes *attributes,
				      const struct byte_reader *reader);

#endif /* HEAPPROF_PERF_ATTRIBUTES_H */
