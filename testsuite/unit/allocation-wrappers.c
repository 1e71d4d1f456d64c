/* Unit tests of allocator wrappers: their names, their search, and contexts as
   they are shown.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "allocation-wrappers.h"
#include "function-name.h"
#include "heap-report.h"
#include "shown-frames.h"
#include "unit-main.h"
#include "wrapper-name.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

/* ---- Names.  */

static const struct
{
  const char *name;
  bool is_listed;
} names[]
  = { { "xmalloc", true },
      { "xmalloc.constprop.0", true },
      { "xmallocz", true },
      { "xstrdup_or_null", true },
      { "strdup@@GLIBC_2.2.5", true },
      { "zmalloc", true },
      { "sdsnewlen", true },
      { "sdsempty", true },
      { "sdsemptyish", false },
      { "sdscatalog", false },
      { "magazine_print", false },
      { "g_malloc0_n", true },
      { "g_slice_alloc", true },
      { "apr_palloc", true },
      { "_talloc_zero", true },
      { "sqlite3DbMallocRawNN", true },
      { "luaM_realloc_", true },
      { "PyObject_Malloc", true },
      { "_PyObject_GC_New", true },
      { "xmlStrndup", true },
      { "_ZN7Minisat8xreallocEPvm", true },
      { "_ZN10QArrayData8allocateEPPS_xxxN10QArrayData16AllocationOptionE",
	true },
      { "_ZN5QListI7QStringE6appendERKS0_", true },
      { "_ZNK7QString4leftEx", true },
      { "main", false },
      { "", false },
      { "x", false },
      { "my_alloc", false },
      { "malloc_info", false },
      { "unzmalloc", false },
      { "sds", false },
      { "_ZN4Tree5buildEv", false },
      { "_ZN4Tree8allocateEv", false },
      { "_ZN11QListViewerC1Ev", false },
      { "_Z", false },
      { "_ZN", false } };

START_TEST (listed_names)
{
  ck_assert_int_eq (wrapper_name_is_listed (names[_i].name),
		    names[_i].is_listed);
}
END_TEST

START_TEST (names_that_say_so)
{
  ck_assert (wrapper_name_says_allocates ("my_alloc"));
  ck_assert (wrapper_name_says_allocates ("MemDup"));
  ck_assert (wrapper_name_says_allocates ("operator new"));
  ck_assert (!wrapper_name_says_allocates ("make_node"));
  ck_assert (!wrapper_name_says_allocates (""));
}
END_TEST

START_TEST (last_part_of_a_name)
{
  bool is_of_template;
  ck_assert_str_eq (function_name_last ("a::b<c::d>::e", &is_of_template), "e");
  ck_assert (is_of_template);
  ck_assert_str_eq (function_name_last ("a::b", &is_of_template), "b");
  ck_assert (!is_of_template);
  ck_assert_ptr_null (function_name_class ("main"));
  ck_assert_str_eq (function_name_class ("_ZNK3abcE"), "3abcE");
}
END_TEST

/* ---- Profiles.  A context is written as functions from the outermost inwards,
   each with a line: `main:1 user:2 malloc_like:3'.  */

static struct heap_profile *profile;

static void
start (void)
{
  profile = heap_profile_new ();
  ck_assert_ptr_nonnull (profile);
}

/* A function may have a module, as in `ext.so/f:4'.  */
static uint32_t
frame_of (const char *word)
{
  const char *slash = strchr (word, '/');
  size_t module = slash != NULL ? (size_t) (slash - word) : 0;
  uint32_t module_id = heap_profile_add_string (profile, word, module);
  word += slash != NULL ? module + 1 : 0;
  const char *colon = strchr (word, ':');
  size_t n = (size_t) (colon - word);
  struct heap_frame frame
    = { .function_guid = 1,
	.module = module_id,
	.function_name = heap_profile_add_string (profile, word, n),
	.file = heap_profile_add_string (profile, "file.c", 6),
	.line = (uint32_t) atoi (colon + 1) };
  return heap_profile_add_frame (profile, &frame);
}

