/* Make perf.data from a description.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "perf-builder.h"
#include "byte-writer.h"
#include "perf-events.h"
#include "perf-format.h"
#include <endian.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

/* The events: branches, data accesses, timer, branches with all that can be
   recorded with them, operations of AMD IBS in raw data, and with addresses,
   branches with callers.  All have the common fields.  */
#define COMMON                                                                 \
  (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static const uint64_t sample_types[]
  = { COMMON | PERF_SAMPLE_BRANCH_STACK,
      COMMON | PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC,
      COMMON | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
      COMMON | PERF_SAMPLE_ADDR | PERF_SAMPLE_BRANCH_STACK
	| PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC,
      COMMON | PERF_SAMPLE_RAW,
      COMMON | PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC,
      COMMON | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK };

#define EVENTS 7
#define COUNTED_BRANCHES 3
#define RAW_OPERATIONS 4
#define OPERATIONS 5
#define STACKS 6

/* Features that only perf reads.  */
#define FEATURE_MACHINE 6
#define FEATURE_PROCESSOR 9

/* Types of the units "cpu" and "ibs_op".  */
#define TYPE_CPU 4
#define TYPE_IBS_OP 11
#define ATTRIBUTE_BYTES 128
#define ENTRY_BYTES (ATTRIBUTE_BYTES + PERF_SECTION_BYTES)

/* The ID of the first event; the others follow.  */
#define FIRST_ID 100

/* Flags of attributes.  */
#define FLAGS (PERF_SAMPLE_ID_ALL | 1 << 8 | 1 << 9 | 1 << 23)

struct builder
{
  bool is_big;
  bool has_aux;
  uint16_t caller_limit;
  struct byte_writer records;
  struct byte_writer build_ids;
};

static void
put_u16 (const struct builder *builder, struct byte_writer *out, uint16_t value)
{
  byte_writer_u16 (out, builder->is_big ? __builtin_bswap16 (value) : value);
}

static void
put_u32 (const struct builder *builder, struct byte_writer *out, uint32_t value)
{
  byte_writer_u32 (out, builder->is_big ? __builtin_bswap32 (value) : value);
}

static void
put_u64 (const struct builder *builder, struct byte_writer *out, uint64_t value)
{
  byte_writer_u64 (out, builder->is_big ? __builtin_bswap64 (value) : value);
}

static void
put_text (struct byte_writer *out, const char *text)
{
  byte_writer_bytes (out, text, strlen (text) + 1);
  byte_writer_align (out, 8);
}

/* Append a record of TYPE with BODY.  Frees BODY.  */
static void
put_record (const struct builder *builder, struct byte_writer *out,
	    uint32_t type, uint16_t misc, struct byte_writer *body)
{
  put_u32 (builder, out, type);
  put_u16 (builder, out, misc);
  put_u16 (builder, out, (uint16_t) (PERF_RECORD_HEADER_BYTES + body->size));
  byte_writer_bytes (out, body->data, body->size);
  byte_writer_free (body);
}

static void
put_attribute (const struct builder *builder, struct byte_writer *out,
	       unsigned int event)
{
  bool is_ibs = event == RAW_OPERATIONS || event == OPERATIONS;
  put_u32 (builder, out, is_ibs ? TYPE_IBS_OP : TYPE_CPU);
  put_u32 (builder, out, ATTRIBUTE_BYTES);
  put_u64 (builder, out, 0);
  put_u64 (builder, out, 1);
  put_u64 (builder, out, sample_types[event]);
  put_u64 (builder, out, PERF_READ_ID);
  put_u64 (builder, out, FLAGS);
  for (unsigned int i = 48; i < ATTRIBUTE_BYTES - 24; i += 8)
    put_u64 (builder, out,
	     i == 72 && event == COUNTED_BRANCHES
	       ? PERF_BRANCH_HW_INDEX | PERF_BRANCH_COUNTERS
	       : 0);
  put_u32 (builder, out, 0);
  put_u16 (builder, out, builder->caller_limit);
  put_u16 (builder, out, 0);
  put_u64 (builder, out, 0);
  put_u64 (builder, out, 0);
}

/* Return the next word, which must exist; and the next word as a number.  */
static const char *
word (char **rest)
{
  const char *found = strtok_r (NULL, " ", rest);
  if (!found)
    {
      fprintf (stderr, "perf-builder: a word is missing\n");
      abort ();
    }
  return found;
}

static uint64_t
number (char **rest)
{
  return strtoull (word (rest), NULL, 0);
}

/* End a record that is not a sample with the fields that all samples have.  */
static void
put_sample_id (const struct builder *builder, struct byte_writer *out,
	       uint32_t pid, uint64_t time)
{
  put_u32 (builder, out, pid);
  put_u32 (builder, out, pid);
  put_u64 (builder, out, time);
  put_u64 (builder, out, FIRST_ID);
}

static void
put_build_id (struct builder *builder, const char *path, const char *id)
{
  struct byte_writer body = { 0 };
  unsigned int byte;
  size_t n = 0;
  put_u32 (builder, &body, UINT32_MAX);
  for (; n < PERF_BUILD_ID_BYTES && sscanf (id + 2 * n, "%2x", &byte) == 1; n++)
    byte_writer_u8 (&body, (uint8_t) byte);
  for (size_t i = n; i < PERF_BUILD_ID_BYTES; i++)
    byte_writer_u8 (&body, 0);
  byte_writer_u8 (&body, (uint8_t) n);
  byte_writer_bytes (&body, "\0\0", 3);
  put_text (&body, path);
  put_record (builder, &builder->build_ids, PERF_RECORD_BUILD_ID,
	      PERF_MISC_BUILD_ID_SIZE, &body);
}

static void
put_mapping (struct builder *builder, uint32_t pid, uint64_t time, char **rest)
{
  struct byte_writer body = { 0 };
  put_u32 (builder, &body, pid);
  put_u32 (builder, &body, pid);
  for (int i = 0; i < 3; i++)
    put_u64 (builder, &body, number (rest));
  for (int i = 0; i < 3; i++)
    put_u64 (builder, &body, 0);
  uint32_t protection = (uint32_t) number (rest);
  put_u32 (builder, &body, protection);
  put_u32 (builder, &body, 2);
  const char *path = word (rest);
  const char *id = strtok_r (NULL, " ", rest);
  put_text (&body, path);
  put_sample_id (builder, &body, pid, time);
  put_record (builder, &builder->records, PERF_RECORD_MMAP2,
	      protection & PERF_EXECUTE ? 2 : 2 | PERF_MISC_MMAP_DATA, &body);
  if (id)
    put_build_id (builder, path, id);
}

static void
put_process (struct builder *builder, uint32_t pid, uint64_t time, char **rest,
	     bool is_fork)
{
  struct byte_writer body = { 0 };
  uint32_t parent = is_fork ? (uint32_t) number (rest) : pid;
  put_u32 (builder, &body, pid);
  put_u32 (builder, &body, parent);
  if (is_fork)
    {
      put_u32 (builder, &body, pid);
      put_u32 (builder, &body, parent);
      put_u64 (builder, &body, time);
    }
  else
    put_text (&body, "program");
  put_sample_id (builder, &body, pid, time);
  put_record (builder, &builder->records,
	      is_fork ? PERF_RECORD_FORK : PERF_RECORD_COMM,
	      is_fork ? 0 : PERF_MISC_COMM_EXEC, &body);
}

/* Return true if a number is next in REST, not a branch.  */
static bool
is_number_next (const char *rest)
{
  rest += strspn (rest, " ");
  return *rest != '\0' && strcspn (rest, "/") >= strcspn (rest, " ");
}

/* Append the number of values up to the end of the line or the first branch,
   then the values.  */
static void
put_list (const struct builder *builder, struct byte_writer *out, char **rest)
{
  struct byte_writer list = { 0 };
  while (is_number_next (*rest))
    put_u64 (builder, &list, number (rest));
  put_u64 (builder, out, list.size / 8);
  byte_writer_bytes (out, list.data, list.size);
  byte_writer_free (&list);
}

/* Append the branches up to the end of the line; if IS_COUNTED, with an index
   and counts.  */
static void
put_branches (const struct builder *builder, struct byte_writer *out,
	      char **rest, bool is_counted)
{
  struct byte_writer list = { 0 };
  char *text;
  while ((text = strtok_r (NULL, " ", rest)))
    {
      put_u64 (builder, &list, strtoull (text, &text, 0));
      put_u64 (builder, &list, strtoull (text + 1, &text, 0));
      put_u64 (builder, &list,
	       *text == '/' ? strtoull (text + 1, NULL, 0)
			    : PERF_BRANCH_PREDICTED);
    }
  uint64_t count = list.size / 24;
  put_u64 (builder, out, count);
  if (is_counted)
    put_u64 (builder, out, 5);
  byte_writer_bytes (out, list.data, list.size);
  byte_writer_free (&list);
  for (uint64_t i = 0; is_counted && i < count; i++)
    put_u64 (builder, out, i);
}

static void
put_sample (struct builder *builder, uint32_t pid, uint64_t time, char **rest,
	    const char *kind)
{
  struct byte_writer body = { 0 };
  unsigned int event = strcmp (kind, "stack") == 0 ? STACKS
		       : *kind == 'b'		   ? 0
		       : *kind == 't'		   ? 2
		       : *kind == 'c'		   ? COUNTED_BRANCHES
						   : 1;
  put_u64 (builder, &body, FIRST_ID + event);
  put_u64 (builder, &body, number (rest));
  put_u32 (builder, &body, pid);
  put_u32 (builder, &body, pid);
  put_u64 (builder, &body, time);
  bool is_counted = event == COUNTED_BRANCHES;
  if (event == 1 || is_counted)
    put_u64 (builder, &body, number (rest));
  if (event == 1 || event == 2)
    put_u64 (builder, &body, 13);
  if (event == STACKS)
    put_list (builder, &body, rest);
  if (event == 0 || event == STACKS || is_counted)
    put_branches (builder, &body, rest, is_counted);
  if (is_counted)
    put_u64 (builder, &body, UINT64_C (0x300020001)); /* weights */
  if (event == 1 || is_counted)
    put_u64 (builder, &body,
	     *kind == 'l' ? PERF_MEMORY_LOAD : PERF_MEMORY_STORE);
  if (event == 2)
    put_list (builder, &body, rest);
  put_record (builder, &builder->records, PERF_RECORD_SAMPLE, 2, &body);
}

/* Append the raw data of an operation of KIND at IP, which accessed or jumped
   to ADDRESS, on a processor that reports targets.  */
static void
put_raw_operation (const struct builder *builder, struct byte_writer *out,
		   uint64_t ip, const char *kind, uint64_t address)
{
  bool is_load = *kind == 'l';
  bool is_memory = is_load || *kind == 's';
  bool is_branch = *kind == 'b' || *kind == 'm';
  put_u32 (builder, out, 4 + 8 * 8); /* without the number itself */
  put_u32 (builder, out, 0x7ff);
  put_u64 (builder, out, 0x6fff1); /* enabled, valid */
  put_u64 (builder, out, ip);
  put_u64 (builder, out,
	   0x110005 | (is_branch ? UINT64_C (1) << 37 : 0)
	     | (*kind == 'b' ? UINT64_C (1) << 35 : 0)
	     | (*kind == 'i' ? UINT64_C (1) << 38 : 0));
  put_u64 (builder, out, 0);
  put_u64 (builder, out,
	   is_memory ? (is_load ? 1 : 2) | UINT64_C (3) << 17 : 0);
  put_u64 (builder, out, is_memory ? address : 0x7777);
  put_u64 (builder, out, is_memory ? address + 0x100000 : 0);
  put_u64 (builder, out, is_branch ? address : 0x8888);
}

static void
put_ibs (struct builder *builder, uint32_t pid, uint64_t time, char **rest,
	 bool is_raw)
{
  struct byte_writer body = { 0 };
  uint64_t ip = number (rest);
  const char *kind = word (rest);
  uint64_t address = number (rest);
  put_u64 (builder, &body, FIRST_ID + (is_raw ? RAW_OPERATIONS : OPERATIONS));
  put_u64 (builder, &body, is_raw ? ip + 1 : ip);
  put_u32 (builder, &body, pid);
  put_u32 (builder, &body, pid);
  put_u64 (builder, &body, time);
  if (is_raw)
    put_raw_operation (builder, &body, ip, kind, address);
  else
    {
      put_u64 (builder, &body, address);
      put_u64 (builder, &body,
	       *kind == 'l' ? PERF_MEMORY_LOAD : PERF_MEMORY_STORE);
    }
  put_record (builder, &builder->records, PERF_RECORD_SAMPLE, 2, &body);
}

/* Append TEXT as perf writes texts of features.  */
static void
put_feature_text (const struct builder *builder, struct byte_writer *out,
		  const char *text)
{
  struct byte_writer padded = { 0 };
  put_text (&padded, text);
  put_u32 (builder, out, (uint32_t) padded.size);
  byte_writer_bytes (out, padded.data, padded.size);
  byte_writer_free (&padded);
}

/* Append the list of the machine's units.  */
static void
put_units (const struct builder *builder, struct byte_writer *out)
{
  static const struct
  {
    uint32_t type;
    const char *name;
  } units[] = { { TYPE_CPU, "cpu" }, { TYPE_IBS_OP, "ibs_op" } };
  put_u32 (builder, out, 2);
  for (int i = 0; i < 2; i++)
    {
      put_u32 (builder, out, units[i].type);
      put_feature_text (builder, out, units[i].name);
    }
}

/* Tell what recorded operations are, and how time is converted: it is that of
   the timer plus CLOCK_OFFSET, in 32 bits.  */
#define CLOCK_OFFSET 5

static void
put_aux_kind (struct builder *builder)
{
  struct byte_writer kind = { 0 };
  struct byte_writer clock = { 0 };
  if (builder->has_aux)
    return;
  builder->has_aux = true;
  put_u32 (builder, &kind, PERF_AUX_ARM_SPE);
  put_u32 (builder, &kind, 0);
  put_record (builder, &builder->records, PERF_RECORD_AUXTRACE_INFO, 0, &kind);
  put_u64 (builder, &clock, 1);
  put_u64 (builder, &clock, 2);
  put_u64 (builder, &clock, CLOCK_OFFSET);
  put_u64 (builder, &clock, 0);
  put_u64 (builder, &clock, UINT32_MAX);
  byte_writer_bytes (&clock, "\1\1\0\0\0\0\0", 8);
  put_record (builder, &builder->records, PERF_RECORD_TIME_CONVERSION, 0,
	      &clock);
}

/* Append DATA, recorded by the processor, and free it.  */
static void
put_aux (struct builder *builder, struct byte_writer *data)
{
  struct byte_writer header = { 0 };
  put_aux_kind (builder);
  put_u64 (builder, &header, data->size);
  put_u64 (builder, &header, 0);
  put_u64 (builder, &header, 0);
  put_u32 (builder, &header, 0);
  put_u32 (builder, &header, UINT32_MAX);
  put_u32 (builder, &header, 0);
  put_u32 (builder, &header, 0);
  put_record (builder, &builder->records, PERF_RECORD_AUXTRACE, 0, &header);
  byte_writer_bytes (&builder->records, data->data, data->size);
  byte_writer_free (data);
}

static void
put_aux_bytes (struct builder *builder, char **rest)
{
  struct byte_writer data = { 0 };
  const char *text;
  while ((text = strtok_r (NULL, " ", rest)))
    byte_writer_u8 (&data, (uint8_t) strtoul (text, NULL, 16));
  put_aux (builder, &data);
}

/* The packets are little-endian on every machine.  */
static void
put_operation (struct builder *builder, uint32_t pid, uint64_t time,
	       char **rest)
{
  struct byte_writer data = { 0 };
  uint64_t ip = number (rest);
  const char *kind = word (rest);
  uint64_t address = number (rest);
  bool is_memory = *kind == 'l' || *kind == 's' || *kind == 'w';
  byte_writer_u8 (&data, 0xb0); /* instruction, of a user */
  byte_writer_u64 (&data, ip | UINT64_C (1) << 63);
  if (pid != 0)
    {
      byte_writer_u8 (&data, 0x64);
      byte_writer_u32 (&data, pid);
    }
  byte_writer_u8 (&data, 0x48 | (is_memory ? 1 : *kind == 'b' ? 2 : 0));
  byte_writer_u8 (&data, *kind == 's');
  byte_writer_u8 (&data, 0x52); /* events: retired, or not */
  byte_writer_u16 (&data, *kind == 'w' ? 4 : 6);
  byte_writer_u8 (&data, 0x98); /* latency */
  byte_writer_u16 (&data, 17);
  byte_writer_u8 (&data, 0); /* padding */
  if (is_memory || *kind == 'b')
    {
      byte_writer_u8 (&data, is_memory ? 0xb2 : 0xb1);
      byte_writer_u64 (&data,
		       address | (is_memory ? UINT64_C (0x5a) << 56 : 0));
    }
  byte_writer_u8 (&data, 0x71);
  byte_writer_u64 (&data, time - CLOCK_OFFSET + (UINT64_C (3) << 32));
  put_aux (builder, &data);
}

static void
put_line (struct builder *builder, char *line)
{
  char *rest;
  const char *kind = strtok_r (line, " ", &rest);
  if (!kind)
    return;
  if (strcmp (kind, "aux") == 0)
    {
      put_aux_bytes (builder, &rest);
      return;
    }
  if (strcmp (kind, "limit") == 0)
    {
      builder->caller_limit = (uint16_t) number (&rest);
      return;
    }
  uint32_t pid = (uint32_t) number (&rest);
  uint64_t time = number (&rest);
  if (strcmp (kind, "map") == 0)
    put_mapping (builder, pid, time, &rest);
  else if (strcmp (kind, "fork") == 0 || strcmp (kind, "exec") == 0)
    put_process (builder, pid, time, &rest, *kind == 'f');
  else if (strcmp (kind, "spe") == 0)
    put_operation (builder, pid, time, &rest);
  else if (strncmp (kind, "ibs", 3) == 0)
    put_ibs (builder, pid, time, &rest, kind[3] == '\0');
  else
    put_sample (builder, pid, time, &rest, kind);
}

static void
put_section (const struct builder *builder, struct byte_writer *out,
	     uint64_t offset, uint64_t bytes)
{
  put_u64 (builder, out, offset);
  put_u64 (builder, out, bytes);
}

/* Write the sections of the features, which begin at END: build IDs if there
   are any, and what perf needs to decode operations of AMD's IBS.  */
static void
put_features (const struct builder *builder, struct byte_writer *out,
	      uint64_t end)
{
  struct byte_writer contents = { 0 };
  size_t ends[4];
  unsigned int count = 0;
  if (builder->build_ids.size > 0)
    {
      byte_writer_bytes (&contents, builder->build_ids.data,
			 builder->build_ids.size);
      ends[count++] = contents.size;
    }
  put_feature_text (builder, &contents, "x86_64");
  ends[count++] = contents.size;
  put_feature_text (builder, &contents, "AuthenticAMD,25,17,1");
  ends[count++] = contents.size;
  put_units (builder, &contents);
  ends[count++] = contents.size;
  end += PERF_SECTION_BYTES * count;
  for (unsigned int i = 0; i < count; i++)
    {
      size_t start = i > 0 ? ends[i - 1] : 0;
      put_section (builder, out, end + start, ends[i] - start);
    }
  byte_writer_bytes (out, contents.data, contents.size);
  byte_writer_free (&contents);
}

/* Write the file: header, IDs, attributes, records, features.  */
static void
put_file (const struct builder *builder, struct byte_writer *out, bool is_open)
{
  uint64_t ids = PERF_HEADER_BYTES;
  uint64_t attributes = ids + EVENTS * 8;
  uint64_t data = attributes + EVENTS * ENTRY_BYTES;
  uint64_t end = data + builder->records.size;
  uint64_t features = 0;
  if (!is_open)
    features
      = 1 << FEATURE_MACHINE | 1 << FEATURE_PROCESSOR | 1 << PERF_FEATURE_UNITS;
  if (!is_open && builder->build_ids.size > 0)
    features |= 1 << PERF_FEATURE_BUILD_IDS;
  put_u64 (builder, out, PERF_MAGIC);
  put_u64 (builder, out, PERF_HEADER_BYTES);
  put_u64 (builder, out, ENTRY_BYTES);
  put_section (builder, out, attributes, EVENTS * ENTRY_BYTES);
  put_section (builder, out, data, is_open ? 0 : builder->records.size);
  put_section (builder, out, 0, 0);
  put_u64 (builder, out, features);
  for (int i = 1; i < 4; i++)
    put_u64 (builder, out, 0);
  for (unsigned int i = 0; i < EVENTS; i++)
    put_u64 (builder, out, FIRST_ID + i);
  for (unsigned int i = 0; i < EVENTS; i++)
    {
      put_attribute (builder, out, i);
      put_section (builder, out, ids + 8 * i, 8);
    }
  byte_writer_bytes (out, builder->records.data, builder->records.size);
  if (!is_open)
    put_features (builder, out, end);
}

static void
put_stream (const struct builder *builder, struct byte_writer *out)
{
  put_u64 (builder, out, PERF_MAGIC);
  put_u64 (builder, out, PERF_STREAM_HEADER_BYTES);
  for (unsigned int i = 0; i < EVENTS; i++)
    {
      struct byte_writer body = { 0 };
      put_attribute (builder, &body, i);
      put_u64 (builder, &body, FIRST_ID + i);
      put_record (builder, out, PERF_RECORD_ATTRIBUTE, 0, &body);
    }
  struct byte_writer units = { 0 };
  put_u64 (builder, &units, PERF_FEATURE_UNITS);
  put_units (builder, &units);
  put_record (builder, out, PERF_RECORD_FEATURE, 0, &units);
  byte_writer_bytes (out, builder->build_ids.data, builder->build_ids.size);
  byte_writer_bytes (out, builder->records.data, builder->records.size);
}

/* Compress the records as perf does: the stream is flushed in the middle of a
   record.  Return false if built without the library.  */
static bool
compress (struct builder *builder)
{
#ifdef HAVE_ZSTD
  struct byte_writer out = { 0 };
  static unsigned char room[1 << 15];
  ZSTD_CStream *stream = ZSTD_createCStream ();
  size_t half = builder->records.size / 2 + 3;
  if (!stream)
    return false;
  for (size_t at = 0; at < builder->records.size; at += half)
    {
      size_t left = builder->records.size - at;
      ZSTD_inBuffer in
	= { builder->records.data + at, left < half ? left : half, 0 };
      ZSTD_outBuffer to = { room, sizeof room, 0 };
      ZSTD_compressStream2 (stream, &to, &in, ZSTD_e_flush);
      struct byte_writer body = { 0 };
      byte_writer_bytes (&body, room, to.pos);
      put_record (builder, &out, PERF_RECORD_COMPRESSED, 0, &body);
    }
  ZSTD_freeCStream (stream);
  byte_writer_free (&builder->records);
  builder->records = out;
  return true;
#else
  (void) builder;
  return false;
#endif
}

unsigned char *
perf_build (const char *description, enum perf_layout layout, size_t *size)
{
  struct builder builder = { .is_big = layout == PERF_LAYOUT_BIG_ENDIAN };
  struct byte_writer out = { 0 };
  char *text = strdup (description);
  char *lines = text;
  char *line;
  while ((line = strsep (&lines, "\n")))
    put_line (&builder, line);
  free (text);
  bool done = layout != PERF_LAYOUT_COMPRESSED || compress (&builder);
  if (layout == PERF_LAYOUT_STREAM)
    put_stream (&builder, &out);
  else
    put_file (&builder, &out, layout == PERF_LAYOUT_OPEN);
  byte_writer_free (&builder.records);
  byte_writer_free (&builder.build_ids);
  if (out.failed)
    abort ();
  *size = out.size;
  if (done)
    return out.data;
  byte_writer_free (&out);
  return NULL;
}
