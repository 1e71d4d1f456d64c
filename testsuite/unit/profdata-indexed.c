/* Unit tests of the writer and the reader of indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "atomic-file.h"
#include "function-id.h"
#include "heap-images.h"
#include "heap-modules.h"
#include "heapprof-section.h"
#include "indexed-profile.h"
#include "llvm-records.h"
#include "memprof-builder.h"
#include "profile-text.h"
#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static struct profile_error err;

struct bytes
{
  unsigned char *data;
  size_t size;
};

static struct bytes
serialize (const struct heap_profile *profile, bool full_schema,
	   bool keep_columns)
{
  const struct indexed_profile_options options
    = { .full_schema = full_schema, .keep_columns = keep_columns };
  void *data;
  struct bytes bytes;
  const struct profile whole = { .heap = (struct heap_profile *) profile };
  ck_assert (indexed_profile_serialize (&whole, &options, &data, &bytes.size,
					&err));
  bytes.data = data;
  return bytes;
}

/* Return the heap profile of PROFILE and free the rest; NULL if PROFILE is
   NULL.  */
static struct heap_profile *
take_heap (struct profile *profile)
{
  struct heap_profile *heap = NULL;
  if (profile)
    {
      heap = profile->heap;
      profile->heap = NULL;
      profile_free (profile);
    }
  return heap;
}

static struct heap_profile *
parse (const unsigned char *data, size_t size)
{
  err = (struct profile_error){ 0 };
  return take_heap (indexed_profile_parse ("made", data, size, &err));
}

static void
expect_error (const unsigned char *data, size_t size, uint64_t offset,
	      const char *cause)
{
  ck_assert_ptr_null (parse (data, size));
  ck_assert_str_eq (err.path, "made");
  ck_assert_str_eq (err.cause, cause);
  ck_assert_uint_eq (err.offset, offset);
}

static uint64_t
get_u64 (const unsigned char *data)
{
  uint64_t value = 0;
  for (int i = 0; i < 8; i++)
    value |= (uint64_t) data[i] << 8 * i;
  return value;
}

/* Return where the heapprof section starts.  */
static size_t
section_offset (const struct bytes *bytes)
{
  return get_u64 (bytes->data + bytes->size - 32);
}

static void
print_stack (FILE *out, const struct llvm_records *records, uint32_t stack)
{
  size_t count;
  const uint32_t *frames = llvm_records_stack_frames (records, stack, &count);
  for (size_t i = 0; i < count; i++)
    {
      const struct llvm_frame *frame = llvm_records_frame (records, frames[i]);
      fprintf (out, " %" PRIx64 ":%" PRIu32 ":%" PRIu32 ":%d",
	       frame->function_guid, frame->line_offset, frame->column,
	       frame->is_inline);
    }
}

static void
print_record (FILE *out, const struct llvm_records *records,
	      const struct llvm_record *record, bool full_schema)
{
  for (size_t i = 0; i < record->alloc_site_count; i++)
    {
      fprintf (out, "%" PRIx64 " allocates at", record->function_guid);
      print_stack (out, records, record->alloc_sites[i].stack);
      struct memory_info room;
      const struct memory_info *info
	= info_place_read (record->alloc_sites[i].info, &room);
      for (unsigned int tag = 1; tag < 28; tag++)
	if (full_schema || tag == 1 || tag == 5 || tag == 10 || tag == 23)
	  fprintf (out, " %u=%" PRIu64, tag, memory_info_get (info, tag));
      fprintf (out, "\n");
    }
  for (size_t i = 0; i < record->call_site_count; i++)
    {
      fprintf (out, "%" PRIx64 " calls at", record->function_guid);
      print_stack (out, records, record->call_sites[i].stack);
      fprintf (out, "\n");
    }
}

/* Return what the independent decoder must find, from LLVM's records.  */
static char *
records_text (const struct heap_profile *profile, bool full_schema,
	      bool keep_columns)
{
  struct llvm_records *records = llvm_records_make (profile, keep_columns);
  char *text;
  size_t n;
  FILE *out = open_memstream (&text, &n);
  for (size_t i = 0; i < llvm_records_count (records); i++)
    print_record (out, records, llvm_records_get (records, i), full_schema);
  fclose (out);
  sort_lines (text);
  llvm_records_free (records);
  return text;
}

/* ---- The example of doc/profdata-extension.md.  */

