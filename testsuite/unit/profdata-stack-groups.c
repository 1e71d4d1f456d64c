/* Unit tests of groups: which hot contexts share one, and which calls tell it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-affinities.h"
#include "heap-lookup.h"
#include "indexed-profile.h"
#include <check.h>
#include <unistd.h>

#define RUN_NS UINT64_C (10000000000)

/* Of each context that is used together with another one.  */
#define LINES 1000

static const char path[] = "stack-groups.profdata";
static struct profile_error err;

static struct heap_profile *
new_profile (void)
{
  struct heap_profile *profile = heap_profile_new ();
  struct heap_totals *totals = heap_profile_totals (profile);
  totals->runs = 1;
  totals->duration_ns = RUN_NS;
  return profile;
}

/* Return the context of the call of GUID, called from CALLER.  */
static uint32_t
add_call (struct heap_profile *profile, uint32_t caller, uint64_t guid)
{
  const struct heap_frame frame
    = { .function_guid = guid, .line_offset = 1, .column = 3 };
  return heap_profile_add_context (profile, caller,
				   heap_profile_add_frame (profile, &frame));
}

/* Let CONTEXT allocate COUNT blocks of BYTES each, which live through NS of the
   run and have DENSITY accesses per byte.  */
static void
add_blocks (struct heap_profile *profile, uint32_t context, uint64_t count,
	    uint64_t bytes, uint64_t ns, uint64_t density)
{
  const struct memory_info info
    = { .alloc_count = (uint32_t) count,
	.access_count.total = count * bytes * density,
	.size_bytes = { count * bytes, bytes, bytes },
	.lifetime_ns = { count * ns, ns, ns } };
  ck_assert (heap_profile_add_info (profile, context, &info));
}

static void
add_affinity (struct heap_profile *profile, uint32_t one, uint32_t other,
	      uint64_t lines)
{
  ck_assert (heap_details_add_affinity (heap_profile_details (profile), one,
					other, lines));
}

/* Return a context of GUID itself with COUNT hot blocks of BYTES each that
   windows show.  */
static uint32_t
add_hot (struct heap_profile *profile, uint64_t guid, uint64_t count,
	 uint64_t bytes)
{
  const uint32_t context = add_call (profile, 0, guid);
  add_blocks (profile, context, count, bytes, RUN_NS, 1000);
  add_affinity (profile, context, context, LINES);
  return context;
}

static struct heap_lookup *
write_and_open (struct heap_profile *profile)
{
  const struct profile whole = { .heap = profile };
  const struct indexed_profile_options options
    = { .full_schema = true, .keep_columns = true };
  ck_assert_msg (indexed_profile_write (path, &whole, &options, &err), "%s",
		 err.cause);
  struct heap_lookup *lookup = heap_lookup_open (path, &err);
  ck_assert_msg (lookup != NULL, "%s", err.cause);
  heap_profile_free (profile);
  return lookup;
}

static void
close_and_remove (struct heap_lookup *lookup)
{
  heap_lookup_close (lookup);
  unlink (path);
}

static unsigned int
group_of (const struct heap_lookup *lookup, uint64_t guid)
{
  const struct heap_lookup_frame frame
    = { .function = guid, .line_offset = 1, .column = 3 };
  return heap_lookup_group (lookup, &frame);
}

/* Four contexts by turns, of which two and two are used together.  */
START_TEST (two_pairs)
{
  struct heap_profile *profile = new_profile ();
  uint32_t contexts[5];
  for (uint64_t guid = 1; guid <= 4; guid++)
    contexts[guid] = add_hot (profile, guid, 1000, 48);
  add_affinity (profile, contexts[1], contexts[3], LINES * 6 / 10);
  add_affinity (profile, contexts[2], contexts[4], LINES * 6 / 10);
  add_affinity (profile, contexts[1], contexts[2], LINES / 10);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_uint_ne (group_of (lookup, 1), 0);
  ck_assert_uint_ne (group_of (lookup, 2), 0);
  ck_assert_uint_ne (group_of (lookup, 1), group_of (lookup, 2));
  ck_assert_uint_eq (group_of (lookup, 1), group_of (lookup, 3));
  ck_assert_uint_eq (group_of (lookup, 2), group_of (lookup, 4));
  ck_assert_uint_eq (group_of (lookup, 5), 0);
  close_and_remove (lookup);
}
END_TEST

