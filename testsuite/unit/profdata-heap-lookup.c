/* Unit tests of the lookup of single heap records.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-id.h"
#include "heap-record-text.h"
#include "heapprof-section.h"
#include "indexed-profile.h"
#include "memprof-builder.h"
#include "profile-text.h"
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "heap-lookup.profdata";
static struct profile_error err;

static void
write_file (const void *data, size_t size)
{
  FILE *file = fopen (path, "wb");
  ck_assert_uint_eq (fwrite (data, 1, size, file), size);
  fclose (file);
}

static struct heap_lookup *
open_file (void)
{
  struct heap_lookup *lookup = heap_lookup_open (path, &err);
  ck_assert_msg (lookup != NULL, "%s", err.cause);
  return lookup;
}

/* ---- Files by memprof_build.  */

static void
append_info (FILE *out, unsigned int context)
{
  for (unsigned int tag = 1; tag < 28; tag++)
    fprintf (out, " %u=%" PRIu64, tag, memprof_builder_field (tag, context));
  fprintf (out, "\n");
}

/* Return the records that memprof_build writes, according to its description in
   the header.  */
static char *
text_of_built (bool has_callees, bool recursive)
{
  const char *leaf = recursive ? "3645519cc68426db" : "1111111111111111";
  const char *callees = has_callees ? " -> ca11ee" : "";
  char *text;
  size_t n;
  FILE *out = open_memstream (&text, &n);
  for (int of_leaf = recursive; of_leaf < 2; of_leaf++)
    {
      fprintf (out,
	       "%s allocates at %s:2:5:1 3645519cc68426db:1:13:0"
	       " 31c0a45a91299f27:1:13:0 db956436e78dd5fa:6:15:0",
	       of_leaf ? leaf : "3645519cc68426db", leaf);
      append_info (out, 0);
    }
  fputs ("3645519cc68426db allocates at 3645519cc68426db:1:13:0"
	 " db956436e78dd5fa:6:15:0",
	 out);
  append_info (out, 1);
  fprintf (out,
	   "3645519cc68426db calls at %s:2:5:1 3645519cc68426db:1:13:0"
	   "%s\n",
	   leaf, callees);
  fprintf (out, "31c0a45a91299f27 calls at 31c0a45a91299f27:1:13:0%s\n",
	   callees);
  fprintf (out, "db956436e78dd5fa calls at db956436e78dd5fa:6:15:0%s\n",
	   callees);
  fclose (out);
  sort_lines (text);
  return text;
}

START_TEST (files_of_all_versions)
{
  static const uint64_t guids[]
    = { MEMPROF_BUILDER_LEAF, MEMPROF_BUILDER_MAKE, MEMPROF_BUILDER_LANE,
	MEMPROF_BUILDER_MAIN };
  unsigned int file_version = 8 + _i / 10;
  unsigned int memprof_version = _i / 2 % 5;
  bool recursive = _i % 2;
  size_t size;
  unsigned char *data
    = memprof_build (file_version, memprof_version, recursive, &size);
  write_file (data, size);
  free (data);
  struct heap_lookup *lookup = open_file ();
  ck_assert_uint_eq (heap_lookup_schema (lookup), 0xffffffe);
  char *expected = text_of_built (memprof_version == 4, recursive);
  char *found = heap_lookup_text (lookup, guids, 4, &err);
  ck_assert_str_eq (found, expected);
  struct heap_lookup_record record;
  ck_assert_int_eq (heap_lookup_find (lookup, 4711, &record, &err),
		    INDEXED_NO_NAME);
  free (found);
  free (expected);
  heap_lookup_close (lookup);
  unlink (path);
}
END_TEST

/* ---- Files by our writer.  */

/* Write PROFILE with OPTIONS.  The lookup must find what the reader of complete
   files finds, in the order of functions and in reverse.  */