static const unsigned char documented_section[] = {
  0x89, 0x48, 0x50, 0x53, 0x45, 0x43, 0x0d, 0x0a, 0x03, 0x00, 0x00, 0x00, 0x06,
  0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x00,
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
  0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1c,
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1c, 0x00, 0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x04, 0x07, 0x5f, 0x5a, 0x33, 0x61, 0x64, 0x64, 0x76, 0x08, 0x5f,
  0x5a, 0x34, 0x67, 0x72, 0x6f, 0x77, 0x76, 0x04, 0x6d, 0x61, 0x69, 0x6e, 0x04,
  0x78, 0x2e, 0x63, 0x63, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x21, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x21, 0x00,
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x02, 0x01, 0x04, 0x00, 0x14, 0x15,
  0x07, 0x00, 0x03, 0x02, 0x04, 0x00, 0x1e, 0x1f, 0x09, 0x00, 0x02, 0x03, 0x04,
  0x00, 0x05, 0x0f, 0x03, 0x00, 0x02, 0x03, 0x04, 0x00, 0x05, 0x10, 0x03, 0x00,
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x24, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x24, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x00, 0x00, 0x05, 0x00, 0x02, 0x03, 0x02, 0x01, 0x03, 0x02,
  0x91, 0x07, 0x03, 0xac, 0x02, 0xc0, 0x8d, 0xb7, 0x01, 0xbf, 0x9a, 0x0c, 0xc0,
  0xcf, 0x24, 0x08, 0x04, 0x03, 0x01, 0x91, 0x80, 0x80, 0x80, 0x0c, 0x01, 0x40,
  0x01, 0x40, 0x00, 0x00, 0x00, 0x00, 0x82, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
  0x00, 0x18, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x18, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x11,
  0x10, 0x76, 0xca, 0xa8, 0x83, 0x4b, 0xb4, 0x90, 0x2c, 0xb0, 0xd8, 0x6a, 0xc5,
  0x73, 0xce, 0x8a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x61, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
  0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1b, 0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x7f, 0x04,
  0x4c, 0x3c, 0xde, 0x4c, 0x8f, 0x96, 0xfa, 0xd5, 0x8d, 0xe7, 0x36, 0x64, 0x95,
  0xdb, 0xb9, 0xd3, 0x8d, 0xe0, 0x90, 0xdb, 0xd3, 0xe6, 0x00, 0x00, 0x00, 0x00,
  0x07, 0x00, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 0x02, 0x00, 0x1e, 0x01, 0x01,
  0x00, 0x00, 0x02, 0x00, 0x05, 0x02, 0x0a, 0x00, 0x03, 0x01, 0x00, 0x03, 0x02,
  0x00, 0x14, 0x02, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x03, 0x00, 0x01,
  0x01, 0x78, 0x2e, 0x63, 0x63, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
  0x48, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xa0, 0x01, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x93, 0x12, 0xf2, 0x43, 0x89, 0x48,
  0x50, 0x53, 0x45, 0x43, 0x0d, 0x0a
};

static uint32_t
example_frame (struct heap_profile *profile, uint32_t caller,
	       const char *function, uint32_t start_line, uint32_t line,
	       uint32_t column, bool is_inline)
{
  const struct heap_frame frame
    = { .function_guid = function_canonical_guid (function),
	.function_name
	= heap_profile_add_string (profile, function, strlen (function)),
	.file = heap_profile_add_string (profile, "x.cc", 4),
	.line = line,
	.column = column,
	.start_line = start_line,
	.line_offset = line - start_line,
	.is_inline = is_inline,
	.drop_column = true };
  return heap_profile_add_context (profile, caller,
				   heap_profile_add_frame (profile, &frame));
}

START_TEST (documented_example)
{
  struct heap_profile *profile = heap_profile_new ();
  heap_profile_totals (profile)->runs = 1;
  uint32_t main15 = example_frame (profile, 0, "main", 5, 15, 3, false);
  uint32_t add = example_frame (profile, main15, "_Z3addv", 20, 21, 7, false);
  uint32_t grow = example_frame (profile, add, "_Z4growv", 30, 31, 9, true);
  uint32_t main16 = example_frame (profile, 0, "main", 5, 16, 3, false);
  add = example_frame (profile, main16, "_Z3addv", 20, 21, 7, false);
  const struct memory_info three
    = { .alloc_count = 3,
	.size_bytes = { 300, 100, 100 },
	.lifetime_ns = { 3000000, 900000, 1200000 } };
  const struct memory_info leaked = { .alloc_count = 1,
				      .size_bytes = { 64, 64, 64 },
				      .live_count = 1,
				      .live_bytes = 64 };
  heap_profile_add_info (profile, grow, &three);
  heap_profile_add_info (profile, add, &leaked);
  struct bytes bytes = serialize (profile, false, false);
  size_t section = section_offset (&bytes);
  ck_assert_uint_eq (section, 0x448);
  ck_assert_uint_eq (bytes.size - section, sizeof documented_section);
  ck_assert_mem_eq (bytes.data + section, documented_section,
		    sizeof documented_section);
  free (bytes.data);
  heap_profile_free (profile);
}
END_TEST

