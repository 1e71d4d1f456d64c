/* Single records of perf.data.
   SPDX-License-Identifier: GPL-3.0-or-later

   After the header of a record:

     mapping, old  u32 pid, u32 tid, u64 start, u64 bytes, u64 offset, path
     mapping       the same, but before the path 24 bytes of device, inode and
		   generation, or, with a bit in misc, of u8 n, 3 bytes,
		   20 bytes build ID; then u32 protection, u32 flags
     new name      u32 pid, u32 tid, name
     fork          u32 pid, u32 parent's pid, u32 tid, u32 parent's tid,
		   u64 time
     build ID      s32 pid, 20 bytes, u8 n, 3 bytes, path
     attribute     the attribute, u64 identifiers
     feature       u64 number, then what the section of a feature has

   Paths and names end with NUL and are padded; all except the last three, which
   perf writes, are followed by some fields of samples.  */

#include "perf-records.h"
#include "ibs-operation.h"
#include "perf-format.h"
#include <inttypes.h>
#include <string.h>

bool
perf_record_take (struct byte_reader *reader, struct perf_record *record,
		  bool *is_whole)
{
  static const char what[] = "the header of a record";
  struct byte_reader header = *reader;
  if (is_whole)
    *is_whole = byte_reader_left (reader) >= PERF_RECORD_HEADER_BYTES;
  if (is_whole && !*is_whole)
    return true;
  record->offset = reader->position;
  record->type = byte_reader_u32 (&header, what);
  record->misc = byte_reader_u16 (&header, what);
  uint16_t size = byte_reader_u16 (&header, what);
  reader->failed |= header.failed;
  if (reader->failed)
    return false;
  if (size < PERF_RECORD_HEADER_BYTES)
    return byte_reader_fail (reader, reader->position,
			     "invalid record size %d bytes", size);
  if (is_whole && byte_reader_left (reader) < size)
    {
      *is_whole = false;
      return true;
    }
  struct byte_reader body = byte_reader_part (reader, size, "a record");
  byte_reader_bytes (&body, PERF_RECORD_HEADER_BYTES, what);
  record->body = body;
  return !reader->failed;
}

/* Read bytes up to the next NUL, which must exist; *N is their number.  */
static const char *
read_text (struct byte_reader *reader, size_t *n, const char *what)
{
  size_t left = byte_reader_left (reader);
  const char *text = byte_reader_bytes (reader, left, what);
  const char *end = text ? memchr (text, '\0', left) : NULL;
  if (text && !end)
    byte_reader_fail (reader, reader->position, "%s is not terminated", what);
  *n = end ? (size_t) (end - text) : 0;
  return text;
}

/* Return the order of a record other than a sample.  */
static uint64_t
order_of (const struct perf_records *records, const struct byte_reader *reader)
{
  return records->attributes.has_times
	   ? perf_attributes_record_time (&records->attributes, reader)
	   : records->position;
}

/* Fail because the handler stops the reading; it has set the error except the
   path.  */
static bool
stop (struct byte_reader *reader)
{
  reader->err->path = reader->path;
  reader->failed = true;
  return false;
}

static bool
read_mapping (struct perf_records *records, struct perf_record *record)
{
  static const char what[] = "the record of a mapping";
  struct byte_reader *reader = &record->body;
  struct perf_mapping mapping = { .order = order_of (records, reader) };
  mapping.pid = (int32_t) byte_reader_u32 (reader, what);
  byte_reader_u32 (reader, what);
  mapping.start = byte_reader_u64 (reader, what);
  mapping.bytes = byte_reader_u64 (reader, what);
  mapping.file_offset = byte_reader_u64 (reader, what);
  mapping.protection
    = (record->misc & PERF_MISC_MMAP_DATA) ? PERF_READ : PERF_EXECUTE;
  if (record->type == PERF_RECORD_MMAP2)
    {
      const uint8_t *file = byte_reader_bytes (reader, 24, what);
      if (file && (record->misc & PERF_MISC_MMAP_BUILD_ID))
	{
	  mapping.build_id = file + 4;
	  mapping.build_id_bytes
	    = file[0] < PERF_BUILD_ID_BYTES ? file[0] : PERF_BUILD_ID_BYTES;
	}
      mapping.protection = byte_reader_u32 (reader, what);
      byte_reader_u32 (reader, what);
    }
  mapping.path
    = read_text (reader, &mapping.path_bytes, "the path of a mapping");
  if (reader->failed)
    return false;
  return records->handler->mapping (records->handler->closure, &mapping,
				    reader->err)
	 || stop (reader);
}

/* Return true if PROCESS is a new process, not a thread of one.  */
static bool
is_new (const struct perf_process *process)
{
  return process->pid != process->parent;
}

