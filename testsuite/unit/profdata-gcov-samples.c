/* Unit tests of gcc's own counters as a sample profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-block-order.h"
#include "gcov-builder.h"
#include "gcov-data.h"
#include "gcov-names.h"
#include "gcov-samples.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

enum
{
  TREE = GCOV_ARC_ON_TREE,
  FAKE = GCOV_ARC_ON_TREE | GCOV_ARC_FAKE
};

static struct gcov_builder builder;
static const uint64_t two_calls[] = { 7, 6 };

/* A loop as gcc represents it, with a call in its body, and one line of another
   file:

     10  f ()
     12    for (init; condition; step)
     13      call
     15    return, inlined

   Block 2 is the init, 3 the call, 4 the step, 5 the condition.  */
static void
build_loop (void)
{
  static const uint32_t to_2[] = { 2, TREE };
  static const uint32_t to_5[] = { 5, 0 };
  static const uint32_t calls[] = { 4, 0, 1, FAKE };
  static const uint32_t back[] = { 5, TREE };
  static const uint32_t condition[] = { 3, 0, 6, TREE };
  static const uint32_t to_exit[] = { 1, TREE };
  static const uint32_t lines[] = { 10, 12, 13, 15 };
  static const uint32_t inlined[] = { 3 };
  gcov_build_notes_function (&builder, 100, "f", "f.c", 10, 16, 7);
  gcov_build_arcs (&builder, 0, to_2, 1);
  gcov_build_arcs (&builder, 2, to_5, 1);
  gcov_build_arcs (&builder, 3, calls, 2);
  gcov_build_arcs (&builder, 4, back, 1);
  gcov_build_arcs (&builder, 5, condition, 2);
  gcov_build_arcs (&builder, 6, to_exit, 1);
  gcov_build_lines (&builder, 2, "f.c", lines, 2);
  gcov_build_lines (&builder, 3, "f.c", lines + 2, 1);
  gcov_build_lines (&builder, 4, "f.c", lines + 1, 2);
  gcov_build_lines (&builder, 5, "f.c", lines + 1, 1);
  gcov_build_lines (&builder, 6, "f.c", lines + 3, 1);
  gcov_build_lines (&builder, 6, "a.h", inlined, 1);
}

/* A call on line 21 that may return twice.  */
static void
build_twice (void)
{
  static const uint32_t entry[] = { 2, 0, 3, FAKE };
  static const uint32_t call[] = { 3, 0, 1, FAKE };
  static const uint32_t to_4[] = { 4, TREE };
  static const uint32_t to_exit[] = { 1, 0 };
  static const uint32_t lines[] = { 21, 22, 23 };
  gcov_build_notes_function (&builder, 200, "*g.isra.0", "f.c", 20, 24, 5);
  gcov_build_arcs (&builder, 0, entry, 2);
  gcov_build_arcs (&builder, 2, call, 2);
  gcov_build_arcs (&builder, 3, to_4, 1);
  gcov_build_arcs (&builder, 4, to_exit, 1);
  gcov_build_lines (&builder, 2, "f.c", lines, 1);
  gcov_build_lines (&builder, 3, "f.c", lines + 1, 1);
  gcov_build_lines (&builder, 4, "f.c", lines + 2, 1);
}

/* Calls on lines 41 and 42.  */
static void
build_calls (void)
{
  static const uint32_t to_2[] = { 2, 0 };
  static const uint32_t to_3[] = { 3, 0, 1, FAKE };
  static const uint32_t to_4[] = { 4, 0, 1, FAKE };
  static const uint32_t to_exit[] = { 1, TREE };
  static const uint32_t lines[] = { 41, 42 };
  gcov_build_notes_function (&builder, 400, "calls", "f.c", 40, 44, 5);
  gcov_build_arcs (&builder, 0, to_2, 1);
  gcov_build_arcs (&builder, 2, to_3, 2);
  gcov_build_arcs (&builder, 3, to_4, 2);
  gcov_build_arcs (&builder, 4, to_exit, 1);
  gcov_build_lines (&builder, 2, "f.c", lines, 1);
  gcov_build_lines (&builder, 3, "f.c", lines + 1, 1);
}