/* ---- Round trips.  */

START_TEST (section_round_trip)
{
  struct heap_profile *profile = random_profile (_i, _i * 13);
  add_random_modules (profile, _i);
  add_random_addresses (profile, _i);
  struct bytes bytes = serialize (profile, _i % 2, _i % 3 == 0);
  struct heap_profile *again = parse (bytes.data, bytes.size);
  ck_assert_msg (again != NULL, "%s", err.cause);
  char *expected = profile_text (profile);
  char *found = profile_text (again);
  ck_assert_str_eq (expected, found);
  struct bytes bytes_again = serialize (again, _i % 2, _i % 3 == 0);
  ck_assert_uint_eq (bytes.size, bytes_again.size);
  ck_assert (memcmp (bytes.data, bytes_again.data, bytes.size) == 0);
  free (bytes_again.data);
  free (expected);
  free (found);
  free (bytes.data);
  heap_profile_free (again);
  heap_profile_free (profile);
}
END_TEST

START_TEST (llvm_part_decoded_independently)
{
  bool full_schema = _i % 2;
  bool keep_columns = _i % 3 == 0;
  struct heap_profile *profile = random_profile (_i + 500, _i * 17);
  struct bytes bytes = serialize (profile, full_schema, keep_columns);
  char *expected = records_text (profile, full_schema, keep_columns);
  char *found = memprof_text (bytes.data, bytes.size);
  ck_assert_str_eq (expected, found);
  free (expected);
  free (found);
  free (bytes.data);
  heap_profile_free (profile);
}
END_TEST

/* LLVM's part alone, read back, contains the same records.  */
START_TEST (llvm_part_round_trip)
{
  struct heap_profile *profile = random_profile (_i + 900, _i * 19);
  struct bytes bytes = serialize (profile, true, true);
  struct heap_profile *again = parse (bytes.data, section_offset (&bytes));
  ck_assert_msg (again != NULL, "%s", err.cause);
  char *expected = records_text (profile, true, true);
  char *found = records_text (again, true, true);
  ck_assert_str_eq (expected, found);
  free (expected);
  free (found);
  free (bytes.data);
  heap_profile_free (again);
  heap_profile_free (profile);
}
END_TEST

START_TEST (equal_bytes_whatever_the_order)
{
  struct heap_profile *a = random_profile (_i + 40, 90);
  struct heap_profile *b = random_profile (_i + 4000, 70);
  add_random_modules (a, _i);
  add_random_modules (b, _i + 100);
  add_random_addresses (a, _i);
  add_random_addresses (b, _i + 100);
  struct heap_profile *ab = heap_profile_new ();
  struct heap_profile *ba = heap_profile_new ();
  ck_assert (heap_profile_merge (ab, a) && heap_profile_merge (ab, b));
  ck_assert (heap_profile_merge (ba, b) && heap_profile_merge (ba, a));
  /* Contexts without allocations are ignored.  */
  heap_profile_add_context (ba, 0, 3);
  heap_profile_add_string (ba, "unused", 6);
  struct bytes bytes_ab = serialize (ab, false, false);
  struct bytes bytes_ba = serialize (ba, false, false);
  ck_assert_uint_eq (bytes_ab.size, bytes_ba.size);
  ck_assert (memcmp (bytes_ab.data, bytes_ba.data, bytes_ab.size) == 0);
  free (bytes_ab.data);
  free (bytes_ba.data);
  heap_profile_free (a);
  heap_profile_free (b);
  heap_profile_free (ab);
  heap_profile_free (ba);
}
END_TEST

START_TEST (deep_stack)
{
  struct heap_profile *profile = heap_profile_new ();
  uint32_t context = 0;
  for (uint32_t i = 0; i < 20000; i++)
    {
      struct heap_frame frame
	= { .function_guid = 1 + i % 3, .line_offset = i };
      context
	= heap_profile_add_context (profile, context,
				    heap_profile_add_frame (profile, &frame));
      const struct memory_info info = { .alloc_count = 1 };
      if (i % 5000 == 4999)
	heap_profile_add_info (profile, context, &info);
    }
  struct bytes bytes = serialize (profile, false, true);
  struct heap_profile *again = parse (bytes.data, section_offset (&bytes));
  ck_assert_msg (again != NULL, "%s", err.cause);
  /* The root, the stack, and a call site for each frame except the innermost
     and the outermost, which already is a context.  */
  ck_assert_uint_eq (heap_profile_context_count (again), 1 + 20000 + 19998);
  heap_profile_free (again);
  free (bytes.data);
  heap_profile_free (profile);
}
END_TEST

