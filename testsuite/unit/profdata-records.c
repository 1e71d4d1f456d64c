/* Unit tests of LLVM's records of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-id.h"
#include "llvm-records.h"
#include "memprof-builder.h"
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct heap_profile *profile;

static void
setup (void)
{
  profile = heap_profile_new ();
}

static void
teardown (void)
{
  heap_profile_free (profile);
}

enum frame_kind
{
  BODY = 0,
  INLINED = 1,
  NO_COLUMN = 2 /* columns from another compiler */
};

/* Add the frame of FUNCTION at LINE below CALLER.  The column is always 4, and
   the function starts on line 10.  */
static uint32_t
call (uint32_t caller, const char *function, uint32_t line,
      enum frame_kind kind)
{
  struct heap_frame frame
    = { .function_guid = function_canonical_guid (function),
	.function_name
	= heap_profile_add_string (profile, function, strlen (function)),
	.line = 10 + line,
	.column = 4,
	.start_line = 10,
	.line_offset = line,
	.is_inline = kind & INLINED,
	.drop_column = kind & NO_COLUMN };
  return heap_profile_add_context (profile, caller,
				   heap_profile_add_frame (profile, &frame));
}

static void
allocate (uint32_t context, uint64_t count, uint64_t size)
{
  const struct memory_info info
    = { .alloc_count = count, .size_bytes = { count * size, size, size } };
  heap_profile_add_info (profile, context, &info);
}

/* Return the one-letter name of the function GUID.  */
static char
name_of (uint64_t guid)
{
  char name[2] = "a";
  for (; name[0] <= 'z'; name[0]++)
    if (function_canonical_guid (name) == guid)
      return name[0];
  return '?';
}

static void
print_stack (FILE *out, const struct llvm_records *records, uint32_t stack)
{
  size_t n;
  const uint32_t *frames = llvm_records_stack_frames (records, stack, &n);
  for (size_t i = 0; i < n; i++)
    {
      const struct llvm_frame *frame = llvm_records_frame (records, frames[i]);
      fprintf (out, "%s%c%s%" PRIu32 "%s", i ? " " : "",
	       name_of (frame->function_guid), frame->is_inline ? "^" : "",
	       frame->line_offset, frame->column ? ":4" : "");
    }
}

/* The records must be TEXT: sorted lines, one for each allocation and call
   site.  */
static void
expect_records (bool keep_columns, const char *text)
{
  struct llvm_records *records = llvm_records_make (profile, keep_columns);
  char *found;
  size_t n;
  FILE *out = open_memstream (&found, &n);
  for (size_t i = 0; i < llvm_records_count (records); i++)
    {
      const struct llvm_record *record = llvm_records_get (records, i);
      char name = name_of (record->function_guid);
      if (i > 0)
	ck_assert_uint_gt (record->function_guid,
			   llvm_records_get (records, i - 1)->function_guid);
      for (size_t j = 0; j < record->alloc_site_count; j++)
	{
	  const struct llvm_alloc_site *site = &record->alloc_sites[j];
	  struct memory_info room;
	  const struct memory_info *info = info_place_read (site->info, &room);
	  fprintf (out, "%c new(%" PRIu64 ",%" PRIu64 ") ", name,
		   info->alloc_count, info->size_bytes.total);
	  print_stack (out, records, site->stack);
	  fprintf (out, "\n");
	}
      for (size_t j = 0; j < record->call_site_count; j++)
	{
	  fprintf (out, "%c call ", name);
	  print_stack (out, records, record->call_sites[j].stack);
	  fprintf (out, "\n");
	}
    }
  fclose (out);
  sort_lines (found);
  ck_assert_str_eq (found, text);
  free (found);
  llvm_records_free (records);
}

START_TEST (two_paths)
{
  uint32_t m = call (0, "m", 5, BODY);
  allocate (call (call (m, "f", 2, BODY), "a", 1, BODY), 2, 64);
  allocate (call (m, "a", 1, BODY), 3, 16);
  expect_records (false, "a new(2,128) a1:4 f2:4 m5:4\n"
			 "a new(3,48) a1:4 m5:4\n"
			 "f call f2:4\n"
			 "m call m5:4\n");
}
END_TEST

START_TEST (inlined_allocation)
{
  uint32_t m = call (0, "m", 5, BODY);
  allocate (call (call (call (m, "f", 2, BODY), "g", 3, INLINED), "h", 4,
		  INLINED),
	    1, 8);
  /* f has g inlined, and g has h: each has the allocation, and the functions
     that h is inlined into also have it as a call.  */
  expect_records (false, "f call h^4:4 g^3:4 f2:4\n"
			 "f new(1,8) h^4:4 g^3:4 f2:4 m5:4\n"
			 "g call h^4:4 g^3:4 f2:4\n"
			 "g new(1,8) h^4:4 g^3:4 f2:4 m5:4\n"
			 "h new(1,8) h^4:4 g^3:4 f2:4 m5:4\n"
			 "m call m5:4\n");
}
END_TEST

START_TEST (inlined_call)
{
  uint32_t m = call (0, "m", 5, BODY);
  uint32_t g = call (call (m, "f", 2, BODY), "g", 3, INLINED);
  allocate (call (g, "a", 1, BODY), 1, 8);
  expect_records (false, "a new(1,8) a1:4 g^3:4 f2:4 m5:4\n"
			 "f call g^3:4 f2:4\n"
			 "g call g^3:4 f2:4\n"
			 "m call m5:4\n");
}
END_TEST