/* Add a context with COUNT blocks of SIZE.  */
static uint32_t
add (const char *text, uint64_t size, uint64_t count)
{
  char copy[4096];
  char *rest;
  uint32_t context = 0;
  struct memory_info info
    = { .alloc_count = count,
	.size_bytes = { .total = size * count, .min = size, .max = size } };
  snprintf (copy, sizeof copy, "%s", text);
  for (char *word = strtok_r (copy, " ", &rest); word != NULL;
       word = strtok_r (NULL, " ", &rest))
    context = heap_profile_add_context (profile, context, frame_of (word));
  ck_assert (heap_profile_add_info (profile, context, &info));
  return context;
}

/* Return the function of CONTEXT's site.  */
static const char *
site_of (uint32_t context, const struct wrapper_options *options)
{
  struct allocation_wrappers wrappers;
  ck_assert (allocation_wrappers_make (&wrappers, profile, options));
  uint32_t node = allocation_wrappers_site (&wrappers, context);
  allocation_wrappers_release (&wrappers);
  const struct heap_frame *frame
    = heap_profile_frame (profile, heap_profile_context_frame (profile, node));
  return heap_profile_string (profile, frame->function_name);
}

static const struct wrapper_options by_default;

START_TEST (a_listed_function_needs_one_caller)
{
  start ();
  uint32_t context = add ("main:1 f:2 xcalloc:4 xmalloc:3", 8, 1);
  ck_assert_str_eq (site_of (context, &by_default), "f");
  const struct wrapper_options off = { .is_off = true };
  ck_assert_str_eq (site_of (context, &off), "xmalloc");
  heap_profile_free (profile);
}
END_TEST

START_TEST (a_name_needs_two_calling_lines)
{
  start ();
  uint32_t context = add ("main:1 f:2 my_alloc:3", 8, 1);
  ck_assert_str_eq (site_of (context, &by_default), "my_alloc");
  /* The same line, in another context.  */
  add ("main:5 f:2 my_alloc:3", 8, 1);
  ck_assert_str_eq (site_of (context, &by_default), "my_alloc");
  add ("main:1 f:7 my_alloc:3", 8, 1);
  ck_assert_str_eq (site_of (context, &by_default), "f");
  heap_profile_free (profile);
}
END_TEST

START_TEST (a_function_that_calls_others_is_none)
{
  start ();
  uint32_t context = add ("main:1 f:2 my_alloc:3", 8, 1);
  add ("main:1 g:7 my_alloc:3", 8, 1);
  add ("main:1 g:7 my_alloc:4 prepare:9", 8, 1);
  add ("main:2 prepare:9", 8, 1);
  ck_assert_str_eq (site_of (context, &by_default), "my_alloc");
  heap_profile_free (profile);
}
END_TEST

/* Add a context for each of COUNT callers of NAME, with blocks of 8 bytes, or
   of different sizes.  */
static uint32_t
add_callers (const char *inside, int count, bool are_different)
{
  char text[100];
  uint32_t context = 0;
  for (int i = 0; i < count; i++)
    {
      snprintf (text, sizeof text, "main:%d user%d:%d %s", i + 1, i, i + 1,
		inside);
      context = add (text, are_different ? 8 * (uint64_t) (i + 1) : 8, 2);
    }
  return context;
}

START_TEST (many_callers_and_sizes_make_a_wrapper)
{
  start ();
  uint32_t context = add_callers ("grab:3", 7, true);
  ck_assert_str_eq (site_of (context, &by_default), "grab");
  context = add_callers ("grab:3", 8, true);
  ck_assert_str_eq (site_of (context, &by_default), "user7");
  /* A structure and its buffer.  */
  add ("main:1 user0:1 grab:4", 8, 1);
  ck_assert_str_eq (site_of (context, &by_default), "grab");
  heap_profile_free (profile);
}
END_TEST

START_TEST (one_size_makes_no_wrapper)
{
  start ();
  uint32_t context = add_callers ("make_node:3", 20, false);
  ck_assert_str_eq (site_of (context, &by_default), "make_node");
  heap_profile_free (profile);
}
END_TEST

START_TEST (a_part_of_a_wrapper_is_looked_through)
{
  start ();
  uint32_t context = add_callers ("grab:3 checked:9", 8, true);
  ck_assert_str_eq (site_of (context, &by_default), "user7");
  heap_profile_free (profile);
}
END_TEST