/* ---- LLVM's files.  */

static uint32_t
add_frame (struct heap_profile *profile, uint32_t caller, uint64_t guid,
	   uint32_t line_offset, uint32_t column, bool is_inline)
{
  const struct heap_frame frame = { .function_guid = guid,
				    .line_offset = line_offset,
				    .column = column,
				    .is_inline = is_inline };
  return heap_profile_add_context (profile, caller,
				   heap_profile_add_frame (profile, &frame));
}

/* Return the profile that memprof_build writes.  If a function is inlined into
   itself, LLVM lists an allocation twice, but it is one.  */
static struct heap_profile *
built_profile (bool recursive)
{
  struct heap_profile *profile = heap_profile_new ();
  uint32_t main_context
    = add_frame (profile, 0, MEMPROF_BUILDER_MAIN, 6, 15, false);
  uint32_t lane
    = add_frame (profile, main_context, MEMPROF_BUILDER_LANE, 1, 13, false);
  uint32_t make = add_frame (profile, lane, MEMPROF_BUILDER_MAKE, 1, 13, false);
  uint32_t contexts[2]
    = { add_frame (profile, make,
		   recursive ? MEMPROF_BUILDER_MAKE : MEMPROF_BUILDER_LEAF, 2,
		   5, true),
	add_frame (profile, main_context, MEMPROF_BUILDER_MAKE, 1, 13, false) };
  for (unsigned int i = 0; i < 2; i++)
    {
      struct memory_info info = { 0 };
      for (unsigned int tag = 1; tag < 28; tag++)
	memory_info_set (&info, tag, memprof_builder_field (tag, i));
      heap_profile_add_info (profile, contexts[i], &info);
    }
  return profile;
}

START_TEST (llvm_versions)
{
  bool recursive = _i >= 30;
  unsigned int file_version = 8 + _i % 30 / 5;
  unsigned int memprof_version = _i % 5;
  size_t size;
  unsigned char *data
    = memprof_build (file_version, memprof_version, recursive, &size);
  struct heap_profile *profile = parse (data, size);
  ck_assert_msg (profile != NULL, "0x%" PRIx64 ": %s", err.offset, err.cause);
  struct heap_profile *built = built_profile (recursive);
  char *expected = profile_text (built);
  char *found = profile_text (profile);
  ck_assert_str_eq (expected, found);
  free (expected);
  free (found);
  heap_profile_free (built);
  heap_profile_free (profile);
  free (data);
}
END_TEST

/* Overwrite 8 bytes at OFFSET of a file of MEMPROF_VERSION with VALUE.  */
static void
expect_patched_error (unsigned int memprof_version, size_t offset,
		      uint64_t value, uint64_t error_offset, const char *cause)
{
  size_t size;
  unsigned char *data = memprof_build (12, memprof_version, false, &size);
  for (int i = 0; i < 8; i++)
    data[offset + i] = value >> 8 * i;
  expect_error (data, size, error_offset, cause);
  free (data);
}

START_TEST (bad_llvm_headers)
{
  const uint64_t memprof_flag = UINT64_C (1) << 62;
  expect_patched_error (3, 0, 0, 0, "not an indexed profile");
  expect_patched_error (3, 8, 14 | memprof_flag, 8,
			"version 14 is newer than this tool (supports 8 "
			"to 13)");
  expect_patched_error (3, 8, 7 | memprof_flag, 8,
			"version 7 is too old (supports 8 to 13)");
  expect_patched_error (3, 8, 12 | memprof_flag | UINT64_C (1) << 59, 8,
			"unknown flags 0x800000000000000");
  expect_patched_error (3, 40, 0, 40, "missing heap profile (flag is set)");
  expect_patched_error (3, 8, 12, 40,
			"unexpected heap profile at 0xa0 (flag is not "
			"set)");
  expect_patched_error (3, 56, 0xa0, 56,
			"unexpected temporal traces at 0xa0 (flag is "
			"not set)");
  expect_patched_error (3, 8, 12 | memprof_flag | UINT64_C (1) << 63, 56,
			"missing temporal traces (flag is set)");
  expect_patched_error (3, 16, 7, 16, "invalid reserved word 0x7 (expected 0)");
  expect_patched_error (3, 24, 1, 24, "unknown hash type 1");
  size_t size;
  free (memprof_build (12, 3, false, &size));
  char cause[200];
  snprintf (cause, sizeof cause,
	    "the MemProf section: invalid offset 0x5f5e0ff "
	    "(expected at most 0x%zx)",
	    size);
  expect_patched_error (3, 40, 99999999, size, cause);
}
END_TEST