/* Two contexts with LINES of each other, in percent.  */
START_TEST (share_of_lines)
{
  static const uint64_t percents[] = { 0, 49, 50, 100 };
  struct heap_profile *profile = new_profile ();
  const uint32_t one = add_hot (profile, 1, 1000, 48);
  const uint32_t other = add_hot (profile, 2, 1000, 48);
  add_affinity (profile, other, other, 9 * LINES);
  add_affinity (profile, one, other, LINES * percents[_i] / 100);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_uint_ne (group_of (lookup, 1), 0);
  ck_assert_int_eq (group_of (lookup, 1) == group_of (lookup, 2),
		    percents[_i] >= 50);
  close_and_remove (lookup);
}
END_TEST

/* The third context is used with one of the two that are used together.  */
START_TEST (mean_of_pairs)
{
  struct heap_profile *profile = new_profile ();
  const uint32_t one = add_hot (profile, 1, 1000, 48);
  const uint32_t other = add_hot (profile, 2, 1000, 48);
  const uint32_t third = add_hot (profile, 3, 1000, 48);
  add_affinity (profile, one, other, LINES);
  add_affinity (profile, other, third, LINES * 8 / 10);
  if (_i == 1)
    add_affinity (profile, one, third, LINES * 3 / 10);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_uint_ne (group_of (lookup, 1), 0);
  ck_assert_uint_eq (group_of (lookup, 1), group_of (lookup, 2));
  ck_assert_int_eq (group_of (lookup, 1) == group_of (lookup, 3), _i == 1);
  close_and_remove (lookup);
}
END_TEST

/* What a context lacks to have a group, next to one that has all.  */
START_TEST (contexts_without_group)
{
  static const struct
  {
    uint64_t count, bytes, ns, density, lines;
    bool has_group;
  } cases[] = { { 1000, 48, RUN_NS, 1000, LINES, true },
		{ 64, 512, RUN_NS, 1000, LINES, true },
		{ 63, 512, RUN_NS, 1000, LINES, false },
		{ 1000, 513, RUN_NS, 1000, LINES, false },
		{ 600, 48, RUN_NS, 1000, LINES, false },
		{ 1000, 48, RUN_NS / 2, 1000, LINES, false },
		{ 1000, 48, RUN_NS, 1, LINES, false },
		{ 1000, 48, RUN_NS, 1000, 15, false },
		{ 1000, 48, RUN_NS, 1000, 0, false } };
  struct heap_profile *profile = new_profile ();
  add_hot (profile, 1, 1000, 48);
  const uint32_t context = add_call (profile, 0, 2);
  add_blocks (profile, context, cases[_i].count, cases[_i].bytes, cases[_i].ns,
	      cases[_i].density);
  if (cases[_i].lines > 0)
    add_affinity (profile, context, context, cases[_i].lines);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_uint_ne (group_of (lookup, 1), 0);
  ck_assert_int_eq (group_of (lookup, 2) != 0, cases[_i].has_group);
  close_and_remove (lookup);
}
END_TEST

/* Small contexts have a group if they have enough bytes together.  */
START_TEST (bytes_of_a_group)
{
  struct heap_profile *profile = new_profile ();
  const uint32_t one = add_hot (profile, 1, 400, 48);
  const uint32_t other = add_hot (profile, 2, 400, 48);
  if (_i == 1)
    add_affinity (profile, one, other, LINES);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_uint_eq (group_of (lookup, 1), _i);
  ck_assert_uint_eq (group_of (lookup, 2), _i);
  close_and_remove (lookup);
}
END_TEST

/* Two contexts of one call are in different groups: the call tells one only if
   it has at least 90% of the accesses.  */
