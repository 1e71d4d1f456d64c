/* Unit tests of gcc's own counters fitted to a changed program: blocks matched,
   and counts that are possible and nearest to what is known.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "block-match.h"
#include "flow-fit.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BLOCKS 40
#define MOST_ARCS 120
#define UNKNOWN FLOW_FIT_UNKNOWN

enum
{
  FALL = GCOV_ARC_FALL_THROUGH,
  FAKE = GCOV_ARC_FAKE
};

/* A function under construction.  */
struct graph
{
  struct gcov_notes_function function;
  struct gcov_arc arcs[MOST_ARCS];
  struct gcov_line_group groups[MOST_BLOCKS];
  uint32_t lines[MOST_BLOCKS];
  int64_t known_blocks[MOST_BLOCKS];
  int64_t known_arcs[MOST_ARCS];
  int64_t fitted[MOST_ARCS];
};

static struct graph first_graph;
static struct graph second_graph;

static void
start (struct graph *graph, uint32_t blocks)
{
  memset (graph, 0, sizeof *graph);
  graph->function.block_count = blocks;
  graph->function.arcs = graph->arcs;
  graph->function.groups = graph->groups;
  graph->function.lines = graph->lines;
  for (uint32_t i = 0; i < MOST_BLOCKS; i++)
    graph->known_blocks[i] = UNKNOWN;
  for (uint32_t i = 0; i < MOST_ARCS; i++)
    graph->known_arcs[i] = UNKNOWN;
}

static void
arc (struct graph *graph, uint32_t source, uint32_t destination, uint32_t flags)
{
  ck_assert_uint_lt (graph->function.arc_count, MOST_ARCS);
  graph->arcs[graph->function.arc_count++]
    = (struct gcov_arc){ source, destination, flags };
}

static void
line (struct graph *graph, uint32_t block, const char *file, uint32_t number)
{
  uint32_t n = graph->function.group_count++;
  graph->lines[n] = number;
  graph->groups[n] = (struct gcov_line_group){ block, file, n, 1 };
}

static enum flow_fit_result
fit (struct graph *graph)
{
  struct flow_known known
    = { &graph->function, graph->known_blocks, graph->known_arcs };
  return flow_fit (&known, graph->fitted);
}

/* The sum of the fitted arcs that leave (IS_ENTERING: enter) BLOCK.  */
static int64_t
sum_of (const struct graph *graph, uint32_t block, bool is_entering)
{
  int64_t sum = 0;
  for (uint32_t i = 0; i < graph->function.arc_count; i++)
    if ((is_entering ? graph->arcs[i].destination : graph->arcs[i].source)
	== block)
      sum += graph->fitted[i];
  return sum;
}

static void
check_flow (const struct graph *graph)
{
  for (uint32_t i = 0; i < graph->function.arc_count; i++)
    ck_assert_int_ge (graph->fitted[i], 0);
  for (uint32_t i = 2; i < graph->function.block_count; i++)
    ck_assert_int_eq (sum_of (graph, i, false), sum_of (graph, i, true));
  ck_assert_int_eq (sum_of (graph, 0, false), sum_of (graph, 1, true));
}

/* if (2) 3; else 4; 5  */
static void
build_branch (struct graph *graph)
{
  start (graph, 6);
  arc (graph, 0, 2, FALL);
  arc (graph, 2, 3, FALL);
  arc (graph, 2, 4, 0);
  arc (graph, 3, 5, 0);
  arc (graph, 4, 5, FALL);
  arc (graph, 5, 1, FALL);
}

START_TEST (unknown_parts_follow)
{
  struct graph *graph = &first_graph;
  build_branch (graph);
  graph->known_blocks[2] = 100;
  graph->known_blocks[3] = 30;
  ck_assert_int_eq (fit (graph), FLOW_FIT_DONE);
  check_flow (graph);
  static const int64_t expected[] = { 100, 30, 70, 30, 70, 100 };
  for (uint32_t i = 0; i < 6; i++)
    ck_assert_int_eq (graph->fitted[i], expected[i]);
}
END_TEST

/* Block 4 is new, and a call in it that does not return: nothing goes there. */
START_TEST (new_calls_return)
{
  struct graph *graph = &first_graph;
  start (graph, 6);
  arc (graph, 0, 2, FALL);
  arc (graph, 2, 4, FALL);
  arc (graph, 2, 3, 0);
  arc (graph, 3, 5, FALL);
  arc (graph, 4, 1, FAKE);
  arc (graph, 5, 1, FALL);
  graph->known_blocks[0] = graph->known_blocks[2] = 9;
  ck_assert_int_eq (fit (graph), FLOW_FIT_DONE);
  check_flow (graph);
  ck_assert_int_eq (graph->fitted[1], 0);
  ck_assert_int_eq (graph->fitted[2], 9);
}
END_TEST

/* Counts that contradict each other: the entry counts more than one block, and
   two blocks more than one.  */