START_TEST (bad_memprof)
{
  size_t size;
  unsigned char *data = memprof_build (12, 3, false, &size);
  size_t memprof = get_u64 (data + 40);
  size_t stacks = get_u64 (data + memprof + 8);
  size_t table = get_u64 (data + memprof + 24);
  size_t payload = get_u64 (data + memprof + 16);
  free (data);
  expect_patched_error (3, memprof, 5, memprof,
			"unsupported MemProf version 5 (expected 0 to "
			"4)");
  expect_patched_error (3, memprof + 32, 29, memprof + 32,
			"invalid schema: 29 fields (expected at most "
			"28)");
  expect_patched_error (3, memprof + 40, 28, memprof + 40,
			"schema field 0: unknown tag 28");
  expect_patched_error (3, memprof + 64, 2, memprof + 64,
			"schema field 3: duplicate tag 2");
  expect_patched_error (3, table, 3, table,
			"the records: invalid bucket count 3 (expected "
			"a power of two)");
  expect_patched_error (3, table + 8, 5, table + 8,
			"the records: invalid entry count 5 (buckets "
			"hold 4)");
  expect_patched_error (3, payload + 10, 9, payload + 10,
			"the records: invalid key size 9 bytes "
			"(expected 8)");
  expect_patched_error (3, stacks, 0, stacks,
			"call stack element 0 of 15 is not a valid "
			"stack length");
  expect_patched_error (3, stacks + 4, 7, stacks + 4,
			"call stack element 1 of 15 is not a valid "
			"frame");
  expect_patched_error (3, stacks + 4, (uint32_t) -14, stacks + 4,
			"call stack element 1 of 15 jumps past the end");
}
END_TEST

/* Fields that only version 4 has.  */
START_TEST (bad_memprof_4)
{
  size_t size;
  unsigned char *data = memprof_build (12, 4, false, &size);
  size_t memprof = get_u64 (data + 40);
  size_t table = get_u64 (data + memprof + 24);
  size_t end = get_u64 (data + 48);
  free (data);
  expect_patched_error (4, memprof + 40, 5, memprof + 40,
			"unsupported MemProf summary with 5 fields "
			"(expected 6)");
  expect_patched_error (4, memprof + 40, 7, memprof + 40,
			"unsupported MemProf summary with 7 fields "
			"(expected 6)");
  char cause[200];
  snprintf (cause, sizeof cause,
	    "static data at 0x%zx starts before the buckets "
	    "of the records at 0x%zx",
	    table, table);
  expect_patched_error (4, memprof + 32, table, memprof + 32, cause);
  /* At the list of binary IDs, which is empty: no strings, no cold ones.  */
  expect_patched_error (4, memprof + 32, end, size,
			"the names of static data: need 8 bytes, 0 left");
}
END_TEST

/* Each stack starts one element after the previous one and ends anywhere in the
   array.  No writer makes such stacks, and each would need nodes of its
   own.  */
START_TEST (overlapping_stacks)
{
  enum
  {
    STACKS = 2000
  };
  size_t size;
  unsigned char *data = memprof_overlapping (STACKS, &size);
  ck_assert_ptr_null (parse (data, size));
  ck_assert (strstr (err.cause, "makes too many stacks overlap"));
  free (data);
}
END_TEST

/* ---- Damage.  */

static struct bytes
sample_file (void)
{
  struct heap_profile *profile = random_profile (77, 40);
  struct bytes bytes = serialize (profile, false, false);
  heap_profile_free (profile);
  return bytes;
}

START_TEST (every_flipped_byte_is_noticed)
{
  struct bytes bytes = sample_file ();
  for (size_t i = 0; i < bytes.size; i++)
    {
      bytes.data[i] ^= 1 << i % 8;
      struct heap_profile *profile = parse (bytes.data, bytes.size);
      ck_assert_msg (profile == NULL, "flipped byte 0x%zx", i);
      ck_assert_str_ne (err.cause, "");
      bytes.data[i] ^= 1 << i % 8;
    }
  struct heap_profile *profile = parse (bytes.data, bytes.size);
  ck_assert_ptr_nonnull (profile);
  heap_profile_free (profile);
  free (bytes.data);
}
END_TEST