START_TEST (equal_for_llvm)
{
  /* Clone suffixes and discriminators are not in LLVM's frames.  */
  uint32_t m = call (0, "m", 5, BODY);
  allocate (call (m, "a.constprop.0", 1, BODY), 1, 8);
  allocate (call (m, "a.isra.0", 1, BODY), 2, 8);
  expect_records (false, "a new(3,24) a1:4 m5:4\n"
			 "m call m5:4\n");
}
END_TEST

START_TEST (no_function)
{
  uint32_t m = call (0, "m", 5, BODY);
  uint32_t unknown = call (m, "", 7, BODY);
  /* Frames without a function are removed; then f is below m.  */
  allocate (call (call (unknown, "f", 2, BODY), "", 0, BODY), 4, 8);
  /* An inlined frame whose body is unknown becomes a body.  */
  allocate (call (unknown, "g", 3, INLINED), 1, 8);
  /* A context without any function is dropped.  */
  allocate (call (0, "", 9, BODY), 9, 9);
  expect_records (false, "f new(4,32) f2:4 m5:4\n"
			 "g new(1,8) g3:4 m5:4\n"
			 "m call m5:4\n");
}
END_TEST

/* Contexts become equal when the frame above them is removed, where most nodes
   are created without a search.  */
START_TEST (no_function_beside_others)
{
  uint32_t m = call (0, "m", 5, BODY);
  uint32_t b = call (call (m, "", 1, BODY), "b", 2, BODY);
  uint32_t c = call (b, "c", 3, BODY);
  allocate (call (call (c, "d", 4, BODY), "e", 5, BODY), 1, 8);
  uint32_t other = call (call (b, "", 6, BODY), "c", 3, BODY);
  allocate (call (call (other, "d", 4, BODY), "e", 5, BODY), 2, 8);
  allocate (call (other, "f", 7, BODY), 1, 16);
  expect_records (false, "b call b2:4\n"
			 "c call c3:4\n"
			 "d call d4:4\n"
			 "e new(3,24) e5:4 d4:4 c3:4 b2:4 m5:4\n"
			 "f new(1,16) f7:4 c3:4 b2:4 m5:4\n"
			 "m call m5:4\n");
}
END_TEST

START_TEST (recursion)
{
  uint32_t m = call (0, "m", 5, BODY);
  uint32_t r = call (call (call (m, "r", 1, BODY), "r", 1, BODY), "r", 1, BODY);
  allocate (r, 1, 8);
  allocate (call (call (m, "i", 2, BODY), "i", 2, INLINED), 1, 8);
  expect_records (false, "i call i^2:4 i2:4\n"
			 "i new(1,8) i^2:4 i2:4 m5:4\n"
			 "m call m5:4\n"
			 "r call r1:4\n"
			 "r new(1,8) r1:4 r1:4 r1:4 m5:4\n");
}
END_TEST

START_TEST (columns)
{
  /* All columns of f are dropped because one of them is invalid; so are those
     of g, inlined into f, and of h, which has g inlined elsewhere; but not
     those of a and m.  */
  uint32_t m = call (0, "m", 5, BODY);
  uint32_t f = call (m, "f", 2, BODY | NO_COLUMN);
  allocate (call (call (f, "g", 3, INLINED), "a", 1, BODY), 1, 8);
  allocate (call (call (call (m, "h", 6, BODY), "g", 4, INLINED), "a", 1, BODY),
	    1, 8);
  allocate (call (call (m, "f", 8, BODY), "a", 1, BODY), 1, 8);
  expect_records (false, "a new(1,8) a1:4 f8 m5:4\n"
			 "a new(1,8) a1:4 g^3 f2 m5:4\n"
			 "a new(1,8) a1:4 g^4 h6 m5:4\n"
			 "f call f8\n"
			 "f call g^3 f2\n"
			 "g call g^3 f2\n"
			 "g call g^4 h6\n"
			 "h call g^4 h6\n"
			 "m call m5:4\n");
  expect_records (true, "a new(1,8) a1:4 f8:4 m5:4\n"
			"a new(1,8) a1:4 g^3:4 f2:4 m5:4\n"
			"a new(1,8) a1:4 g^4:4 h6:4 m5:4\n"
			"f call f8:4\n"
			"f call g^3:4 f2:4\n"
			"g call g^3:4 f2:4\n"
			"g call g^4:4 h6:4\n"
			"h call g^4:4 h6:4\n"
			"m call m5:4\n");
}
END_TEST

START_TEST (unfinished_only)
{
  const struct memory_info info
    = { .unfinished_count = 4, .unfinished_bytes = 99 };
  heap_profile_add_info (profile, call (call (0, "m", 5, BODY), "a", 1, BODY),
			 &info);
  expect_records (false, "");
}
END_TEST

START_TEST (line_offsets_wrap)
{
  struct heap_frame frame = { .function_guid = function_canonical_guid ("a"),
			      .line_offset = 0x1fffe };
  allocate (heap_profile_add_context (profile, 0,
				      heap_profile_add_frame (profile, &frame)),
	    1, 8);
  expect_records (false, "a new(1,8) a65534\n");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-records");
  TCase *tests = tcase_create ("records");
  tcase_add_checked_fixture (tests, setup, teardown);
  tcase_add_test (tests, two_paths);
  tcase_add_test (tests, inlined_allocation);
  tcase_add_test (tests, inlined_call);
  tcase_add_test (tests, equal_for_llvm);
  tcase_add_test (tests, no_function);
  tcase_add_test (tests, no_function_beside_others);
  tcase_add_test (tests, recursion);
  tcase_add_test (tests, columns);
  tcase_add_test (tests, unfinished_only);
  tcase_add_test (tests, line_offsets_wrap);
  suite_add_tcase (suite, tests);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