/* A function that never ran.  */
static void
build_never (void)
{
  static const uint32_t to_2[] = { 2, 0 };
  static const uint32_t to_exit[] = { 1, TREE };
  static const uint32_t line[] = { 31 };
  gcov_build_notes_function (&builder, 300, "never", "f.c", 30, 32, 3);
  gcov_build_arcs (&builder, 0, to_2, 1);
  gcov_build_arcs (&builder, 2, to_exit, 1);
  gcov_build_lines (&builder, 2, "f.c", line, 1);
}

static struct gcov_notes *
make_notes (void)
{
  struct profile_error err;
  builder = (struct gcov_builder){ .major = 12 };
  gcov_build_header (&builder, 0x67636e6f, 1, 0);
  gcov_build_string (&builder, "");
  gcov_build_u32 (&builder, 1);
  build_loop ();
  build_twice ();
  build_never ();
  build_calls ();
  struct gcov_notes *notes
    = gcov_notes_parse ("notes", builder.data, builder.size, &err);
  ck_assert_msg (notes != NULL, "%s", err.cause);
  return notes;
}

/* F was entered 5 times, with 9 iterations each; half of its calls go to G.  G
   was entered 7 times, its call returned 8 times.  The last function makes each
   of its calls CALLS times, the only indirect one SITE times, to F.  */
static struct gcov_profile *
make_profile (const uint64_t calls[2], uint64_t site)
{
  static const uint64_t loop[] = { 5, 45, 45 };
  static const uint64_t loop_calls[] = { 45, 2, 200, 40, 4711, 5 };
  static const uint64_t twice[] = { 7, 6, 8 };
  static const uint64_t first[] = { 2 };
  const uint64_t call_arcs[] = { calls[0], calls[1], 0 };
  const uint64_t call_sites[] = { site, 1, 100, site };
  struct profile_error err;
  builder = (struct gcov_builder){ .major = 12 };
  gcov_build_header (&builder, 0x67636461, 1, 0);
  gcov_build_function (&builder, 100, 101, 102);
  gcov_build_counters (&builder, GCOV_KIND_ARCS, loop, 3);
  gcov_build_counters (&builder, GCOV_KIND_CALL, loop_calls, 6);
  gcov_build_counters (&builder, GCOV_KIND_TIME, first, 1);
  gcov_build_function (&builder, 200, 201, 202);
  gcov_build_counters (&builder, GCOV_KIND_ARCS, twice, 3);
  gcov_build_function (&builder, 300, 301, 302);
  gcov_build_zeros (&builder, GCOV_KIND_ARCS, 1);
  gcov_build_function (&builder, 400, 401, 402);
  gcov_build_counters (&builder, GCOV_KIND_ARCS, call_arcs, 3);
  gcov_build_counters (&builder, GCOV_KIND_CALL, call_sites, 4);
  gcov_build_function (&builder, 500, 501, 502);
  gcov_build_zeros (&builder, GCOV_KIND_ARCS, 1);
  gcov_build_u32 (&builder, 0);
  struct gcov_profile *profile = gcov_profile_new ();
  ck_assert_msg (gcov_data_parse (profile, "data", "data", builder.data,
				  builder.size, &err),
		 "%s", err.cause);
  return profile;
}

static struct sample_profile *
make_samples (enum gcov_samples_reader reader, const uint64_t calls[2],
	      uint64_t site, struct gcov_samples_losses *losses)
{
  struct gcov_notes *notes = make_notes ();
  struct gcov_profile *profile = make_profile (calls, site);
  struct sample_profile *made = sample_profile_new ();
  ck_assert (gcov_names_from_notes (profile->units[0], notes));
  struct gcov_samples *samples = gcov_samples_new (made, profile, reader);
  ck_assert_ptr_nonnull (samples);
  ck_assert (gcov_samples_add (samples, profile->units[0], notes));
  *losses = gcov_samples_lost (samples);
  gcov_samples_free (samples);
  gcov_profile_free (profile);
  gcov_notes_free (notes);
  return made;
}

