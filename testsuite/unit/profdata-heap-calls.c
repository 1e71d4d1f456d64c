/* Unit tests of what functions of a heap profile call, and of the functions of
   a source file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-id.h"
#include "heap-lookup.h"
#include "heapprof-section.h"
#include "indexed-profile.h"
#include <check.h>
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "heap-calls.profdata";
static struct profile_error err;
static const struct indexed_profile_options ours;

static uint64_t
guid (const char *name)
{
  return function_canonical_guid (name);
}

/* Add the call of FUNCTION in FILE, from line START, at LINE, below CALLER.  */
static uint32_t
add (struct heap_profile *profile, uint32_t caller, const char *function,
     const char *file, uint32_t start, uint32_t line)
{
  const struct heap_frame frame
    = { .function_guid = guid (function),
	.function_name
	= heap_profile_add_string (profile, function, strlen (function)),
	.file = heap_profile_add_string (profile, file, strlen (file)),
	.start_line = start,
	.line = line,
	.column = line % 10,
	.line_offset = (line - start) & 0xffff };
  return heap_profile_add_context (profile, caller,
				   heap_profile_add_frame (profile, &frame));
}

static void
allocate (struct heap_profile *profile, uint32_t context)
{
  const struct memory_info info = { .alloc_count = 1 };
  ck_assert (heap_profile_add_info (profile, context, &info));
}

/* main of /a/one/main.c calls f and g, and g calls f; main of /b/two/main.c
   allocates.  Both f and the call of g in main are at one line.  */
static struct heap_profile *
make_profile (void)
{
  struct heap_profile *profile = heap_profile_new ();
  uint32_t main1 = add (profile, 0, "main", "/a/one/main.c", 10, 15);
  uint32_t f = add (profile, main1, "f", "/a/one/f.c", 30, 33);
  uint32_t g = add (profile, main1, "g", "/a/one/f.c", 40, 39);
  allocate (profile, f);
  allocate (profile, add (profile, g, "f", "/a/one/f.c", 30, 33));
  allocate (profile, add (profile, g, "f", "/a/one/f.c", 30, 34));
  allocate (profile, add (profile, 0, "main", "/b/two/main.c", 50, 58));
  return profile;
}

static struct heap_lookup *
open_profile (const struct heap_profile *profile)
{
  const struct profile whole = { .heap = (struct heap_profile *) profile };
  ck_assert (indexed_profile_write (path, &whole, &ours, &err));
  struct heap_lookup *lookup = heap_lookup_open (path, &err);
  ck_assert_msg (lookup != NULL, "%s", err.cause);
  return lookup;
}

/* Return the calls of FUNCTION in FILE, where it starts in START, as text.  */
static char *
calls_text (struct heap_lookup *lookup, const char *function, const char *file,
	    uint32_t start)
{
  static const char *const names[] = { "main", "f", "g" };
  const struct heap_lookup_place place
    = { .function = guid (function), .start_line = start, .path = file };
  const struct heap_lookup_call *calls;
  const size_t n = heap_lookup_find_calls (lookup, &place, &calls);
  char *text;
  size_t bytes;
  FILE *out = open_memstream (&text, &bytes);
  for (size_t i = 0; i < n; i++)
    {
      const char *name = calls[i].callee == 0 ? "?" : "other";
      for (size_t k = 0; k < 3; k++)
	if (calls[i].callee == guid (names[k]))
	  name = names[k];
      fprintf (out, "%" PRIu32 ":%" PRIu32 " %s;", calls[i].line_offset,
	       calls[i].column, name);
    }
  fclose (out);
  return text;
}

/* Return the functions of FILE as text.  */
static char *
functions_text (struct heap_lookup *lookup, const char *file)
{
  static const char *const names[] = { "main", "f", "g" };
  const uint64_t *guids;
  const size_t n = heap_lookup_find_functions (lookup, file, &guids);
  char *text;
  size_t bytes;
  FILE *out = open_memstream (&text, &bytes);
  fprintf (out, "%zu:", n);
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < n; i++)
      if (guids[i] == guid (names[k]))
	fprintf (out, " %s", names[k]);
  fclose (out);
  return text;
}