static void
expect_as_read (const struct heap_profile *profile,
		const struct indexed_profile_options *options)
{
  const struct profile whole = { .heap = (struct heap_profile *) profile };
  ck_assert (indexed_profile_write (path, &whole, options, &err));
  struct profile *read = indexed_profile_read (path, &err);
  ck_assert_ptr_nonnull (read);
  struct heap_lookup *lookup = open_file ();
  size_t n;
  uint64_t *guids = heap_record_guids (read->heap, &n);
  ck_assert_uint_gt (n, 10);
  char *expected = heap_record_text (read->heap, heap_lookup_schema (lookup));
  for (int pass = 0; pass < 2; pass++)
    {
      char *found = heap_lookup_text (lookup, guids, n, &err);
      ck_assert_msg (found != NULL, "%s", err.cause);
      ck_assert_str_eq (found, expected);
      free (found);
      for (size_t i = 0; i < n / 2; i++)
	{
	  uint64_t guid = guids[i];
	  guids[i] = guids[n - 1 - i];
	  guids[n - 1 - i] = guid;
	}
    }
  free (expected);
  free (guids);
  heap_lookup_close (lookup);
  profile_free (read);
}

static void
add_call_sites (struct heap_profile *profile)
{
  struct heap_details *details = heap_profile_details (profile);
  uint64_t callees[] = { 0x5678, 0x1234 };
  for (uint32_t context = 1; context < 20; context++)
    {
      const struct heap_call_site site = { .function_guid = 0x77 + context % 5,
					   .context = context,
					   .callee_count = context % 3,
					   .callees = callees };
      ck_assert (heap_details_add_call_site (details, &site));
    }
}