static uint32_t
find_name (const struct sample_profile *profile, const char *text)
{
  for (uint32_t i = 0; i < sample_profile_name_count (profile); i++)
    if (strcmp (sample_profile_name (profile, i), text) == 0)
      return i;
  return SAMPLE_NO_NAME;
}

static struct sample_function *
find_function (const struct sample_profile *profile, const char *text)
{
  uint32_t name = find_name (profile, text);
  return name == SAMPLE_NO_NAME
	   ? NULL
	   : sample_profile_find_function (profile, NULL, 0, name);
}

struct expected_body
{
  uint32_t line;
  uint32_t discriminator;
  uint64_t count;
};

static void
check_bodies (const struct sample_function *function,
	      const struct expected_body *expected, size_t n)
{
  ck_assert_uint_eq (function->body_count, n);
  for (size_t i = 0; i < n; i++)
    {
      const struct sample_body *body = &function->bodies[i];
      ck_assert_uint_eq (body->location.line, expected[i].line);
      ck_assert_uint_eq (body->location.discriminator,
			 expected[i].discriminator);
      ck_assert_uint_eq (body->count, expected[i].count);
    }
}

/* Init, condition, step: in source order, not in block order.  */
START_TEST (loop_for_llvm)
{
  static const struct expected_body expected[]
    = { { 0, 0, 5 },  { 2, 0, 5 },  { 2, 1, 50 },
	{ 2, 2, 45 }, { 3, 0, 45 }, { 5, 0, 5 } };
  struct gcov_samples_losses losses;
  struct sample_profile *profile
    = make_samples (GCOV_SAMPLES_LLVM, two_calls, 7, &losses);
  const struct sample_function *f = find_function (profile, "f");
  ck_assert_ptr_nonnull (f);
  check_bodies (f, expected, 6);
  ck_assert_uint_eq (f->head, 5);
  ck_assert_uint_eq (f->total, 155);
  ck_assert_uint_eq (f->first_run, 2);
  ck_assert_uint_eq (losses.lines, 1);
  ck_assert_uint_eq (losses.functions, 1);
  sample_profile_free (profile);
}
END_TEST

START_TEST (loop_for_gcc)
{
  static const struct expected_body expected[]
    = { { 0, 0, 5 }, { 2, 0, 5 }, { 3, 0, 45 }, { 5, 0, 5 } };
  struct gcov_samples_losses losses;
  struct sample_profile *profile
    = make_samples (GCOV_SAMPLES_GCC, two_calls, 7, &losses);
  const struct sample_function *f = find_function (profile, "f");
  ck_assert_ptr_nonnull (f);
  check_bodies (f, expected, 4);
  ck_assert_uint_eq (f->head, 5);
  sample_profile_free (profile);
}
END_TEST

/* Returning twice from a call does not count as entering the function.  */
START_TEST (entries)
{
  static const struct expected_body expected[]
    = { { 1, 0, 7 }, { 2, 0, 8 }, { 3, 0, 8 } };
  struct gcov_samples_losses losses;
  struct sample_profile *profile = make_samples (_i, two_calls, 7, &losses);
  const struct sample_function *g = find_function (profile, "g");
  ck_assert_ptr_nonnull (g);
  ck_assert_uint_eq (g->head, 7);
  check_bodies (g, expected, 3);
  sample_profile_free (profile);
}
END_TEST

/* Values that do not identify a function of the profile are not targets.  */
START_TEST (call_targets)
{
  struct gcov_samples_losses losses;
  struct sample_profile *profile = make_samples (_i, two_calls, 7, &losses);
  const struct sample_function *f = find_function (profile, "f");
  struct sample_location location = { 3, 0 };
  const struct sample_body *body = sample_function_find_body (f, location);
  ck_assert_ptr_nonnull (body);
  ck_assert_uint_eq (body->targets.count, 1);
  ck_assert_uint_eq (body->targets.counts[0].name, find_name (profile, "g"));
  ck_assert_uint_eq (body->targets.counts[0].count, 40);
  sample_profile_free (profile);
}
END_TEST