START_TEST (calls_of_a_function)
{
  static const struct
  {
    const char *function;
    const char *file;
    uint32_t start;
    const char *calls;
  } rows[] = {
    { "main", "/a/one/main.c", 10, "5:5 g;5:5 f;" },
    { "main", "/a/one/main.c", 99, "5:5 g;5:5 f;" },
    { "main", "/c/two/main.c", 1, "8:8 ?;" },
    { "main", "/c/d/main.c", 50, "8:8 ?;" },
    { "main", "/c/d/main.c", 51, "" },
    { "main", "/a/one/x.c", 10, "" },
    { "f", "/a/one/f.c", 30, "3:3 ?;4:4 ?;" },
    { "f", "/moved/f.c", 31, "3:3 ?;4:4 ?;" },
    { "g", "f.c", 40, "65535:9 f;" },
    { "h", "/a/one/f.c", 40, "" },
  };
  struct heap_profile *profile = make_profile ();
  struct heap_lookup *lookup = open_profile (profile);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      char *text
	= calls_text (lookup, rows[i].function, rows[i].file, rows[i].start);
      ck_assert_msg (strcmp (text, rows[i].calls) == 0, "row %zu: %s", i, text);
      free (text);
    }
  ck_assert (heap_lookup_has_function (lookup, guid ("g")));
  ck_assert (!heap_lookup_has_function (lookup, guid ("h")));
  heap_lookup_close (lookup);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

START_TEST (functions_of_a_file)
{
  static const struct
  {
    const char *file;
    const char *functions;
  } rows[] = {
    { "/a/one/f.c", "2: f g" },	    { "/x/one/f.c", "2: f g" },
    { "/x/y/f.c", "2: f g" },	    { "f.c", "2: f g" },
    { "/a/one/main.c", "1: main" }, { "/a/other/main.c", "0:" },
    { "/a/one/x.c", "0:" },
  };
  struct heap_profile *profile = make_profile ();
  struct heap_lookup *lookup = open_profile (profile);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      char *text = functions_text (lookup, rows[i].file);
      ck_assert_msg (strcmp (text, rows[i].functions) == 0, "row %zu: %s", i,
		     text);
      free (text);
    }
  heap_lookup_close (lookup);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

/* Return the block of places in the SIZE bytes at DATA, and its size in
 *BYTES.  */
static unsigned char *
find_places (unsigned char *data, size_t size, size_t *bytes)
{
  uint64_t section;
  memcpy (&section, data + size - 32, sizeof section);
  for (unsigned char *block = data + le64toh (section) + 16;;)
    {
      uint32_t kind;
      uint64_t stored;
      memcpy (&kind, block, sizeof kind);
      memcpy (&stored, block + 8, sizeof stored);
      *bytes = le64toh (stored);
      if (le32toh (kind) == HEAPPROF_SECTION_PLACES)
	return block;
      block += 24 + (*bytes + 7) / 8 * 8;
    }
}

/* Any byte of the block may be wrong: nothing is read out of bounds, and the
   number of calls is no more than the bytes allow.  */
START_TEST (damaged_block)
{
  struct heap_profile *profile = make_profile ();
  const struct profile whole = { .heap = profile };
  void *data;
  size_t size, bytes;
  ck_assert (indexed_profile_serialize (&whole, &ours, &data, &size, &err));
  unsigned char *block = find_places (data, size, &bytes);
  for (size_t i = 0; i < bytes; i++)
    {
      const unsigned char before = block[24 + i];
      block[24 + i] ^= _i == 0 ? 0xff : 1 << i % 8;
      FILE *file = fopen (path, "wb");
      ck_assert_uint_eq (fwrite (data, 1, size, file), size);
      fclose (file);
      struct heap_lookup *lookup = heap_lookup_open (path, &err);
      ck_assert_ptr_nonnull (lookup);
      char *calls = calls_text (lookup, "main", "/a/one/main.c", 10);
      char *functions = functions_text (lookup, "/a/one/f.c");
      ck_assert_uint_lt (strlen (calls), 16 * bytes);
      ck_assert_uint_lt (strlen (functions), 8 * bytes);
      free (calls);
      free (functions);
      heap_lookup_close (lookup);
      block[24 + i] = before;
    }
  free (data);
  heap_profile_free (profile);
  unlink (path);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-heap-calls");
  TCase *calls = tcase_create ("calls");
  tcase_add_test (calls, calls_of_a_function);
  tcase_add_test (calls, functions_of_a_file);
  tcase_add_loop_test (calls, damaged_block, 0, 2);
  suite_add_tcase (suite, calls);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