START_TEST (contexts_of_a_call_disagree)
{
  static const uint64_t times[] = { 1, 8, 10 };
  struct heap_profile *profile = new_profile ();
  const uint32_t one = add_call (profile, add_call (profile, 0, 1), 9);
  const uint32_t other = add_call (profile, add_call (profile, 0, 2), 9);
  add_blocks (profile, one, 1000 * times[_i], 48, RUN_NS, 1000);
  add_blocks (profile, other, 1000, 48, RUN_NS, 1000);
  add_affinity (profile, one, one, LINES);
  add_affinity (profile, other, other, LINES);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_int_eq (group_of (lookup, 9) != 0, times[_i] == 10);
  ck_assert_uint_eq (group_of (lookup, 1), 0);
  close_and_remove (lookup);
}
END_TEST

/* Groups beyond the last number are not made.  */
START_TEST (many_groups)
{
  struct heap_profile *profile = new_profile ();
  unsigned int seen[256] = { 0 };
  for (uint64_t guid = 1; guid <= 300; guid++)
    add_hot (profile, guid, 1000, 48);
  struct heap_lookup *lookup = write_and_open (profile);
  for (uint64_t guid = 1; guid <= 300; guid++)
    {
      ck_assert_uint_lt (group_of (lookup, guid), 256);
      seen[group_of (lookup, guid)]++;
    }
  ck_assert_uint_eq (seen[0], 46);
  for (unsigned int i = 1; i < HEAP_LOOKUP_GROUP_PHASE; i++)
    ck_assert_uint_eq (seen[i], 1);
  close_and_remove (lookup);
}
END_TEST

/* Of 480 contexts, each is used with one other.  */
START_TEST (many_pairs)
{
  enum
  {
    PAIRS = 240
  };
  struct heap_profile *profile = new_profile ();
  uint32_t contexts[2 * PAIRS];
  unsigned int seen[256] = { 0 };
  for (uint64_t i = 0; i < 2 * PAIRS; i++)
    contexts[i] = add_hot (profile, i + 1, 1000, 48);
  for (uint64_t i = 0; i < PAIRS; i++)
    {
      add_affinity (profile, contexts[i], contexts[i + PAIRS], LINES / 2);
      add_affinity (profile, contexts[i], contexts[(i + 1) % PAIRS], LINES / 4);
    }
  struct heap_lookup *lookup = write_and_open (profile);
  for (uint64_t i = 0; i < PAIRS; i++)
    {
      const unsigned int group = group_of (lookup, i + 1);
      ck_assert_uint_eq (group_of (lookup, i + 1 + PAIRS), group);
      seen[group]++;
    }
  ck_assert_uint_eq (seen[0], 0);
  for (unsigned int i = 1; i <= PAIRS; i++)
    ck_assert_uint_eq (seen[i], 1);
  close_and_remove (lookup);
}
END_TEST

/* Calls whose contexts have many groups, and are not next to each other.  */
START_TEST (groups_of_calls)
{
  struct heap_profile *profile = new_profile ();
  for (uint64_t i = 0; i < 100; i++)
    {
      const uint64_t call = 1000 + i % 10;
      const uint32_t context
	= add_call (profile, add_call (profile, 0, i + 1), call);
      /* Of calls 1000 to 1004, one context has 95% of the accesses.  */
      add_blocks (profile, context, i % 10 < 5 && i / 10 == 3 ? 171000 : 1000,
		  48, RUN_NS, 1000);
      add_affinity (profile, context, context, LINES);
    }
  struct heap_lookup *lookup = write_and_open (profile);
  unsigned int groups[10];
  for (unsigned int i = 0; i < 10; i++)
    {
      groups[i] = group_of (lookup, 1000 + i);
      ck_assert_int_eq (groups[i] != 0, i < 5);
      for (unsigned int j = 0; j < i && i < 5; j++)
	ck_assert_uint_ne (groups[i], groups[j]);
    }
  close_and_remove (lookup);
}
END_TEST

/* Blocks that live as long as a phase, next to others of the same call or
   not.  */
