/* Make valid files of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-files.h"
#include "heapprof/mip-format.h"
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define COVERAGE_ADDRESS 0x4000
#define COUNT_ADDRESS 0x5000
#define ORDER_ADDRESS 0x6000
#define CALLS_ADDRESS 0x7000
#define CALLS 5

static const uint8_t build_id[] = "a build ID, 20 bytes";
#define BUILD_ID_BYTES (sizeof build_id - 1)

struct made_function
{
  const char *name;
  const char *origin;
  uint64_t entry;
  uint64_t slot;
  uint16_t kind;
  bool has_blocks;
};

static const struct made_function functions[] = {
  { "main", "", 0x1000, COVERAGE_ADDRESS, HEAPPROF_MIP_COVERAGE, true },
  { "other", "", 0x1100, COVERAGE_ADDRESS + 3, HEAPPROF_MIP_COVERAGE, false },
  { "discarded", "", 0, COVERAGE_ADDRESS + 4, HEAPPROF_MIP_COVERAGE, false },
  { "part.isra.0", "part", 0x1200, COUNT_ADDRESS, HEAPPROF_MIP_COUNT, false },
  { "last", "", 0x1300, COUNT_ADDRESS + 8, HEAPPROF_MIP_COUNT, false },
  { "start", "", 0x1400, ORDER_ADDRESS, HEAPPROF_MIP_ORDER, false },
  { "calling", "", 0x1500, CALLS_ADDRESS, HEAPPROF_MIP_CALLS, false }
};

/* Four blocks: the entry, two with bytes of their own, and one that is covered
   if either of those is.  */
static const uint32_t blocks[][4]
  = { { 0, 10, 0, UINT32_MAX },
      { 8, 11, 1, UINT32_MAX },
      { 16 | HEAPPROF_MIP_COLD_BLOCK, 12, 2, UINT32_MAX },
      { 24, 13, UINT32_MAX, 0 } };
static const uint32_t rules[] = { 2, 1, 2, 1, 2 };
#define RULE_WORDS (sizeof rules / sizeof *rules)

/* Two functions, and three copies of them, one inside another.  Functions
   without blocks have no rules.  */
static const char *const origins[] = { "inlined", "inside" };
static const uint32_t copies[][4]
  = { { 0, UINT32_MAX, 3, 0 },
      { 1, 0, UINT32_MAX, 0 },
      { 1, UINT32_MAX, UINT32_MAX, HEAPPROF_MIP_COPY_ALWAYS } };