START_TEST (an_allocator_of_a_library_is_looked_through)
{
  start ();
  uint32_t context = add ("main:1 lua_newtable:2 luaM_malloc_:3 mine:4", 8, 1);
  ck_assert_str_eq (site_of (context, &by_default), "lua_newtable");
  heap_profile_free (profile);
  /* But not what a library makes of a class of the program.  */
  start ();
  context = add ("main:1 g_object_new:2 widget_init:4", 8, 1);
  ck_assert_str_eq (site_of (context, &by_default), "widget_init");
  heap_profile_free (profile);
}
END_TEST

START_TEST (main_is_no_wrapper)
{
  struct wrapper_options all = { 0 };
  char why[80];
  ck_assert (pattern_list_add (&all.skip, ".", why, sizeof why));
  start ();
  uint32_t context = add ("start:1 main:2 f:3 xmalloc:4", 8, 1);
  uint32_t other = add ("start:1 main:5", 8, 1);
  ck_assert_str_eq (site_of (context, &all), "main");
  ck_assert_str_eq (site_of (other, &all), "main");
  /* Without main, everything is a wrapper.  */
  context = add ("thread:1 f:3 xmalloc:4", 8, 1);
  ck_assert_str_eq (site_of (context, &all), "thread");
  heap_profile_free (profile);
  wrapper_options_release (&all);
}
END_TEST

START_TEST (functions_of_different_files_are_different)
{
  start ();
  uint32_t context = add ("main:1 f:2 my_alloc:3", 8, 1);
  struct heap_frame frame
    = *heap_profile_frame (profile, frame_of ("my_alloc:3"));
  frame.file = heap_profile_add_string (profile, "other.c", 7);
  uint32_t id = heap_profile_add_frame (profile, &frame);
  uint32_t caller = heap_profile_add_context (profile, 0, frame_of ("main:1"));
  caller = heap_profile_add_context (profile, caller, frame_of ("g:2"));
  const struct memory_info info
    = { .alloc_count = 1, .size_bytes = { .total = 8, .min = 8, .max = 8 } };
  uint32_t other = heap_profile_add_context (profile, caller, id);
  ck_assert (heap_profile_add_info (profile, other, &info));
  ck_assert_str_eq (site_of (context, &by_default), "my_alloc");
  ck_assert_str_eq (site_of (other, &by_default), "my_alloc");
  heap_profile_free (profile);
}
END_TEST

/* ---- Contexts as they are shown.  */

/* Return CONTEXT as it is shown: lines, hidden frames as +N, cycles as xN/N. */
static const char *
shown_of (uint32_t context, bool is_full)
{
  static char text[4096];
  struct report_options options = { .full = is_full };
  struct heap_report report;
  struct shown_frames shown;
  size_t n = 0;
  ck_assert (heap_report_make (&report, profile, &options));
  ck_assert (shown_frames_make (&shown, &report, context));
  for (size_t i = 0; i < shown.count; i++)
    {
      const struct shown_frame *frame = &shown.frames[i];
      uint32_t id = heap_profile_context_frame (profile, frame->node);
      n += (size_t) snprintf (text + n, sizeof text - n, "%s%u",
			      i > 0 ? " " : "",
			      heap_profile_frame (profile, id)->line);
      if (frame->hidden > 0)
	n += (size_t) snprintf (text + n, sizeof text - n, "+%u",
				frame->hidden);
      if (frame->cycle > 0)
	n += (size_t) snprintf (text + n, sizeof text - n, "x%u/%u",
				frame->cycle, frame->times);
    }
  shown_frames_release (&shown);
  heap_report_release (&report);
  return text;
}

START_TEST (repeated_frames_are_shown_once)
{
  start ();
  uint32_t context = add ("main:1 f:2 f:2 f:2 g:3", 8, 1);
  ck_assert_str_eq (shown_of (context, false), "3 2x1/3 1");
  ck_assert_str_eq (shown_of (context, true), "3 2 2 2 1");
  context = add ("main:1 f:2 g:3 f:2 g:3 f:2 g:3 h:4", 8, 1);
  ck_assert_str_eq (shown_of (context, false), "4 3 2x2/3 1");
  /* The cycle that covers most; what is left of it stays.  */
  context = add ("main:1 f:2 f:2 g:3 f:2 f:2 g:3", 8, 1);
  ck_assert_str_eq (shown_of (context, false), "3 2 2x3/2 1");
  context = add ("main:1 g:3 f:2 g:3 f:2 g:3", 8, 1);
  ck_assert_str_eq (shown_of (context, false), "3 2x2/2 3 1");
  /* The same function on other lines is something else.  */
  context = add ("main:1 f:2 f:3 f:2 g:4", 8, 1);
  ck_assert_str_eq (shown_of (context, false), "4 2 3 2 1");
  heap_profile_free (profile);
}
END_TEST