static const struct
{
  uint64_t calls[2];
  uint64_t total;
  uint32_t line; /* 0: unknown */
} sites[] = {
  { { 7, 6 }, 7, 1 }, { { 7, 6 }, 6, 2 }, { { 7, 7 }, 7, 0 }, { { 7, 6 }, 5, 0 }
};

/* A call is assigned to the block that ran as often, if there is only one.  */
START_TEST (call_lines)
{
  struct gcov_samples_losses losses;
  struct sample_profile *profile
    = make_samples (GCOV_SAMPLES_LLVM, sites[_i].calls, sites[_i].total,
		    &losses);
  const struct sample_function *calls = find_function (profile, "calls");
  ck_assert_uint_eq (calls->body_count, 2);
  for (uint32_t i = 0; i < calls->body_count; i++)
    {
      const struct sample_counts *targets = &calls->bodies[i].targets;
      bool is_there = calls->bodies[i].location.line == sites[_i].line;
      ck_assert_uint_eq (targets->count, is_there);
      if (!is_there)
	continue;
      ck_assert_uint_eq (targets->counts[0].name, find_name (profile, "f"));
      ck_assert_uint_eq (targets->counts[0].count, sites[_i].total);
    }
  ck_assert_uint_eq (losses.calls, sites[_i].line == 0);
  sample_profile_free (profile);
}
END_TEST

START_TEST (never_run)
{
  struct gcov_samples_losses losses;
  struct sample_profile *profile = make_samples (_i, two_calls, 7, &losses);
  const struct sample_function *never = find_function (profile, "never");
  if (_i == GCOV_SAMPLES_LLVM)
    {
      ck_assert_ptr_null (never);
      ck_assert (sample_profile_is_listed (profile,
					   find_name (profile, "never")));
    }
  else
    {
      ck_assert_ptr_nonnull (never);
      ck_assert_uint_eq (never->total + never->head, 0);
      ck_assert_uint_eq (never->body_count, 1);
    }
  sample_profile_free (profile);
}
END_TEST

/* Random arcs between any two blocks.  */
START_TEST (any_graph)
{
  struct profile_error err;
  unsigned int state = _i;
  builder = (struct gcov_builder){ .major = 12 };
  gcov_build_header (&builder, 0x67636e6f, 1, 0);
  gcov_build_string (&builder, "");
  gcov_build_u32 (&builder, 1);
  gcov_build_notes_function (&builder, 1, "f", "f.c", 1, 9, 12);
  for (uint32_t block = 0; block < 12; block++)
    {
      uint32_t arcs[8];
      for (size_t i = 0; i < 8; i++)
	{
	  state = state * 1103515245 + 12345;
	  arcs[i] = i % 2 == 0 ? (state >> 16) % 12 : (state >> 16) % 4;
	}
      gcov_build_arcs (&builder, block, arcs, (state >> 8) % 5);
    }
  struct gcov_notes *notes
    = gcov_notes_parse ("notes", builder.data, builder.size, &err);
  ck_assert_ptr_nonnull (notes);
  struct gcov_flow solved;
  uint32_t places[12];
  ck_assert (gcov_flow_solve (&solved, &notes->functions[0], NULL));
  ck_assert (gcov_block_order (&notes->functions[0], &solved, places));
  uint32_t least = 12;
  for (int i = 0; i < 12; i++)
    {
      ck_assert_uint_lt (places[i], 12);
      if (places[i] < least)
	least = places[i];
    }
  ck_assert_uint_eq (least, 0);
  gcov_flow_free (&solved);
  gcov_notes_free (notes);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-gcov-samples");
  TCase *tcase = tcase_create ("samples");
  tcase_add_test (tcase, loop_for_llvm);
  tcase_add_test (tcase, loop_for_gcc);
  tcase_add_loop_test (tcase, entries, 0, 2);
  tcase_add_loop_test (tcase, call_targets, 0, 2);
  tcase_add_loop_test (tcase, call_lines, 0, sizeof sites / sizeof *sites);
  tcase_add_loop_test (tcase, never_run, 0, 2);
  tcase_add_loop_test (tcase, any_graph, 0, 200);
  suite_add_tcase (suite, tcase);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