START_TEST (phases)
{
  static const struct
  {
    uint64_t count, ns, density, live;
    bool is_phase;
  } cases[] = { { 1000, RUN_NS / 10, 1000, 0, true },
		{ 1000, RUN_NS / 4, 1000, 500, true },
		{ 1000, RUN_NS / 4 + 1, 1000, 0, false },
		{ 1000, RUN_NS, 1000, 0, false },
		{ 1000, RUN_NS / 10, 1000, 501, false },
		/* Temporary.  */
		{ 1000, RUN_NS / 1000000, 1000, 0, false },
		/* Cold.  */
		{ 1000, RUN_NS / 5, 0, 0, false } };
  struct heap_profile *profile = new_profile ();
  const uint32_t context = add_call (profile, 0, 2);
  const struct memory_info info
    = { .alloc_count = (uint32_t) cases[_i].count,
	.live_count = cases[_i].live,
	.access_count.total = cases[_i].count * 48 * cases[_i].density,
	.size_bytes = { cases[_i].count * 48, 48, 48 },
	.lifetime_ns
	= { cases[_i].count * cases[_i].ns, cases[_i].ns, cases[_i].ns } };
  add_blocks (profile, add_call (profile, 0, 1), 100000, 48, RUN_NS, 1000);
  ck_assert (heap_profile_add_info (profile, context, &info));
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_uint_eq (group_of (lookup, 1), 0);
  ck_assert_uint_eq (group_of (lookup, 2),
		     cases[_i].is_phase ? HEAP_LOOKUP_GROUP_PHASE : 0);
  close_and_remove (lookup);
}
END_TEST

/* A call has the group if 90% of its bytes that are not cold are of phases.  */
START_TEST (phases_of_a_call)
{
  static const uint64_t times[] = { 1, 8, 9 };
  struct heap_profile *profile = new_profile ();
  const uint32_t one = add_call (profile, add_call (profile, 0, 1), 9);
  const uint32_t other = add_call (profile, add_call (profile, 0, 2), 9);
  add_blocks (profile, one, 1000 * times[_i], 48, RUN_NS / 10, 1000);
  add_blocks (profile, other, 1000, 48, RUN_NS, 1000);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_uint_eq (group_of (lookup, 9),
		     times[_i] == 9 ? HEAP_LOOKUP_GROUP_PHASE : 0);
  close_and_remove (lookup);
}
END_TEST

/* What is used together has its own group.  */
START_TEST (phase_and_group)
{
  struct heap_profile *profile = new_profile ();
  const uint32_t context = add_call (profile, 0, 1);
  add_blocks (profile, context, 10000, 48, RUN_NS / 10, 1000);
  add_affinity (profile, context, context, LINES);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_uint_eq (group_of (lookup, 1), 1);
  close_and_remove (lookup);
}
END_TEST

START_TEST (without_affinities)
{
  struct heap_profile *profile = new_profile ();
  add_blocks (profile, add_call (profile, 0, 1), 1000, 48, RUN_NS, 1000);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_uint_eq (group_of (lookup, 1), 0);
  close_and_remove (lookup);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("groups");
  TCase *by_hand = tcase_create ("by hand");
  tcase_add_test (by_hand, two_pairs);
  tcase_add_loop_test (by_hand, share_of_lines, 0, 4);
  tcase_add_loop_test (by_hand, mean_of_pairs, 0, 2);
  tcase_add_loop_test (by_hand, contexts_without_group, 0, 9);
  tcase_add_loop_test (by_hand, bytes_of_a_group, 0, 2);
  tcase_add_loop_test (by_hand, contexts_of_a_call_disagree, 0, 3);
  tcase_add_test (by_hand, many_groups);
  tcase_add_test (by_hand, many_pairs);
  tcase_add_test (by_hand, groups_of_calls);
  tcase_add_loop_test (by_hand, phases, 0, 7);
  tcase_add_loop_test (by_hand, phases_of_a_call, 0, 3);
  tcase_add_test (by_hand, phase_and_group);
  tcase_add_test (by_hand, without_affinities);
  suite_add_tcase (suite, by_hand);
  return suite;
}

int
main (void)
{
  SRunner *runner = srunner_create (make_suite ());
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? 0 : 1;
}