START_TEST (files_of_ours)
{
  const struct indexed_profile_options options
    = { .file_version = 11 + _i % 3,
	.memprof_version = 2 + _i / 3 % 3,
	.full_schema = _i / 9 % 2,
	.keep_columns = true,
	.llvm_only = true };
  struct heap_profile *profile = random_profile (_i, 400);
  if (options.memprof_version == 4)
    add_call_sites (profile);
  expect_as_read (profile, &options);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

/* Compare with a decoder of the file that shares no code with the readers.  */
START_TEST (the_same_as_decoded)
{
  const struct indexed_profile_options options
    = { .full_schema = _i, .llvm_only = true };
  struct heap_profile *profile = random_profile (99, 1000);
  const struct profile whole = { .heap = profile };
  void *data;
  size_t size;
  ck_assert (indexed_profile_serialize (&whole, &options, &data, &size, &err));
  write_file (data, size);
  char *expected = memprof_text (data, size);
  struct profile *read = indexed_profile_read (path, &err);
  size_t n;
  uint64_t *guids = heap_record_guids (read->heap, &n);
  struct heap_lookup *lookup = open_file ();
  char *found = heap_lookup_text (lookup, guids, n, &err);
  ck_assert_str_eq (found, expected);
  free (found);
  heap_lookup_close (lookup);
  free (guids);
  profile_free (read);
  free (expected);
  free (data);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

#define FUNCTION 0x7777u
#define CALLER 0x8888u

/* Return the context of a call at LINE of the function GUID, called from
   CALLER.  */
static uint32_t
add_call (struct heap_profile *profile, uint32_t caller, uint64_t guid,
	  uint32_t line)
{
  const struct heap_frame frame
    = { .function_guid = guid, .line_offset = line, .column = 3 };
  return heap_profile_add_context (profile, caller,
				   heap_profile_add_frame (profile, &frame));
}

/* Add a call at LINE of FUNCTION that allocates COUNT blocks when called from
   CALLER, and is also an indirect call of the N CALLEES.  */
static void
add_place (struct heap_profile *profile, uint32_t line, uint64_t count,
	   uint64_t *callees, uint32_t n)
{
  const struct memory_info info
    = { .alloc_count = count, .size_bytes = { 10 * count, 10, 10 } };
  const struct heap_call_site site
    = { .function_guid = FUNCTION,
	.context = add_call (profile, 0, FUNCTION, line),
	.callees = callees,
	.callee_count = n };
  uint32_t caller = add_call (profile, 0, CALLER, 9);
  ck_assert (heap_profile_add_info (profile,
				    add_call (profile, caller, FUNCTION, line),
				    &info));
  ck_assert (heap_details_add_call_site (heap_profile_details (profile),
					 &site));
}

/* Two places of a function become one because line offsets have 16 bits: the
   second is 65536 lines after the first in the file.  */
START_TEST (equal_stacks_are_one)
{
  static const unsigned char frame[12] = { 0x77, 0x77, [8] = 6 };
  static const uint64_t guids[] = { FUNCTION, CALLER };
  const struct indexed_profile_options options
    = { .memprof_version = 4, .keep_columns = true, .llvm_only = true };
  uint64_t callees[] = { 0x30, 0x10, 0x20 };
  struct heap_profile *profile = heap_profile_new ();
  add_place (profile, 5, 3, callees, 2);
  add_place (profile, 6, 4, callees + 1, 2);
  const struct profile whole = { .heap = profile };
  void *data;
  size_t size;
  ck_assert (indexed_profile_serialize (&whole, &options, &data, &size, &err));
  unsigned char *place = memmem (data, size, frame, sizeof frame);
  ck_assert_ptr_nonnull (place);
  memcpy (place + 8, "\5\0\1", 3);
  write_file (data, size);
  struct heap_lookup *lookup = open_file ();
  char *found = heap_lookup_text (lookup, guids, 2, &err);
  ck_assert_str_eq (found, "7777 allocates at 7777:5:3:0 8888:9:3:0 1=7 5=70"
			   " 10=0 23=0\n"
			   "7777 calls at 7777:5:3:0 -> 10 20 30\n"
			   "8888 calls at 8888:9:3:0\n");
  free (found);
  heap_lookup_close (lookup);
  free (data);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

/* ---- Places of functions.  */

static const struct indexed_profile_options ours = { .llvm_only = false };

/* Number of a kind of blocks that no reader knows.  */
#define UNKNOWN_BLOCK 255

static uint64_t
get_u64 (const unsigned char *place)
{
  uint64_t value;
  memcpy (&value, place, sizeof value);
  return value;
}

/* Return the block of KIND in the SIZE bytes of a file at DATA.  */
static unsigned char *
find_block (unsigned char *data, size_t size, uint32_t kind)
{
  unsigned char *block = data + get_u64 (data + size - 32) + 16;
  while (block < data + size - 32)
    {
      uint32_t found;
      memcpy (&found, block, sizeof found);
      if (found == kind)
	return block;
      block += 24 + (get_u64 (block + 8) + 7) / 8 * 8;
    }
  ck_abort_msg ("no block %u", kind);
}

/* Return where the file with the SIZE bytes at DATA has the calls of PROFILE's
   functions that have names, in the second line and in that of each frame, as
   text.  */
static char *
places_text (const struct heap_profile *profile, const unsigned char *data,
	     size_t size)
{
  static const char *const paths[]
    = { "/home/x/source1.cc", "source2.cc", "/source3.cc", "/x/source11.cc" };
  char *text;
  size_t n;
  FILE *out = open_memstream (&text, &n);
  write_file (data, size);
  struct heap_lookup *lookup = open_file ();
  for (uint32_t i = 1; i < heap_profile_frame_count (profile); i++)
    for (unsigned int j = 0; j < 16; j++)
      {
	const struct heap_frame *frame = heap_profile_frame (profile, i);
	const struct heap_lookup_place place
	  = { .function = frame->function_guid + (j == 15),
	      .line_offset = j & 1 ? 2 : frame->line_offset,
	      .start_line = j & 2 ? 1 : frame->start_line,
	      .path = paths[j / 4] };
	if (frame->function_guid != 0)
	  fprintf (out, "%d", heap_lookup_find_place (lookup, &place));
      }
  fclose (out);
  heap_lookup_close (lookup);
  return text;
}

/* The block of places says what the frames say, without reading them.  */
START_TEST (places_need_no_frames)
{
  struct heap_profile *profile = random_profile (_i, 300 + _i);
  const struct profile whole = { .heap = profile };
  void *data;
  size_t size;
  ck_assert (indexed_profile_serialize (&whole, &ours, &data, &size, &err));
  char *found = places_text (profile, data, size);
  *find_block (data, size, HEAPPROF_SECTION_PLACES) = UNKNOWN_BLOCK;
  char *expected = places_text (profile, data, size);
  for (int where = HEAP_LOOKUP_UNKNOWN; where <= HEAP_LOOKUP_ELSEWHERE; where++)
    ck_assert_ptr_nonnull (strchr (expected, '0' + where));
  ck_assert (strcmp (found, expected) == 0);
  *find_block (data, size, UNKNOWN_BLOCK) = HEAPPROF_SECTION_PLACES;
  for (uint32_t kind = HEAPPROF_SECTION_STRINGS;
       kind <= HEAPPROF_SECTION_CONTEXTS; kind++)
    {
      unsigned char *block = find_block (data, size, kind);
      memset (block + 24, 0xff, get_u64 (block + 8));
    }
  char *without = places_text (profile, data, size);
  ck_assert (strcmp (without, expected) == 0);
  free (without);
  free (expected);
  free (found);
  free (data);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

/* Make a call of main in FILE, where it starts in START_LINE.  */
static void
add_main (struct heap_profile *profile, const char *file, uint32_t start_line,
	  uint32_t line)
{
  const struct memory_info info = { .alloc_count = 1 };
  const struct heap_frame frame
    = { .function_guid = FUNCTION,
	.file
	= file ? heap_profile_add_string (profile, file, strlen (file)) : 0,
	.start_line = start_line,
	.line = line,
	.line_offset = (line - start_line) & 0xffff };
  const uint32_t context
    = heap_profile_add_context (profile, 0,
				heap_profile_add_frame (profile, &frame));
  ck_assert (heap_profile_add_info (profile, context, &info));
}

START_TEST (places_of_several_programs)
{
  static const struct
  {
    const char *path;
    uint32_t start_line;
    uint32_t line_offset;
    enum heap_lookup_where where;
  } rows[] = {
    { "/a/first/main.c", 10, 5, HEAP_LOOKUP_HERE },
    { "/a/first/main.c", 10, 7, HEAP_LOOKUP_ELSEWHERE },
    { "/a/second/main.c", 90, 7, HEAP_LOOKUP_HERE },
    { "/a/second/main.c", 70, 7, HEAP_LOOKUP_HERE },
    { "/moved/main.c", 10, 5, HEAP_LOOKUP_HERE },
    { "/moved/main.c", 11, 5, HEAP_LOOKUP_ELSEWHERE },
    { "/a/first/main.c", 10, 6, HEAP_LOOKUP_UNKNOWN },
    { "/a/first/main.c", 10, 0, HEAP_LOOKUP_NOWHERE },
    { "/a/third/x.c", 10, 5, HEAP_LOOKUP_ELSEWHERE },
  };
  struct heap_profile *profile = heap_profile_new ();
  add_main (profile, "/b/first/main.c", 10, 15);
  add_main (profile, "/b/second/main.c", 90, 97);
  add_main (profile, NULL, 0, 0);
  const struct profile whole = { .heap = profile };
  ck_assert (indexed_profile_write (path, &whole, &ours, &err));
  struct heap_lookup *lookup = open_file ();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      const struct heap_lookup_place place
	= { FUNCTION, rows[i].line_offset, rows[i].start_line, rows[i].path };
      ck_assert_msg (heap_lookup_find_place (lookup, &place) == rows[i].where,
		     "row %zu", i);
    }
  heap_lookup_close (lookup);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

/* The block is there even if it is empty: all frames would be read
   otherwise.  */
START_TEST (places_of_nothing)
{
  static const struct heap_lookup_place place = { FUNCTION, 7, 1, "/x.c" };
  const struct memory_info info = { .alloc_count = 1 };
  struct heap_profile *profile = heap_profile_new ();
  const struct profile whole = { .heap = profile };
  void *data;
  size_t size;
  ck_assert (heap_profile_add_info (profile, add_call (profile, 0, FUNCTION, 7),
				    &info));
  ck_assert (indexed_profile_serialize (&whole, &ours, &data, &size, &err));
  const unsigned char *block = find_block (data, size, HEAPPROF_SECTION_PLACES);
  ck_assert_uint_eq (get_u64 (block + 8), 24);
  write_file (data, size);
  struct heap_lookup *lookup = open_file ();
  ck_assert_int_eq (heap_lookup_find_place (lookup, &place),
		    HEAP_LOOKUP_UNKNOWN);
  heap_lookup_close (lookup);
  free (data);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

/* Any byte of the block may be wrong.  */
START_TEST (damaged_places)
{
  struct heap_profile *profile = random_profile (_i, 40);
  const struct profile whole = { .heap = profile };
  void *data;
  size_t size;
  ck_assert (indexed_profile_serialize (&whole, &ours, &data, &size, &err));
  unsigned char *block = find_block (data, size, HEAPPROF_SECTION_PLACES);
  const size_t bytes = get_u64 (block + 8);
  for (size_t i = 0; i < bytes; i++)
    {
      const unsigned char before = block[24 + i];
      block[24 + i] ^= i % 3 == 0 ? 0xff : 1 << i % 8;
      free (places_text (profile, data, size));
      block[24 + i] = before;
    }
  free (data);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

/* ---- Names and failures.  */

START_TEST (names_lose_suffixes)
{
  static const char *const copies[]
    = { "_Z8makeNodem", "_Z8makeNodem.constprop.0",
	"_Z8makeNodem.part.3.llvm.44", "_Z8makeNodem.isra.0.cold" };
  for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
    ck_assert_uint_eq (heap_lookup_guid (copies[i], strlen (copies[i])),
		       UINT64_C (0x3645519cc68426db));
  ck_assert_uint_eq (heap_lookup_guid ("main and more", 4),
		     UINT64_C (0xdb956436e78dd5fa));
  ck_assert_uint_ne (heap_lookup_guid ("foo.__uniq.5566", 15),
		     heap_lookup_guid ("foo", 3));
}
END_TEST

/* The mean duration of a run is known only with our section.  */
START_TEST (runs_have_a_length)
{
  struct heap_profile *profile = random_profile (1, 50);
  const struct profile whole = { .heap = profile };
  struct indexed_profile_options options = { .llvm_only = false };
  heap_profile_totals (profile)->runs = 3;
  heap_profile_totals (profile)->duration_ns = UINT64_C (6000000000);
  for (int llvm_only = 0; llvm_only < 2; llvm_only++)
    {
      options.llvm_only = llvm_only;
      ck_assert (indexed_profile_write (path, &whole, &options, &err));
      struct heap_lookup *lookup = open_file ();
      ck_assert_uint_eq (heap_lookup_mean_run_ns (lookup),
			 llvm_only ? 0 : 2000000000);
      heap_lookup_close (lookup);
    }
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

/* Give the contexts of PROFILE numbers that LLVM's full schema keeps: times in
   whole milliseconds of runs of 10 s.  */
static void
simplify (struct heap_profile *profile)
{
  struct heap_totals *totals = heap_profile_totals (profile);
  totals->duration_ns = totals->runs * UINT64_C (10000000000);
  for (uint32_t i = 1; i < heap_profile_context_count (profile); i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      const uint64_t ms = UINT64_C (1000000) * (i % 7 == 0 ? 1 : i * 37 % 9000);
      if (info)
	*(struct memory_info *) info
	  = (struct memory_info){ .alloc_count = 1 + i % 3,
				  .access_count.total = i * i % 1009,
				  .size_bytes.total = 100 + i % 11 * 1000,
				  .lifetime_ns = { ms * (1 + i % 3), ms, ms } };
    }
}

/* The allocations that a lookup finds, each once.  */
struct found
{
  struct memory_info infos[2000];
  enum placement_class classes[2000];
  size_t count;
};

static const struct memory_info *
found_info (const void *data, size_t index)
{
  const struct found *found = data;
  return &found->infos[index];
}

static void
find_all (struct found *found, struct heap_lookup *lookup,
	  const uint64_t *guids, size_t n)
{
  struct heap_lookup_record record;
  bool by_token;
  found->count = 0;
  for (size_t i = 0; i < n; i++)
    {
      ck_assert_int_eq (heap_lookup_find (lookup, guids[i], &record, &err),
			INDEXED_FOUND);
      for (size_t j = 0; j < record.allocation_count; j++)
	{
	  const struct heap_lookup_allocation *allocation
	    = &record.allocations[j];
	  if (allocation->stack.frames[0].function != guids[i])
	    continue;
	  found->infos[found->count] = allocation->info;
	  found->classes[found->count++]
	    = heap_lookup_class (lookup, &allocation->stack, &by_token);
	}
    }
}

/* The class of each allocation is that of the MIBs in LLVM's part, whichever
   its version.  */
START_TEST (classes_of_stacks)
{
  struct indexed_profile_options options = { .memprof_version = 2 + _i % 3,
					     .full_schema = true,
					     .keep_columns = _i / 3 % 2 };
  struct heap_profile *profile = random_profile (_i, 1000);
  const struct profile whole = { .heap = profile };
  struct found *found = malloc (sizeof *found);
  struct placement_rules rules;
  const struct heap_totals *totals = heap_profile_totals (profile);
  size_t counts[PLACEMENT_CLASSES] = { 0 };
  simplify (profile);
  ck_assert (indexed_profile_write (path, &whole, &options, &err));
  struct profile *read = indexed_profile_read (path, &err);
  size_t n;
  uint64_t *guids = heap_record_guids (read->heap, &n);
  struct heap_lookup *lookup = open_file ();
  ck_assert (heap_lookup_has_classes (lookup));
  find_all (found, lookup, guids, n);
  ck_assert (placement_rules_make (&rules, totals, found_info, found,
				   found->count));
  for (size_t i = 0; i < found->count; i++)
    {
      ck_assert_int_eq (found->classes[i],
			placement_class_of (&rules, &found->infos[i]));
      counts[found->classes[i]]++;
    }
  for (int i = PLACEMENT_TEMPORARY; i < PLACEMENT_CLASSES; i++)
    ck_assert_uint_gt (counts[i], 10);
  heap_lookup_close (lookup);
  options.llvm_only = true;
  ck_assert (indexed_profile_write (path, &whole, &options, &err));
  lookup = open_file ();
  ck_assert (!heap_lookup_has_classes (lookup));
  heap_lookup_close (lookup);
  free (guids);
  free (found);
  profile_free (read);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

START_TEST (opening_fails)
{
  ck_assert_ptr_null (heap_lookup_open ("no/such/file", &err));
  ck_assert_str_eq (err.cause, "cannot open: No such file or directory");
  write_file ("nothing that is a profile", 25);
  ck_assert_ptr_null (heap_lookup_open (path, &err));
  ck_assert_str_eq (err.cause, "not an indexed profile");
  struct profile *profile = profile_new ();
  const struct indexed_profile_options options = { 0 };
  ck_assert (profile_need_counters (profile));
  ck_assert (indexed_profile_write (path, profile, &options, &err));
  profile_free (profile);
  ck_assert_ptr_null (heap_lookup_open (path, &err));
  ck_assert_str_eq (err.cause, "no heap profile in this file");
  ck_assert_str_eq (err.path, path);
  unlink (path);
}
END_TEST

/* A jump in the file's stack array leads nowhere: records that do not contain
   it are still found.  */
START_TEST (damage_is_of_one_record)
{
  static const unsigned char jump[] = { 0xfb, 0xff, 0xff, 0xff };
  size_t size;
  unsigned char *data = memprof_build (12, 3, false, &size);
  unsigned char *place = memmem (data, size, jump, sizeof jump);
  ck_assert_ptr_nonnull (place);
  memset (place + 1, 0xf0, 3);
  write_file (data, size);
  struct heap_lookup *lookup = open_file ();
  struct heap_lookup_record record;
  ck_assert_int_eq (heap_lookup_find (lookup, MEMPROF_BUILDER_MAKE, &record,
				      &err),
		    INDEXED_FAILED);
  ck_assert_str_eq (err.path, path);
  ck_assert_str_eq (err.cause, "call stack element 2 of 15 jumps past the end");
  ck_assert_uint_eq (err.offset, place - data);
  ck_assert_int_eq (heap_lookup_find (lookup, MEMPROF_BUILDER_LEAF, &record,
				      &err),
		    INDEXED_FOUND);
  ck_assert_uint_eq (record.allocation_count, 1);
  ck_assert_uint_eq (record.call_site_count, 0);
  heap_lookup_close (lookup);
  free (data);
  unlink (path);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("heap lookup");
  TCase *truth = tcase_create ("truth");
  tcase_add_loop_test (truth, files_of_all_versions, 0, 60);
  tcase_add_loop_test (truth, files_of_ours, 0, 18);
  tcase_add_loop_test (truth, the_same_as_decoded, 0, 2);
  tcase_add_test (truth, equal_stacks_are_one);
  tcase_add_loop_test (truth, classes_of_stacks, 0, 6);
  tcase_add_loop_test (truth, places_need_no_frames, 0, 8);
  tcase_add_test (truth, places_of_several_programs);
  tcase_add_test (truth, places_of_nothing);
  tcase_add_loop_test (truth, damaged_places, 0, 2);
  suite_add_tcase (suite, truth);
  TCase *failures = tcase_create ("names and failures");
  tcase_add_test (failures, names_lose_suffixes);
  tcase_add_test (failures, runs_have_a_length);
  tcase_add_test (failures, opening_fails);
  tcase_add_test (failures, damage_is_of_one_record);
  suite_add_tcase (suite, failures);
  return suite;
}

int
main (void)
{
  SRunner *runner = srunner_create (make_suite ());
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
