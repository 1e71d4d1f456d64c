/* The record of one function in an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later

     u64 hash, u64 number of counters, the counters; from version 11 on u64
     number of bitmap bytes, each as u64; then values:
     u32 bytes of all values with this field, a multiple of 8
     u32 number of kinds, each: u32 kind, u32 number of sites, u8 number of
	 values of each site, zeros up to a multiple of 8, then for each site
	 its values: u64 value, u64 count, by descending count

   The data of a name in the table of functions is one or more of these.  */

#ifndef HEAPPROF_COUNTER_RECORD_H
#define HEAPPROF_COUNTER_RECORD_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "counter-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* The hash and the number of counters, which come before the counters.  */
#define COUNTER_RECORD_HEAD_BYTES 16

/* A record as stored in the file.  */
struct counter_record
{
  uint64_t hash;
  struct counter_shape shape;
  const uint8_t *counters;
  const uint8_t *bitmap; /* of 64-bit numbers */
  struct
  {
    const uint8_t *value_counts; /* one per site */
    const uint8_t *values;
  } kinds[COUNTER_VALUE_KINDS];
};

/* Read a record of a file of VERSION.  Return false if READER failed.  */
bool counter_record_read (struct byte_reader *reader, unsigned int version,
			  struct counter_record *record);

/* Return counter INDEX of RECORD.  */
uint64_t counter_record_counter (const struct counter_record *record,
				 uint32_t index);

/* Add RECORD, which was read before, to the records of NAME in PROFILE.  Return
   false if memory is exhausted.  */
bool counter_record_fold (const struct counter_record *record,
			  struct counter_profile *profile, uint32_t name);

/* Fast path: if READER is at a record, of a file of VERSION, that matches the
   first one of NAME in PROFILE, has only counters, and is the last one, read it
   and add it there.  Return false if it is not such a record.  */
bool counter_record_fold_plain (struct byte_reader *reader,
				unsigned int version,
				struct counter_profile *profile, uint32_t name);

/* Append FUNCTION to a file of VERSION.  Return how many values were omitted
   because a site had more than the format can hold; those with the greatest
   counts are kept.  */
uint64_t counter_record_write (struct byte_writer *writer, unsigned int version,
			       const struct counter_function *function);

#endif /* HEAPPROF_COUNTER_RECORD_H */