/* Below Python code the site is in it, and the interpreter is not shown;
   without Python code, its functions are like others.  */
START_TEST (python_code_is_the_site)
{
#define START "python3/_start:1 libc/__libc_start_main_impl:2 python3/Py_Run:3 "
#define LOOP "python3/_PyEval_EvalFrameDefault:4 "
  start ();
  uint32_t plain = add (START "python3/init:9 python3/PyMem_Malloc:10", 8, 1);
  uint32_t object = add (START "<python>/<module>:20 <python>/main:21 " LOOP
			       "python3/list_resize:5 python3/PyMem_Malloc:6",
			 8, 1);
  uint32_t mixed
    = add (START "<python>/main:21 " LOOP "ext.so/sort:7 python3/call:8 "
		 "<python>/key:22 " LOOP "ext.so/make:9",
	   8, 1);
  uint32_t embedded
    = add ("libc/_start:1 program/main:30 program/script:31 python3/Py_Run:3 "
	   "<python>/f:40 " LOOP "python3/PyMem_Malloc:6",
	   8, 1);
  ck_assert_str_eq (site_of (plain, &by_default), "init");
  ck_assert_str_eq (site_of (object, &by_default), "main");
  ck_assert_str_eq (site_of (mixed, &by_default), "key");
  ck_assert_str_eq (site_of (embedded, &by_default), "f");
  struct wrapper_options options = { .is_off = true };
  ck_assert_str_eq (site_of (mixed, &options), "make");
  ck_assert_str_eq (shown_of (plain, false), "10 9 3 2 1");
  ck_assert_str_eq (shown_of (object, false), "21+3 20");
  ck_assert_str_eq (shown_of (mixed, false), "9 22+1 7+1 21+1");
  ck_assert_str_eq (shown_of (mixed, true), "9 4 22 8 7 4 21 3 2 1");
  ck_assert_str_eq (shown_of (embedded, false), "40+2 31+1 30");
  heap_profile_free (profile);
#undef START
#undef LOOP
}
END_TEST

START_TEST (wrappers_are_one_frame)
{
  start ();
  uint32_t context = add ("main:1 f:2 xcalloc:3 xmalloc:4 xmalloc:5", 8, 1);
  ck_assert_str_eq (shown_of (context, false), "3+2 2 1");
  /* The C++ library is one frame anywhere.  */
  context = add ("main:1 _ZSt1av:2 _ZSt1bv:3 f:4 _ZSt1cv:5 _Znwm:6", 8, 1);
  ck_assert_str_eq (shown_of (context, false), "5+1 4 2+1 1");
  ck_assert_str_eq (shown_of (context, true), "6 5 4 3 2 1");
  /* A wrapper that is not innermost is not hidden.  */
  context = add ("main:1 xmalloc:3 xmalloc:4 f:2", 8, 1);
  ck_assert_str_eq (shown_of (context, false), "2 4 3 1");
  heap_profile_free (profile);
}
END_TEST

int
main (void)
{
  Suite *const suite = suite_create ("allocation-wrappers");
  TCase *const listed = tcase_create ("names");
  TCase *const found = tcase_create ("all");
  const TTest *const tests[] = { names_that_say_so,
				 last_part_of_a_name,
				 a_listed_function_needs_one_caller,
				 a_name_needs_two_calling_lines,
				 a_function_that_calls_others_is_none,
				 many_callers_and_sizes_make_a_wrapper,
				 one_size_makes_no_wrapper,
				 a_part_of_a_wrapper_is_looked_through,
				 an_allocator_of_a_library_is_looked_through,
				 main_is_no_wrapper,
				 functions_of_different_files_are_different,
				 repeated_frames_are_shown_once,
				 python_code_is_the_site,
				 wrappers_are_one_frame };
  tcase_add_loop_test (listed, listed_names, 0, sizeof names / sizeof *names);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    tcase_add_test (found, tests[i]);
  suite_add_tcase (suite, listed);
  suite_add_tcase (suite, found);
  SRunner *const runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  const int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