START_TEST (contradictions_are_settled)
{
  struct graph *graph = &first_graph;
  build_branch (graph);
  graph->known_blocks[0] = 100;
  graph->known_blocks[2] = 90;
  graph->known_blocks[3] = 50;
  graph->known_blocks[4] = 50;
  graph->known_blocks[5] = 100;
  ck_assert_int_eq (fit (graph), FLOW_FIT_DONE);
  check_flow (graph);
  static const int64_t expected[] = { 100, 50, 50, 50, 50, 100 };
  for (uint32_t i = 0; i < 6; i++)
    ck_assert_int_eq (graph->fitted[i], expected[i]);
}
END_TEST

START_TEST (great_counts_do_not_overflow)
{
  struct graph *graph = &first_graph;
  build_branch (graph);
  for (uint32_t i = 0; i < 6; i++)
    graph->known_blocks[i] = graph->known_arcs[i] = INT64_MAX;
  ck_assert_int_eq (fit (graph), FLOW_FIT_DONE);
  check_flow (graph);
  ck_assert_int_gt (graph->fitted[0], INT64_C (1) << 50);
}
END_TEST

/* Block 3 leads nowhere, so its count is not possible; a function has an entry
   and an exit.  */
START_TEST (impossible_counts_are_not_kept)
{
  struct graph *graph = &first_graph;
  start (graph, 4);
  arc (graph, 0, 2, FALL);
  arc (graph, 2, 1, FALL);
  arc (graph, 2, 3, 0);
  graph->known_blocks[3] = 5;
  ck_assert_int_eq (fit (graph), FLOW_FIT_DONE);
  check_flow (graph);
  ck_assert_int_eq (graph->fitted[2], 0);
  start (graph, 1);
  ck_assert_int_eq (fit (graph), FLOW_FIT_IMPOSSIBLE);
}
END_TEST

/* A graph in which each block has an arc to the next one, or the last to the
   exit, and some have another.  Random walks give its counts.  */
static void
build_random (struct graph *graph, uint32_t blocks, int64_t *truth)
{
  start (graph, blocks);
  arc (graph, 0, 2, FALL);
  for (uint32_t i = 2; i < blocks; i++)
    {
      arc (graph, i, i + 1 < blocks ? i + 1 : 1, FALL);
      if (rand () % 2)
	arc (graph, i, 2 + (uint32_t) rand () % (blocks - 2), 0);
    }
  for (int walk = 0; walk < 50; walk++)
    for (uint32_t block = 0; block != 1;)
      {
	uint32_t leaving[2];
	uint32_t n = 0;
	for (uint32_t i = 0; i < graph->function.arc_count; i++)
	  if (graph->arcs[i].source == block)
	    leaving[n++] = i;
	uint32_t taken = leaving[(uint32_t) rand () % 3 == 0 ? n - 1 : 0];
	truth[taken]++;
	block = graph->arcs[taken].destination;
      }
}

/* Known counts that are possible stay, whatever is unknown; and with some wrong
   ones, the result is possible.  */
START_TEST (true_counts_stay)
{
  srand ((unsigned int) _i + 1);
  struct graph *graph = &first_graph;
  int64_t truth[MOST_ARCS] = { 0 };
  uint32_t blocks = 3 + (uint32_t) rand () % (MOST_BLOCKS - 3);
  build_random (graph, blocks, truth);
  for (uint32_t i = 0; i < graph->function.arc_count; i++)
    {
      int64_t *known = &graph->known_blocks[graph->arcs[i].source];
      *known = (*known == UNKNOWN ? 0 : *known) + truth[i];
    }
  graph->known_blocks[1] = graph->known_blocks[0];
  memcpy (graph->known_arcs, truth, sizeof truth);
  ck_assert_int_eq (fit (graph), FLOW_FIT_DONE);
  ck_assert_mem_eq (graph->fitted, truth,
		    graph->function.arc_count * sizeof *truth);
  for (uint32_t i = 0; i < graph->function.arc_count; i++)
    if (rand () % 3 == 0)
      graph->known_arcs[i] = UNKNOWN;
  ck_assert_int_eq (fit (graph), FLOW_FIT_DONE);
  check_flow (graph);
  for (uint32_t i = 0; i < graph->function.arc_count; i++)
    if (graph->known_arcs[i] != UNKNOWN)
      ck_assert_int_eq (graph->fitted[i], truth[i]);
  for (uint32_t i = 0; i < blocks; i++)
    graph->known_blocks[i] = rand () % 2 ? rand () % 100 : UNKNOWN;
  ck_assert_int_eq (fit (graph), FLOW_FIT_DONE);
  check_flow (graph);
}
END_TEST

/* ---- Blocks.  */

/* Call CHECK with the match of the two graphs.  */
static void
match_graphs (void (*check) (const struct block_match *match,
			     const struct block_graph *before,
			     const struct block_graph *after))
{
  struct gcov_flow before_flow;
  struct gcov_flow after_flow;
  struct block_match match;
  struct block_graph before = { &first_graph.function, &before_flow };
  struct block_graph after = { &second_graph.function, &after_flow };
  ck_assert (gcov_flow_solve (&before_flow, before.function, NULL));
  ck_assert (gcov_flow_solve (&after_flow, after.function, NULL));
  ck_assert (block_match_find (&match, &before, &after));
  check (&match, &before, &after);
  block_match_release (&match);
  gcov_flow_free (&before_flow);
  gcov_flow_free (&after_flow);
}