static bool
read_process (struct perf_records *records, struct perf_record *record)
{
  static const char what[] = "the record of a process";
  struct byte_reader *reader = &record->body;
  struct perf_process process
    = { .order = order_of (records, reader), .parent = PERF_NO_PID };
  process.pid = (int32_t) byte_reader_u32 (reader, what);
  uint32_t other = byte_reader_u32 (reader, what);
  if (record->type == PERF_RECORD_FORK)
    process.parent = (int32_t) other;
  if (reader->failed)
    return false;
  return !is_new (&process)
	 || records->handler->process (records->handler->closure, &process,
				       reader->err)
	 || stop (reader);
}

static bool
read_build_id (struct perf_records *records, struct perf_record *record)
{
  static const char what[] = "the record of a build ID";
  struct byte_reader *reader = &record->body;
  struct perf_build_id id = { .build_id_bytes = PERF_BUILD_ID_BYTES };
  byte_reader_u32 (reader, what);
  id.build_id = byte_reader_bytes (reader, PERF_BUILD_ID_BYTES, what);
  uint8_t bytes = byte_reader_u8 (reader, what);
  byte_reader_bytes (reader, 3, what);
  if ((record->misc & PERF_MISC_BUILD_ID_SIZE) && bytes < PERF_BUILD_ID_BYTES)
    id.build_id_bytes = bytes;
  id.path = read_text (reader, &id.path_bytes, "the path of a build ID");
  if (reader->failed)
    return false;
  return records->handler->build_id (records->handler->closure, &id,
				     reader->err)
	 || stop (reader);
}

static bool
pass_sample (struct perf_records *records, const struct perf_sample *sample,
	     struct byte_reader *reader)
{
  return records->handler->sample (records->handler->closure, sample,
				   reader->err)
	 || stop (reader);
}

/* Pass SAMPLE, an operation of AMD IBS, to the handler: as a sample of its
   instruction, and another one of its data.  Kernels before 6.2 report the
   address only in the raw data in ROOM; from others these may be missing.  */
static bool
pass_operation (struct perf_records *records, struct perf_sample *sample,
		struct byte_reader *reader)
{
  struct perf_sample_room *room = records->room;
  struct perf_sample data = *sample;
  sample->address = 0;
  sample->is_store = false;
  if (room->has_raw)
    {
      struct ibs_operation operation;
      if (!ibs_operation_read (&room->raw, &operation))
	{
	  reader->failed = true;
	  return false;
	}
      if (!operation.has_ip)
	return true;
      sample->has_ip = true;
      sample->ip = operation.ip;
      sample->target = operation.target;
      data = *sample;
      data.target = 0;
      data.address = operation.address;
      data.is_store = operation.is_store;
    }
  return pass_sample (records, sample, reader)
	 && (data.address == 0 || pass_sample (records, &data, reader));
}

static bool
read_sample (struct perf_records *records, struct perf_record *record)
{
  struct byte_reader *reader = &record->body;
  struct perf_sample sample;
  const struct perf_attribute *attribute
    = perf_attributes_of_sample (&records->attributes, reader, reader);
  if (!attribute
      || !perf_sample_read (attribute, reader, records->room, &sample))
    return false;
  sample.order
    = records->attributes.has_times ? sample.time : records->position;
  sample.event = (uint32_t) (attribute - records->attributes.attributes);
  return attribute->type != 0 && attribute->type == records->units.ibs_op
	   ? pass_operation (records, &sample, reader)
	   : pass_sample (records, &sample, reader);
}

bool
perf_records_feature (struct perf_records *records, uint64_t feature,
		      struct byte_reader *reader)
{
  return feature != PERF_FEATURE_UNITS
	 || perf_units_read (&records->units, reader);
}

static bool
read_feature (struct perf_records *records, struct perf_record *record)
{
  uint64_t feature = byte_reader_u64 (&record->body, "the number of a feature");
  return !record->body.failed
	 && perf_records_feature (records, feature, &record->body);
}

bool
perf_records_handle (struct perf_records *records, struct perf_record *record)
{
  const struct perf_handler *handler = records->handler;
  struct byte_reader body = record->body;
  records->position++;
  if (handler->sample && !perf_aux_prepare (&records->aux, record->type, &body))
    {
      record->body.failed = true;
      return false;
    }
  switch (record->type)
    {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
      return !handler->mapping || read_mapping (records, record);
    case PERF_RECORD_COMM:
      return !handler->process || !(record->misc & PERF_MISC_COMM_EXEC)
	     || read_process (records, record);
    case PERF_RECORD_FORK:
      return !handler->process || read_process (records, record);
    case PERF_RECORD_SAMPLE:
      return !handler->sample || read_sample (records, record);
    case PERF_RECORD_BUILD_ID:
      return !handler->build_id || read_build_id (records, record);
    case PERF_RECORD_ATTRIBUTE:
      return perf_attributes_read (&records->attributes, &record->body, true);
    case PERF_RECORD_FEATURE:
      return read_feature (records, record);
    default:
      return true;
    }
}

bool
perf_records_handle_data (struct perf_records *records,
			  struct perf_record *record, struct byte_reader *data)
{
  return !records->handler->sample
	 || perf_aux_handle (&records->aux, &record->body, data,
			     records->handler, records->attributes.has_times,
			     records->position);
}