static void
put_copies (struct byte_writer *record, bool has_blocks)
{
  for (int i = 0; i < 2; i++)
    {
      byte_writer_u32 (record, 20);
      byte_writer_u32 (record, HEAPPROF_MIP_COPY_LOCAL);
      byte_writer_u32 (record, strlen (origins[i]));
      byte_writer_u32 (record, i > 0 ? 3 : 0);
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      byte_writer_u32 (record,
		       has_blocks || j != 2 ? copies[i][j] : UINT32_MAX);
  byte_writer_bytes (record, origins[0], strlen (origins[0]));
  byte_writer_bytes (record, origins[1], strlen (origins[1]));
  byte_writer_bytes (record, "a.h", 3);
}

static void
put_function (struct byte_writer *map, const struct made_function *function)
{
  struct byte_writer record = { 0 };
  size_t n = sizeof blocks / sizeof *blocks;
  const char *file = "made.c";
  byte_writer_u16 (&record, HEAPPROF_MIP_VERSION);
  byte_writer_u16 (&record, HEAPPROF_MIP_RECORD_FUNCTION);
  byte_writer_u64 (&record, 77);
  byte_writer_u64 (&record, function->entry);
  byte_writer_u64 (&record, function->slot);
  byte_writer_u32 (&record, 50);
  byte_writer_u16 (&record, function->kind);
  byte_writer_u16 (&record, HEAPPROF_MIP_LOCAL);
  byte_writer_u64 (&record, 1234);
  byte_writer_u64 (&record, 5678);
  bool has_copies = function->slot != ORDER_ADDRESS;
  byte_writer_u32 (&record, has_copies ? 2 : 0);
  byte_writer_u32 (&record, has_copies ? 3 : 0);
  byte_writer_u32 (&record, 0);
  byte_writer_u32 (&record, function->has_blocks ? n : 0);
  byte_writer_u32 (&record, function->has_blocks ? RULE_WORDS : 0);
  byte_writer_u32 (&record, 7);
  byte_writer_u32 (&record, strlen (function->name));
  byte_writer_u32 (&record, strlen (function->origin));
  byte_writer_u32 (&record, strlen (file));
  byte_writer_u32 (&record, 0);
  byte_writer_u64 (&record, 0);
  for (size_t i = 0; i < n && function->has_blocks; i++)
    for (int j = 0; j < 4; j++)
      byte_writer_u32 (&record, blocks[i][j]);
  for (size_t i = 0; i < RULE_WORDS && function->has_blocks; i++)
    byte_writer_u32 (&record, rules[i]);
  byte_writer_bytes (&record, function->name, strlen (function->name));
  byte_writer_bytes (&record, function->origin, strlen (function->origin));
  byte_writer_bytes (&record, file, strlen (file));
  while (record.size % 4 != 0 && !record.failed)
    byte_writer_u8 (&record, 0);
  if (has_copies)
    put_copies (&record, function->has_blocks);
  while (record.size % 8 != 4 && !record.failed)
    byte_writer_u8 (&record, 0);
  byte_writer_u32 (map, record.size + 4);
  byte_writer_bytes (map, record.data, record.size);
  map->failed |= record.failed;
  byte_writer_free (&record);
}

static void
put_unit (struct byte_writer *map)
{
  byte_writer_u32 (map, HEAPPROF_MIP_UNIT_BYTES);
  byte_writer_u16 (map, HEAPPROF_MIP_VERSION);
  byte_writer_u16 (map, HEAPPROF_MIP_RECORD_UNIT);
  byte_writer_u64 (map, 77);
  byte_writer_u64 (map, 8);
  for (int i = 0; i < 4; i++)
    byte_writer_u32 (map, 0);
  byte_writer_u64 (map, 99);
}

/* Direct calls of two functions by the first one.  The first call has no
   counter, and the function that it calls does not count it.  */
static void
put_flows (struct byte_writer *map)
{
  static const struct
  {
    uint64_t site, target;
    uint32_t from, to;
  } calls[] = { { 0x1010, 0x1508, HEAPPROF_MIP_NO_COUNTER | 1, 2 },
		{ 0x1018, 0x1100, 2, 0 } };
  byte_writer_u32 (map, 32 + sizeof calls);
  byte_writer_u16 (map, HEAPPROF_MIP_FLOWS_VERSION);
  byte_writer_u16 (map, HEAPPROF_MIP_RECORD_CALLS);
  byte_writer_u64 (map, COVERAGE_ADDRESS);
  byte_writer_u64 (map, CALLS_ADDRESS + 3 * 8);
  byte_writer_u64 (map, sizeof calls / sizeof *calls);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    {
      byte_writer_u64 (map, calls[i].site);
      byte_writer_u64 (map, calls[i].target);
      byte_writer_u32 (map, calls[i].from);
      byte_writer_u32 (map, calls[i].to);
    }
}

/* Direct calls of two functions by the last one, which has a thunk.  */
static void
put_calls (struct byte_writer *map)
{
  static const uint64_t calls[][2] = { { 0x1510, 0x1100 }, { 0x1520, 0x1580 } };
  byte_writer_u32 (map, 32 + sizeof calls);
  byte_writer_u16 (map, HEAPPROF_MIP_VERSION);
  byte_writer_u16 (map, HEAPPROF_MIP_RECORD_CALLS);
  byte_writer_u64 (map, CALLS_ADDRESS);
  byte_writer_u64 (map, CALLS_ADDRESS);
  byte_writer_u64 (map, sizeof calls / sizeof *calls);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    {
      byte_writer_u64 (map, calls[i][0]);
      byte_writer_u64 (map, calls[i][1]);
    }
  put_flows (map);
  byte_writer_u32 (map, 24);
  byte_writer_u16 (map, HEAPPROF_MIP_VERSION);
  byte_writer_u16 (map, HEAPPROF_MIP_RECORD_THUNK);
  byte_writer_u64 (map, CALLS_ADDRESS);
  byte_writer_u64 (map, 0x1580);
  byte_writer_u32 (map, 32);
  byte_writer_u16 (map, HEAPPROF_MIP_VERSION);
  byte_writer_u16 (map, HEAPPROF_MIP_RECORD_ENTRY);
  byte_writer_u64 (map, CALLS_ADDRESS);
  byte_writer_u64 (map, 0x1590);
  byte_writer_u64 (map, 0x1100);
}

struct byte_writer
mip_files_map (void)
{
  struct byte_writer map = { 0 };
  put_unit (&map);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    put_function (&map, &functions[i]);
  put_calls (&map);
  return map;
}

struct mip_map
mip_files_program (const void *records, size_t size)
{
  static const struct mip_slots slots[]
    = { { HEAPPROF_MIP_COVERAGE, COVERAGE_ADDRESS, 5 },
	{ HEAPPROF_MIP_COUNT, COUNT_ADDRESS, 16 },
	{ HEAPPROF_MIP_ORDER, ORDER_ADDRESS, 4 },
	{ HEAPPROF_MIP_CALLS, CALLS_ADDRESS, 8 * CALLS } };
  return (struct mip_map){ .path = "variant",
			   .records = records,
			   .bytes = size,
			   .build_id = build_id,
			   .build_id_bytes = BUILD_ID_BYTES,
			   .text_low = 0x1000,
			   .text_high = 0x2000,
			   .slots = slots,
			   .slots_count = 4 };
}

struct mip_profile *
mip_files_profile (void)
{
  struct profile_error err;
  struct mip_map_dropped dropped;
  struct byte_writer records = mip_files_map ();
  struct mip_map map = mip_files_program (records.data, records.size);
  struct mip_profile *profile = mip_profile_new ();
  if (profile != NULL
      && (records.failed
	  || !mip_profile_add_map (profile, &map, &dropped, &err)))
    {
      mip_profile_free (profile);
      profile = NULL;
    }
  byte_writer_free (&records);
  return profile;
}

/* A chunk of a raw file.  */
struct made_chunk
{
  uint16_t kind;
  uint16_t encoding;
  uint64_t address;
  uint64_t bytes; /* in memory */
  const void *data;
  size_t stored;
};

static void
put_chunk (struct byte_writer *raw, const struct made_chunk *chunk)
{
  byte_writer_u16 (raw, chunk->kind);
  byte_writer_u16 (raw, chunk->encoding);
  byte_writer_u32 (raw, 1);
  byte_writer_u64 (raw, chunk->address);
  byte_writer_u64 (raw, chunk->bytes);
  byte_writer_u64 (raw, chunk->stored);
  byte_writer_bytes (raw, chunk->data, chunk->stored);
  byte_writer_align (raw, 8);
}

/* Counters: seven calls, two of them by one direct call, five by a pointer.  */
static const uint64_t calls[CALLS] = { 7, 2, 4, 5, 5 };
static const struct heapprof_mip_pointer_calls pointer_calls[]
  = { { 0, 0, 1 }, { 0x1008, 0x1580, 4 }, { 0, 0x1500, 1 } };

#define CALLS_CHUNK                                                            \
  {                                                                            \
    HEAPPROF_MIP_CALLS, 0, CALLS_ADDRESS, sizeof calls, calls, sizeof calls    \
  }

/* Append an image of RUNS runs, dumped at TIME, with COUNT chunks at
   CHUNKS.  */
static void
put_image (struct byte_writer *raw, uint32_t runs, uint64_t time,
	   const struct made_chunk *chunks, uint32_t count)
{
  size_t begin = raw->size;
  uint64_t bytes = sizeof (struct heapprof_mip_image);
  for (uint32_t i = 0; i < count; i++)
    bytes
      += sizeof (struct heapprof_mip_chunk) + ((chunks[i].stored + 7) & ~7ull);
  byte_writer_bytes (raw, HEAPPROF_MIP_RAW_MAGIC, HEAPPROF_MIP_MAGIC_BYTES);
  byte_writer_u16 (raw, HEAPPROF_MIP_VERSION);
  byte_writer_u16 (raw, HEAPPROF_MIP_BYTE_ORDER);
  byte_writer_u16 (raw, 8);
  byte_writer_u16 (raw, sizeof (struct heapprof_mip_image));
  byte_writer_u64 (raw, bytes);
  byte_writer_u64 (raw, 0);
  byte_writer_u32 (raw, 1);
  byte_writer_u32 (raw, count);
  byte_writer_u64 (raw, time);
  byte_writer_u64 (raw, 1000);
  byte_writer_u32 (raw, HEAPPROF_MIP_AT_EXIT);
  byte_writer_u32 (raw, BUILD_ID_BYTES);
  byte_writer_bytes (raw, build_id, BUILD_ID_BYTES);
  while (raw->size - begin < 140 && !raw->failed)
    byte_writer_u8 (raw, 0);
  byte_writer_u32 (raw, raw->failed ? 0 : crc32 (0, raw->data + begin, 140));
  byte_writer_u32 (raw, runs);
  while (raw->size - begin < 168 && !raw->failed)
    byte_writer_u8 (raw, 0);
  for (uint32_t i = 0; i < count; i++)
    put_chunk (raw, &chunks[i]);
}

/* Append the image of one run, whose functions have order numbers from ORDER
   on.  */
static void
put_run (struct byte_writer *raw, uint32_t order)
{
  static const uint8_t coverage[5] = { 1, 0, 1, 1, 0 };
  const uint32_t counts[] = { htole32 (-7), htole32 (order), 0, 0 };
  const uint32_t starts[] = { htole32 (order + 1) };
  const struct made_chunk chunks[]
    = { { HEAPPROF_MIP_COVERAGE, 0, COVERAGE_ADDRESS, 5, coverage, 5 },
	{ HEAPPROF_MIP_COUNT, 0, COUNT_ADDRESS, 16, counts, 16 },
	{ HEAPPROF_MIP_ORDER, 0, ORDER_ADDRESS, 4, starts, 4 },
	CALLS_CHUNK,
	{ HEAPPROF_MIP_POINTER_CALLS, 0, 0, sizeof pointer_calls, pointer_calls,
	  sizeof pointer_calls } };
  put_image (raw, 1, 1000 + order, chunks, 5);
}

struct byte_writer
mip_files_sums (void)
{
  struct byte_writer raw = { 0 }, rows = { 0 };
  static const uint64_t words[] = { 0xd, 0x1 };
  const struct heapprof_mip_sum counts[2]
    = { { htole64 (21), htole64 (6), htole32 (3), htole32 (1) } };
  const struct heapprof_mip_sum starts
    = { 0, htole64 (9), htole32 (3), htole32 (2) };
  for (uint32_t i = 0; i < 2; i++)
    {
      byte_writer_u32 (&rows, 1 + i);
      byte_writer_u32 (&rows, (uint32_t) heapprof_mip_row_check (0, words[i]));
      byte_writer_u64 (&rows, words[i]);
    }
  const struct made_chunk chunks[]
    = { CALLS_CHUNK,
	{ HEAPPROF_MIP_ORDER, HEAPPROF_MIP_SUMS, ORDER_ADDRESS, 4, &starts,
	  sizeof starts },
	{ HEAPPROF_MIP_COUNT, HEAPPROF_MIP_SUMS, COUNT_ADDRESS, 16, counts,
	  sizeof counts },
	{ HEAPPROF_MIP_COVERAGE, HEAPPROF_MIP_ROWS, COVERAGE_ADDRESS, 5,
	  rows.data, rows.size } };
  put_image (&raw, 3, 1000, chunks, 4);
  raw.failed |= rows.failed;
  byte_writer_free (&rows);
  return raw;
}

struct byte_writer
mip_files_coverage_sums (void)
{
  struct byte_writer raw = { 0 };
  const uint32_t coverage[5] = { htole32 (2), 0, htole32 (1), htole32 (2), 0 };
  const uint32_t counts[4] = { htole32 (-1), htole32 (1) };
  const uint32_t starts = htole32 (2);
  const struct made_chunk chunks[]
    = { CALLS_CHUNK,
	{ HEAPPROF_MIP_ORDER, 0, ORDER_ADDRESS, 4, &starts, sizeof starts },
	{ HEAPPROF_MIP_COUNT, 0, COUNT_ADDRESS, 16, counts, sizeof counts },
	{ HEAPPROF_MIP_COVERAGE, HEAPPROF_MIP_SUMS, COVERAGE_ADDRESS, 5,
	  coverage, sizeof coverage } };
  put_image (&raw, 2, 1000, chunks, 4);
  return raw;
}

struct byte_writer
mip_files_raw (unsigned int runs)
{
  struct byte_writer raw = { 0 };
  for (unsigned int i = 1; i <= runs; i++)
    put_run (&raw, i);
  return raw;
}