START_TEST (every_cut_is_noticed)
{
  struct bytes bytes = sample_file ();
  size_t section = section_offset (&bytes);
  for (size_t n = 0; n < bytes.size; n++)
    {
      struct heap_profile *profile = parse (bytes.data, n);
      /* LLVM's parts alone are a valid file.  */
      ck_assert_msg ((profile != NULL) == (n == section), "%zu bytes", n);
      heap_profile_free (profile);
    }
  free (bytes.data);
}
END_TEST

/* Set the 4 bytes at OFFSET to VALUE and correct the checksum.  */
static void
patch_u32 (struct bytes *bytes, size_t offset, uint32_t value)
{
  memcpy (bytes->data + offset, &value, 4);
  uint32_t checksum = crc32_z (0, bytes->data, bytes->size - 12);
  memcpy (bytes->data + bytes->size - 12, &checksum, 4);
}

START_TEST (bad_sections)
{
  struct bytes bytes = sample_file ();
  size_t section = section_offset (&bytes);
  size_t trailer = bytes.size - 32;
  bytes.data[section + 20] ^= 1;
  ck_assert_ptr_null (parse (bytes.data, bytes.size));
  ck_assert (strncmp (err.cause, "the file is damaged: its checksum is ", 37)
	     == 0);
  ck_assert_uint_eq (err.offset, bytes.size - 12);
  bytes.data[section + 20] ^= 1;

  patch_u32 (&bytes, trailer + 16, 4);
  expect_error (bytes.data, bytes.size, trailer + 16,
		"heapprof section version 4 is newer than this "
		"tool (supports 2 to 3)");
  patch_u32 (&bytes, trailer + 16, 3);
  patch_u32 (&bytes, section + 8, 0);
  expect_error (bytes.data, bytes.size, section + 8,
		"heapprof section version 0 is unknown "
		"(supports 2 to 3)");
  patch_u32 (&bytes, section + 8, 2);
  patch_u32 (&bytes, section + 12, 12);
  expect_error (bytes.data, bytes.size, section + 12,
		"invalid number of blocks 12 (version 2 has 4)");
  patch_u32 (&bytes, section + 8, 3);
  expect_error (bytes.data, bytes.size, section + 12,
		"invalid number of blocks (expected 12)");
  patch_u32 (&bytes, section + 12, 11);
  patch_u32 (&bytes, section + 16, 3);
  expect_error (bytes.data, bytes.size, section + 16,
		"unexpected block of kind 3");
  patch_u32 (&bytes, section + 16, 1);
  patch_u32 (&bytes, section + 20, 2);
  expect_error (bytes.data, bytes.size, section + 20, "unknown encoding 2");
  patch_u32 (&bytes, section + 20, 0);
  patch_u32 (&bytes, section, 0);
  expect_error (bytes.data, bytes.size, section,
		"missing heapprof section at the offset in the "
		"trailer");
  free (bytes.data);
}
END_TEST

/* Return where the block after the one at OFFSET starts.  */
static size_t
next_block (const struct bytes *bytes, size_t offset)
{
  return offset + 24 + (get_u64 (bytes->data + offset + 8) + 7) / 8 * 8;
}

/* Return the number of modules in BYTES, a valid file.  */
static uint32_t
count_modules (const struct bytes *bytes)
{
  struct heap_profile *profile = parse (bytes->data, bytes->size);
  ck_assert_msg (profile != NULL, "%s", err.cause);
  uint32_t count
    = heap_details_module_count (heap_profile_read_details (profile));
  heap_profile_free (profile);
  return count;
}

START_TEST (optional_blocks)
{
  struct heap_profile *profile = random_profile (7, 30);
  const struct heap_module module
    = { .name = heap_profile_add_string (profile, "m", 1),
	.problem = HEAP_MODULE_DEBUG_INFO_LACKS };
  ck_assert (heap_details_add_module (heap_profile_details (profile), &module));
  struct bytes bytes = serialize (profile, false, false);
  size_t block = section_offset (&bytes) + 16;
  for (int i = 0; i < 4; i++)
    block = next_block (&bytes, block);
  ck_assert_uint_eq (count_modules (&bytes), 1);

  /* The problem is after the number of modules, name and build ID.  */
  size_t problem = block + 24 + 3;
  ck_assert_uint_eq (bytes.data[problem], HEAP_MODULE_DEBUG_INFO_LACKS);
  bytes.data[problem] = HEAP_MODULE_PROBLEMS;
  patch_u32 (&bytes, block, HEAPPROF_SECTION_MODULES);
  expect_error (bytes.data, bytes.size, problem,
		"unknown problem 6 of a module");
  bytes.data[problem] = HEAP_MODULE_DEBUG_INFO_LACKS;

  /* Unknown blocks are ignored, whatever their encoding, but only where
     optional blocks may be.  */
  size_t next;
  while ((next = next_block (&bytes, block)) < bytes.size - 32)
    block = next;
  patch_u32 (&bytes, block + 4, 77);
  patch_u32 (&bytes, block, HEAPPROF_SECTION_LIFETIMES + 1);
  ck_assert_uint_eq (count_modules (&bytes), 1);
  patch_u32 (&bytes, block, HEAPPROF_SECTION_OPTIONAL - 1);
  expect_error (bytes.data, bytes.size, block, "unexpected block of kind 127");
  free (bytes.data);
  heap_profile_free (profile);
}
END_TEST

