/* A sample of perf.data.
   SPDX-License-Identifier: GPL-3.0-or-later

   The fields in order, each present if the attribute has its bit; u64 unless
   stated otherwise:

     identifier, ip, {u32 pid, u32 tid}, time, address, id, stream,
     {u32 processor, u32}, period,
     reading     as in the attribute's format
     callers     n, n of them
     raw         u32 n, n bytes, which end at a multiple of 8
     branches    n, [index of the newest], n of {from, to, flags},
		 [n of event counts]
     registers   their kind, one for each bit if that is not 0
     stack       n, n bytes, [how many were used] if n is not 0
     weight, data source; more, which is not read.  */

#include "perf-sample.h"
#include "perf-format.h"
#include <inttypes.h>
#include <string.h>

static const char what[] = "a sample";

/* Return the next number if the attribute has BIT, otherwise 0.  */
static uint64_t
optional (const struct perf_attribute *attribute, uint64_t bit,
	  struct byte_reader *reader)
{
  return (attribute->sample_type & bit) ? byte_reader_u64 (reader, what) : 0;
}

static void
skip_reading (const struct perf_attribute *attribute,
	      struct byte_reader *reader)
{
  uint64_t format = attribute->read_format;
  uint64_t times
    = !!(format & PERF_READ_TIME_ENABLED) + !!(format & PERF_READ_TIME_RUNNING);
  uint64_t each = 1 + !!(format & PERF_READ_ID) + !!(format & PERF_READ_LOST);
  uint64_t count = 1;
  if (format & PERF_READ_GROUP)
    count = byte_reader_u64 (reader, what);
  byte_reader_bytes (reader, 8 * times, what);
  if (byte_reader_need (reader, count, 8 * each, what))
    byte_reader_bytes (reader, 8 * each * count, what);
}

/* Read N numbers into TO.  */
static void
read_numbers (struct byte_reader *reader, uint64_t *to, uint64_t n)
{
  const void *bytes = byte_reader_need (reader, n, 8, what)
			? byte_reader_bytes (reader, 8 * n, what)
			: NULL;
  if (!bytes)
    return;
  memcpy (to, bytes, 8 * n);
  for (uint64_t i = 0; i < n; i++)
    to[i] = reader->big_endian ? be64toh (to[i]) : le64toh (to[i]);
}

static void
read_raw (struct byte_reader *reader, struct perf_sample_room *room)
{
  uint32_t bytes = byte_reader_u32 (reader, what);
  struct byte_reader raw
    = byte_reader_part (reader, bytes, "the raw data of a sample");
  room->raw = raw;
  room->has_raw = bytes > 0;
}

static void
read_callers (const struct perf_attribute *attribute,
	      struct byte_reader *reader, struct perf_sample_room *room,
	      struct perf_sample *sample)
{
  uint64_t count = byte_reader_u64 (reader, what);
  if (!byte_reader_need (reader, count, 8, "the callers of a sample"))
    return;
  if (count > sizeof room->callers / sizeof *room->callers)
    {
      byte_reader_fail (reader, reader->position,
			"invalid number of callers %" PRIu64 " in a sample",
			count);
      return;
    }
  read_numbers (reader, room->callers, count);
  sample->callers = room->callers;
  sample->caller_count = count;
  sample->caller_limit = attribute->caller_limit;
}

static void
read_branches (const struct perf_attribute *attribute,
	       struct byte_reader *reader, struct perf_sample_room *room,
	       struct perf_sample *sample)
{
  uint64_t count = byte_reader_u64 (reader, what);
  if (attribute->branch_type & PERF_BRANCH_HW_INDEX)
    byte_reader_u64 (reader, what);
  if (!byte_reader_need (reader, count, sizeof *room->branches,
			 "the branches of a sample"))
    return;
  if (count > sizeof room->branches / sizeof *room->branches)
    {
      byte_reader_fail (reader, reader->position,
			"invalid number of branches %" PRIu64 " in a sample",
			count);
      return;
    }
  /* A branch is three numbers both in memory and in the file.  */
  _Static_assert(sizeof (struct perf_branch) == 3 * sizeof (uint64_t),
		 "struct perf_branch");
  read_numbers (reader, (uint64_t *) room->branches, 3 * count);
  size_t kept = 0;
  for (uint64_t i = 0; i < count; i++)
    {
      unsigned int path = (unsigned int) (room->branches[i].flags
					  >> PERF_BRANCH_SPECULATION_SHIFT)
			  & PERF_BRANCH_SPECULATION_MASK;
      if (path != PERF_BRANCH_WRONG_PATH)
	room->branches[kept++] = room->branches[i];
    }
  sample->branches = room->branches;
  sample->branch_count = kept;
  if (attribute->branch_type & PERF_BRANCH_COUNTERS)
    byte_reader_bytes (reader, 8 * count, what);
}

/* Read what comes after the branches.  */
static void
read_rest (const struct perf_attribute *attribute, struct byte_reader *reader,
	   struct perf_sample *sample)
{
  uint64_t type = attribute->sample_type;
  if (!(type & PERF_SAMPLE_DATA_SRC))
    return;
  if ((type & PERF_SAMPLE_REGS_USER) && byte_reader_u64 (reader, what) != 0)
    byte_reader_bytes (reader,
		       8 * __builtin_popcountll (attribute->user_registers),
		       what);
  if (type & PERF_SAMPLE_STACK_USER)
    {
      uint64_t bytes = byte_reader_u64 (reader, what);
      byte_reader_bytes (reader, bytes, what);
      if (bytes > 0)
	byte_reader_u64 (reader, what);
    }
  if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
    byte_reader_u64 (reader, what);
  uint64_t source = byte_reader_u64 (reader, what);
  sample->is_store
    = (source & PERF_MEMORY_STORE) && !(source & PERF_MEMORY_LOAD);
}

bool
perf_sample_read (const struct perf_attribute *attribute,
		  struct byte_reader *reader, struct perf_sample_room *room,
		  struct perf_sample *sample)
{
  uint64_t type = attribute->sample_type;
  *sample = (struct perf_sample){ .pid = PERF_NO_PID, .count = 1 };
  room->has_raw = false;
  optional (attribute, PERF_SAMPLE_IDENTIFIER, reader);
  sample->has_ip = type & PERF_SAMPLE_IP;
  sample->ip = optional (attribute, PERF_SAMPLE_IP, reader);
  if (type & PERF_SAMPLE_TID)
    {
      sample->pid = (int32_t) byte_reader_u32 (reader, what);
      byte_reader_u32 (reader, what);
    }
  sample->time = optional (attribute, PERF_SAMPLE_TIME, reader);
  sample->address = optional (attribute, PERF_SAMPLE_ADDR, reader);
  optional (attribute, PERF_SAMPLE_ID, reader);
  optional (attribute, PERF_SAMPLE_STREAM_ID, reader);
  optional (attribute, PERF_SAMPLE_CPU, reader);
  sample->period = optional (attribute, PERF_SAMPLE_PERIOD, reader);
  if (type & PERF_SAMPLE_READ)
    skip_reading (attribute, reader);
  if (type & PERF_SAMPLE_CALLCHAIN)
    read_callers (attribute, reader, room, sample);
  if (type & PERF_SAMPLE_RAW)
    read_raw (reader, room);
  if (type & PERF_SAMPLE_BRANCH_STACK)
    read_branches (attribute, reader, room, sample);
  read_rest (attribute, reader, sample);
  return !reader->failed;
}