/* A loop with a branch in it.  GAP lines are behind its first ones; IS_CHECKED:
   a block that returns early is inserted after the first one.  */
static void
build_loop (struct graph *graph, uint32_t gap, bool is_checked)
{
  uint32_t more = is_checked ? 1 : 0;
  uint32_t b = 2 + more; /* block that the loop starts at */
  start (graph, 7 + more);
  arc (graph, 0, 2, FALL);
  line (graph, 2, "f.c", 11);
  if (is_checked)
    {
      arc (graph, 2, 3, FALL);
      arc (graph, 2, 1, 0);
      line (graph, 3, "f.c", 12);
    }
  arc (graph, b, b + 1, FALL);
  arc (graph, b + 1, b + 2, FALL);
  arc (graph, b + 1, b + 3, 0);
  line (graph, b + 1, "f.c", 13 + gap);
  arc (graph, b + 2, b + 3, FALL);
  line (graph, b + 2, "f.c", 14 + gap);
  arc (graph, b + 3, b + 1, 0);
  arc (graph, b + 3, b + 4, FALL);
  line (graph, b + 3, "f.c", 16 + gap);
  arc (graph, b + 4, 1, FALL);
  line (graph, b + 4, "f.c", 18 + gap);
}

static void
check_equal (const struct block_match *match, const struct block_graph *before,
	     const struct block_graph *after)
{
  for (uint32_t i = 0; i < before->function->block_count; i++)
    ck_assert_uint_eq (match->partners[i], i);
  ck_assert (block_match_similarity (match, before, after) == 1.0);
}

START_TEST (equal_blocks_are_partners)
{
  build_loop (&first_graph, 0, false);
  build_loop (&second_graph, 0, false);
  match_graphs (check_equal);
  build_loop (&second_graph, 5, false);
  match_graphs (check_equal);
}
END_TEST

static void
check_inserted (const struct block_match *match,
		const struct block_graph *before,
		const struct block_graph *after)
{
  (void) after;
  for (uint32_t i = 3; i < before->function->block_count; i++)
    ck_assert_uint_eq (match->partners[i], i + 1);
}

static void
check_removed (const struct block_match *match,
	       const struct block_graph *before,
	       const struct block_graph *after)
{
  (void) after;
  for (uint32_t i = 4; i < before->function->block_count; i++)
    ck_assert_uint_eq (match->partners[i], i - 1);
}

START_TEST (inserted_blocks_have_none)
{
  build_loop (&first_graph, 0, false);
  build_loop (&second_graph, 2, true);
  match_graphs (check_inserted);
  build_loop (&first_graph, 2, true);
  build_loop (&second_graph, 0, false);
  match_graphs (check_removed);
}
END_TEST

static void
check_other (const struct block_match *match, const struct block_graph *before,
	     const struct block_graph *after)
{
  ck_assert (block_match_similarity (match, before, after) < 0.5);
  ck_assert_uint_eq (match->partners[0], 0);
  ck_assert_uint_eq (match->partners[1], 1);
}

START_TEST (other_functions_are_not_similar)
{
  build_loop (&first_graph, 0, false);
  build_branch (&second_graph);
  for (uint32_t i = 2; i < 6; i++)
    line (&second_graph, i, "g.c", 3 * i);
  match_graphs (check_other);
}
END_TEST

static void
check_nothing (const struct block_match *match,
	       const struct block_graph *before,
	       const struct block_graph *after)
{
  (void) after;
  for (uint32_t i = 0; i < before->function->block_count; i++)
    ck_assert_uint_ne (match->partners[i], 2);
}

/* Notes that no compiler writes.  */
START_TEST (odd_graphs_are_matched)
{
  for (uint32_t i = 0; i < 4; i++)
    for (uint32_t k = 0; k < 2; k++)
      {
	start (&first_graph, i);
	start (&second_graph, k);
	match_graphs (check_nothing);
      }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-gcov-fit");
  TCase *flow = tcase_create ("flow");
  tcase_add_test (flow, unknown_parts_follow);
  tcase_add_test (flow, new_calls_return);
  tcase_add_test (flow, contradictions_are_settled);
  tcase_add_test (flow, great_counts_do_not_overflow);
  tcase_add_test (flow, impossible_counts_are_not_kept);
  tcase_add_loop_test (flow, true_counts_stay, 0, 200);
  suite_add_tcase (suite, flow);
  TCase *blocks = tcase_create ("blocks");
  tcase_add_test (blocks, equal_blocks_are_partners);
  tcase_add_test (blocks, inserted_blocks_have_none);
  tcase_add_test (blocks, other_functions_are_not_similar);
  tcase_add_test (blocks, odd_graphs_are_matched);
  suite_add_tcase (suite, blocks);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