/* Return the number of contexts in BYTES, a valid file.  */
static uint32_t
count_contexts (const struct bytes *bytes)
{
  struct heap_profile *profile = parse (bytes->data, bytes->size);
  ck_assert_msg (profile != NULL, "%s", err.cause);
  uint32_t count = heap_profile_context_count (profile);
  heap_profile_free (profile);
  return count;
}

/* Two frames below a third one that differ only in their addresses: these are
   in the address block, and damage in it is detected.  */
START_TEST (address_block)
{
  struct heap_profile *profile = heap_profile_new ();
  struct heap_frame frame
    = { .module = heap_profile_add_string (profile, "app", 3),
	.build_id = heap_profile_add_string (profile, "abcd", 4) };
  const struct heap_image image
    = { frame.module, frame.build_id,
	heap_profile_add_string (profile, "/app", 4) };
  const struct memory_info info = { .alloc_count = 1 };
  ck_assert (heap_profile_add_image (profile, &image));
  for (frame.address = 16; frame.address <= 32; frame.address += 16)
    {
      uint32_t id = heap_profile_add_frame (profile, &frame);
      uint32_t context = heap_profile_add_context (profile, 0, id);
      ck_assert (heap_profile_add_info (profile, context, &info));
    }
  struct bytes bytes = serialize (profile, false, false);
  size_t block = section_offset (&bytes) + 16;
  for (int i = 0; i < 4; i++)
    block = next_block (&bytes, block);
  const uint8_t expected[] = {
    1, 3, 2, 1,		  /* one image: app, abcd, /app */
    2, 1, 0, 32, 1, 0, 32 /* two frames: 1 at 16, 2 at 16 more */
  };
  uint8_t *data = bytes.data + block + 24;
  ck_assert_uint_eq (get_u64 (bytes.data + block + 8), sizeof expected);
  ck_assert_mem_eq (data, expected, sizeof expected);
  ck_assert_uint_eq (count_contexts (&bytes), 3);

  /* A reader that does not know the block joins frames that differ only
     there.  */
  patch_u32 (&bytes, block, HEAPPROF_SECTION_ADDRESSES + 1);
  ck_assert_uint_eq (count_contexts (&bytes), 2);

  static const struct
  {
    unsigned int place;
    uint8_t value;
    unsigned int offset;
    const char *cause;
  } damages[] = { { 0, 4, 1, "the images: need 4 * 3 bytes, 10 left" },
		  { 1, 9, 1,
		    "an image: invalid index 9 (expected less than "
		    "4)" },
		  { 2, 3, 1,
		    "invalid image build ID (expected hexadecimal "
		    "digits)" },
		  { 4, 3, 5, "the addresses: need 3 * 3 bytes, 6 left" },
		  { 5, 0, 5,
		    "invalid frame 0 of an address (previous frame "
		    "is 0)" },
		  { 8, 9, 0,
		    "address: invalid frame 10 (expected less than "
		    "3)" },
		  { 9, 1, 8,
		    "address: invalid image 1 (expected less than "
		    "1)" } };
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
    {
      uint8_t kept = data[damages[i].place];
      data[damages[i].place] = damages[i].value;
      patch_u32 (&bytes, block, HEAPPROF_SECTION_ADDRESSES);
      struct heap_profile *read = parse (bytes.data, bytes.size);
      ck_assert_ptr_null (read);
      ck_assert_str_eq (err.cause, damages[i].cause);
      if (damages[i].offset != 0)
	ck_assert_uint_eq (err.offset, block + 24 + damages[i].offset);
      data[damages[i].place] = kept;
    }
  free (bytes.data);
  heap_profile_free (profile);
}
END_TEST

/* ---- Files.  */

static const struct indexed_profile_options no_options;

static bool
write_heap (const char *path, struct heap_profile *heap,
	    const struct indexed_profile_options *options,
	    struct profile_error *error)
{
  const struct profile profile = { .heap = heap };
  return indexed_profile_write (path, &profile, options, error);
}

/* Return the number of entries of this folder except `.'  and `..'.  */
static int
count_files (void)
{
  FILE *list = popen ("ls -A | wc -l", "r");
  int n = -1;
  ck_assert_int_eq (fscanf (list, "%d", &n), 1);
  pclose (list);
  return n;
}

static void
enter_scratch (void)
{
  char name[] = "profdata-indexed.XXXXXX";
  ck_assert_ptr_nonnull (mkdtemp (name));
  ck_assert_int_eq (chdir (name), 0);
}

static void
leave_scratch (void)
{
  char name[4096];
  ck_assert_ptr_nonnull (getcwd (name, sizeof name));
  ck_assert_int_eq (chdir (".."), 0);
  ck_assert_int_eq (rmdir (name), 0);
}

START_TEST (write_and_read)
{
  enter_scratch ();
  struct heap_profile *profile = random_profile (5, 30);
  ck_assert (write_heap ("a.profdata", profile, &no_options, &err));
  ck_assert (write_heap ("a.profdata", profile, &no_options, &err));
  ck_assert_int_eq (count_files (), 1);
  struct heap_profile *again
    = take_heap (indexed_profile_read ("a.profdata", &err));
  ck_assert_ptr_nonnull (again);
  heap_profile_free (again);

  /* Writing through a link keeps the link.  */
  ck_assert_int_eq (symlink ("a.profdata", "link"), 0);
  ck_assert (atomic_file_write ("link", "abc", 3, &err));
  struct stat status;
  ck_assert_int_eq (lstat ("link", &status), 0);
  ck_assert (S_ISLNK (status.st_mode));
  ck_assert_int_eq (stat ("a.profdata", &status), 0);
  ck_assert_int_eq (status.st_size, 3);
  unlink ("link");

  /* A device is written to, not replaced.  */
  ck_assert (write_heap ("/dev/null", profile, &no_options, &err));
  ck_assert_int_eq (stat ("/dev/null", &status), 0);
  ck_assert (S_ISCHR (status.st_mode));

  ck_assert_ptr_null (indexed_profile_read ("a.profdata", &err));
  ck_assert_str_eq (err.cause, "not an indexed profile");
  unlink ("a.profdata");
  leave_scratch ();
  heap_profile_free (profile);
}
END_TEST

START_TEST (write_errors)
{
  enter_scratch ();
  struct heap_profile *profile = random_profile (5, 30);
  ck_assert (!write_heap ("no/such/x", profile, &no_options, &err));
  ck_assert_str_eq (err.cause, "cannot create: No such file or directory");
  ck_assert_str_eq (err.path, "no/such/x");
  ck_assert (!write_heap (".", profile, &no_options, &err));
  ck_assert_str_eq (err.cause, "cannot write: Is a directory");
  ck_assert (!write_heap ("/dev/full", profile, &no_options, &err));
  ck_assert_str_eq (err.cause, "cannot write: No space left on device");
  ck_assert_int_eq (count_files (), 0);
  leave_scratch ();
  heap_profile_free (profile);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-indexed");
  TCase *trips = tcase_create ("round trips");
  tcase_set_timeout (trips, 60);
  tcase_add_test (trips, documented_example);
  tcase_add_loop_test (trips, section_round_trip, 0, 30);
  tcase_add_loop_test (trips, llvm_part_decoded_independently, 0, 30);
  tcase_add_loop_test (trips, llvm_part_round_trip, 0, 30);
  tcase_add_loop_test (trips, equal_bytes_whatever_the_order, 0, 10);
  tcase_add_test (trips, deep_stack);
  suite_add_tcase (suite, trips);
  TCase *llvm = tcase_create ("LLVM's files");
  tcase_add_loop_test (llvm, llvm_versions, 0, 60);
  tcase_add_test (llvm, bad_llvm_headers);
  tcase_add_test (llvm, bad_memprof);
  tcase_add_test (llvm, bad_memprof_4);
  tcase_add_test (llvm, overlapping_stacks);
  suite_add_tcase (suite, llvm);
  TCase *damage = tcase_create ("damage");
  tcase_set_timeout (damage, 60);
  tcase_add_test (damage, every_flipped_byte_is_noticed);
  tcase_add_test (damage, every_cut_is_noticed);
  tcase_add_test (damage, bad_sections);
  tcase_add_test (damage, optional_blocks);
  tcase_add_test (damage, address_block);
  suite_add_tcase (suite, damage);
  TCase *files = tcase_create ("files");
  tcase_add_test (files, write_and_read);
  tcase_add_test (files, write_errors);
  suite_add_tcase (suite, files);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
